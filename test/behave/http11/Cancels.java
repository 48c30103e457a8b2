// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

import java.io.InputStream;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpResponse.BodySubscribers;
import java.net.http.HttpTimeoutException;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Flow;
import java.util.concurrent.TimeUnit;

/** Does java.net.http end what it gives up: at the server, and for the application? */
final class Cancels implements Topic {
    private static final int WITHIN_MS = 15_000;
    private static final int ENDED_WITHIN_MS = 3_000;
    private static final int RESET_WITHIN_MS = 1_500;
    private static final int TIMEOUT_MS = 300;
    private static final String PART = "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\npart";

    /** How an application gives up a request; its reply, if it has begun, stays incomplete. */
    private interface GivenUp {
        String by(HttpClient client, HttpRequest.Builder request, CountDownLatch received)
            throws Exception;
    }

    @Override
    public String name() {
        return "cancel";
    }

    @Override
    public void declare(TopicRows rows) {
        for (boolean begins : new boolean[] {false, true}) {
            String when = begins ? "body" : "head";
            row(rows, when, "future", "cancel(true) of its future", begins,
                (client, request, received) -> {
                    CompletableFuture<HttpResponse<String>> reply =
                        client.sendAsync(request.build(), BodyHandlers.ofString());
                    received.await();
                    boolean isCancelled = reply.cancel(true);
                    return "cancelled " + isCancelled + ", " + end(reply);
                });
            row(rows, when, "dependent", "cancel(true) of a stage that depends on its future", begins,
                (client, request, received) -> {
                    CompletableFuture<String> text = client.sendAsync(request.build(),
                        BodyHandlers.ofString()).thenApply(HttpResponse::body);
                    received.await();
                    boolean isCancelled = text.cancel(true);
                    return "cancelled " + isCancelled + ", " + end(text);
                });
            row(rows, when, "thread", "an interrupt of its thread", begins,
                (client, request, received) -> {
                    CompletableFuture<String> seen = new CompletableFuture<>();
                    Thread thread = TlsPeer.daemon("interrupted", () -> {
                        try {
                            client.send(request.build(), BodyHandlers.ofString());
                            seen.complete("a reply");
                        } catch (Exception e) {
                            seen.complete(Failure.text(e));
                        }
                    });
                    thread.start();
                    received.await();
                    thread.interrupt();
                    return seen.get();
                });
            row(rows, when, "timeout", "a time-out of " + TIMEOUT_MS + " ms", begins,
                (client, request, received) -> {
                    request.timeout(Duration.ofMillis(TIMEOUT_MS));
                    if (begins) {       // a time-out is for the head
                        HttpResponse<InputStream> reply =
                            client.send(request.build(), BodyHandlers.ofInputStream());
                        Thread.sleep(TIMEOUT_MS * 2);
                        String seen = "'" + (char) reply.body().read() + "'";
                        reply.body().close();
                        return seen;
                    }
                    try {
                        client.send(request.build(), BodyHandlers.ofString());
                        return "a reply";
                    } catch (HttpTimeoutException e) {
                        return "a time-out";
                    }
                });
        }
        row(rows, "body", "stream", "close of its InputStream", true, (client, request, received) -> {
            client.send(request.build(), BodyHandlers.ofInputStream()).body().close();
            return "closed";
        });
        row(rows, "body", "subscription", "cancel of its subscription", true,
            (client, request, received) -> {
                Flow.Publisher<List<java.nio.ByteBuffer>> body = client.send(request.build(),
                    head -> BodySubscribers.ofPublisher()).body();
                body.subscribe(new Ending());
                return "cancelled";
            });
    }

    /** Wants nothing. */
    private static final class Ending implements Flow.Subscriber<List<java.nio.ByteBuffer>> {
        @Override
        public void onSubscribe(Flow.Subscription subscription) {
            subscription.cancel();
        }

        @Override
        public void onNext(List<java.nio.ByteBuffer> part) { }

        @Override
        public void onError(Throwable error) { }

        @Override
        public void onComplete() { }
    }

    private static String end(CompletableFuture<?> future) throws InterruptedException {
        try {
            return String.valueOf(future.get());
        } catch (ExecutionException e) {     // its causes are a race
            return e.getCause().getClass().getSimpleName();
        } catch (java.util.concurrent.CancellationException e) {
            return e.getClass().getSimpleName();
        }
    }

    private static void row(TopicRows rows, String when, String id, String does, boolean begins,
            GivenUp givenUp) {
        rows.row("cancel.http1." + when + "." + id, "java.net.http, HTTP/1.1: " + does + " before the "
            + when + " has come; is the connection ended?", () -> http1(begins, givenUp))
            .within(WITHIN_MS);
        rows.row("cancel.http2." + when + "." + id, "java.net.http, HTTP/2: " + does + " before the "
            + when + " has come; is the stream reset?", () -> http2(begins, givenUp))
            .within(WITHIN_MS);
    }

    private static String http1(boolean begins, GivenUp givenUp) throws Exception {
        CountDownLatch received = new CountDownLatch(1);
        CompletableFuture<String> end = new CompletableFuture<>();
        try (WirePeer peer = new WirePeer(request -> {
            request.socket.setSoTimeout(ENDED_WITHIN_MS);
            if (begins) {
                request.socket.getOutputStream().write(PART.getBytes("ISO-8859-1"));
            }
            received.countDown();
            try {
                end.complete(request.in.read() < 0 ? "ended" : "used again");
            } catch (java.net.SocketTimeoutException e) {
                end.complete("left open");
            } catch (java.io.IOException e) {
                end.complete("ended");
            }
            return WirePeer.CLOSE;
        })) {
            HttpClient client = new NetUser().builder().build();
            String seen = givenUp.by(client, HttpRequest.newBuilder(peer.url("/x").toURI()), received);
            return seen + "; the connection is " + end.get(WITHIN_MS, TimeUnit.MILLISECONDS);
        }
    }

    private static String http2(boolean begins, GivenUp givenUp) throws Exception {
        NetUser user = new NetUser() {
            @Override
            HttpClient.Builder builder() throws GeneralSecurityException {
                return super.builder().version(HttpClient.Version.HTTP_2);
            }
        };
        byte[] answer = begins ? Frames.join(Frames.head200(), Frames.frame(Frames.DATA, 0,
            Frames.STREAM, Frames.text("part"))) : Frames.frame(Frames.PING, 0, 0, new byte[8]);
        try (FramePeer peer = new FramePeer(FrameRows.NO_SETTINGS, answer, false)) {
            HttpClient client = user.builder().build();
            client.send(HttpRequest.newBuilder(peer.url("/first").toURI()).build(),
                BodyHandlers.discarding());
            CountDownLatch received = new CountDownLatch(1);
            Thread waiting = TlsPeer.daemon("waiting", () -> {
                try {
                    while (peer.requests() == 0) {
                        Thread.sleep(5);
                    }
                    received.countDown();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            });
            waiting.start();
            String seen = givenUp.by(client, HttpRequest.newBuilder(peer.url("/x").toURI()), received);
            return seen + "; the stream is " + reset(peer);
        }
    }

    /** A reset is sent by another thread than that which gives up. */
    private static String reset(FramePeer peer) throws InterruptedException {
        Patience patience = new Patience(RESET_WITHIN_MS);
        while (patience.left()) {
            for (String frame : peer.frames()) {
                if (frame.startsWith("RST_STREAM")) {
                    return frame;
                }
            }
            Thread.sleep(20);
        }
        return "not reset";
    }
}
