// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.net.http.HttpResponse.BodySubscriber;
import java.net.http.HttpResponse.BodySubscribers;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.concurrent.Flow;
import java.util.function.Supplier;

/**
 * How does what a body costs grow with its length? By the JVM's own count of the bytes that this
 * thread allocates, which a busy machine does not change: a body four times as long in as many
 * times the buffers may cost some four times as much, and costs sixteen times as much if all that
 * came before is copied for each buffer.
 */
final class BodyGrowth implements Topic {
    private static final int BUFFER_BYTES = 1_024;
    private static final int BUFFERS = 50;
    private static final int TIMES = 4;
    private static final int TOO_MUCH = 2 * TIMES;

    @Override
    public String name() {
        return "grow";
    }

    @Override
    public void declare(TopicRows rows) {
        row(rows, "bytes", BodySubscribers::ofByteArray);
        row(rows, "string", () -> BodySubscribers.ofString(StandardCharsets.ISO_8859_1));
        row(rows, "lines", () -> BodySubscribers.ofLines(StandardCharsets.ISO_8859_1));
        row(rows, "buffering", () -> BodySubscribers.buffering(BodySubscribers.ofByteArray(), 3_000));
        row(rows, "mapping", () -> BodySubscribers.mapping(BodySubscribers.ofByteArray(),
            bytes -> bytes.length));
        row(rows, "consumer", () -> BodySubscribers.ofByteArrayConsumer(part -> { }));
        row(rows, "discarding", BodySubscribers::discarding);
    }

    private static <T> void row(TopicRows rows, String id, Supplier<BodySubscriber<T>> subscriber) {
        rows.row("grow." + id, "java.net.http: a body is " + TIMES + " times as long for the"
            + " subscriber " + id + "; does it allocate more than " + TOO_MUCH
            + " times as much?", () -> {
                ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
                cost(threads, subscriber.get(), 2);         // its classes are loaded
                cost(threads, subscriber.get(), BUFFERS);
                long one = cost(threads, subscriber.get(), BUFFERS);
                long more = cost(threads, subscriber.get(), TIMES * BUFFERS);
                return one < 0 ? "not counted" : more > TOO_MUCH * one ? "more" : "no more";
            });
    }

    private static <T> long cost(ThreadMXBean threads, BodySubscriber<T> subscriber, int buffers) {
        ByteBuffer[] body = new ByteBuffer[buffers];
        for (int i = 0; i < buffers; i++) {
            body[i] = ByteBuffer.wrap(new byte[BUFFER_BYTES]);
        }
        final long thread = Thread.currentThread().getId();
        final long begin = threads.getThreadAllocatedBytes(thread);
        subscriber.onSubscribe(new Flow.Subscription() {
            @Override
            public void request(long n) { }

            @Override
            public void cancel() { }
        });
        for (ByteBuffer part : body) {
            subscriber.onNext(Collections.singletonList(part));
        }
        subscriber.onComplete();
        return threads.getThreadAllocatedBytes(thread) - begin;
    }
}
