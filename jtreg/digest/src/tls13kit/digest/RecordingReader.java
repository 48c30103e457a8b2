// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: Apache-2.0
package tls13kit.digest;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import jdk.jfr.EventType;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;

/** What does one recording say? Reads it once, event by event. */
final class RecordingReader {
    private static final int COPY_BYTES = 1 << 16;

    private final Chunks chunks;
    private final Map<EventType, EventShape> shapes = new IdentityHashMap<>();
    private final Threads threads = new Threads();
    private final LongMap lastSeenNs = new LongMap();
    private final JvmIdentity jvm = new JvmIdentity();
    private final OpenWaits openWaits = new OpenWaits(threads);
    private final SlowIo slow = new SlowIo();
    private final BlockedTimeline timeline;
    private final Batch batch;
    private final Events events;

    private RecordingReader(Chunks chunks) {
        this.chunks = chunks;
        this.timeline = new BlockedTimeline(chunks.startNs(), chunks.endNs());
        this.batch = new Batch(chunks);
        this.events = new Events(threads, openWaits, batch, timeline, slow);
    }

    /**
     * The recording's entry in the document; a file that cannot be read has an error instead.
     * {@code unfinishedToo}: a chunk that was never closed is read up to its last flush.
     */
    static Map<String, Object> digest(Path file, boolean unfinishedToo) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("file", file.toString());
        try {
            Chunks chunks = Chunks.check(file, unfinishedToo);
            if (chunks.unfinishedAt() < 0) {
                new RecordingReader(chunks).read(file, json);
            } else {
                Path closed = Files.createTempFile("closed-", ".jfr");
                try {
                    close(file, chunks, closed);
                    new RecordingReader(chunks).read(closed, json);
                } finally {
                    Files.delete(closed);
                }
            }
            json.put("error", null);
            return json;
        } catch (IOException e) {
            return unreadable(file, oneLine(e.getMessage()));
        } catch (RuntimeException | InternalError e) {
            // The JDK's parser throws whatever its tables run into when the bytes are damaged.
            return unreadable(file, "is damaged: " + oneLine(e.toString()));
        } catch (OutOfMemoryError e) {
            // What was read of this file is garbage by now, so the others can still be read.
            return unreadable(file, "is damaged, or does not fit into the heap of "
                    + (Runtime.getRuntime().maxMemory() >> 20) + " MiB");
        }
    }

    private static Map<String, Object> unreadable(Path file, String error) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("file", file.toString());
        json.put("error", error);
        return json;
    }

    /** Copies what was flushed, as if the JVM had closed it: the reader takes nothing else. */
    private static void close(Path file, Chunks chunks, Path closed) throws IOException {
        try (InputStream in = Files.newInputStream(file);
                OutputStream out = Files.newOutputStream(closed)) {
            long left = chunks.readableBytes();
            while (left > 0) {
                byte[] bytes = in.readNBytes((int) Math.min(left, COPY_BYTES));
                if (bytes.length == 0) {
                    throw new IOException("became shorter while it was read");
                }
                out.write(bytes);
                left -= bytes.length;
            }
        }
        try (RandomAccessFile head = new RandomAccessFile(closed.toFile(), "rw")) {
            head.seek(chunks.unfinishedAt() + Chunks.STATE_OFFSET);
            head.write(0);
        }
    }

    private void read(Path file, Map<String, Object> json) throws IOException {
        try (RecordingFile recording = new RecordingFile(file)) {
            Settings settings = new Settings(recording.readEventTypes());
            while (recording.hasMoreEvents()) {
                accept(recording.readEvent(), settings);
            }
            batch.finish();
            write(json, settings);
        }
    }

    private void accept(RecordedEvent event, Settings settings) {
        EventShape shape = shapes.computeIfAbsent(event.getEventType(), EventShape::of);
        long endNs = Times.ns(event.getEndTime());
        Threads.Known thread = threads.of(event.getThread());
        if (thread.id() != Wait.NOBODY) {
            lastSeenNs.raise(thread.id(), endNs);
        }
        batch.reached(endNs);
        switch (shape.use()) {
            case JVM -> jvm.accept(event);
            case SETTING -> settings.accept(event);
            case DUMP -> openWaits.accept(endNs, event.getString("result"));
            case ACTIVITY -> events.accept(event, shape, endNs, thread);
            case NONE -> { }
        }
    }

    private void write(Map<String, Object> json, Settings settings) {
        long durationNs = chunks.endNs() - chunks.startNs();
        double threadTimeNs = (double) durationNs * lastSeenNs.size();
        List<Object> blocked = new ArrayList<>();
        events.groups().stream()
                .sorted(Comparator.comparingLong(BlockedGroup::totalNs).reversed())
                .forEach(group -> blocked.add(group.toJson(threadTimeNs)));
        List<Object> open = openWaits.toJson(chunks.endNs(), lastSeenNs, timeline);
        json.put("pid", jvm.pid());
        json.put("jvm", jvm.toJson());
        json.put("start_epoch_ms", chunks.startNs() / 1_000_000);
        json.put("duration_ms", durationNs / Times.NS_PER_MS);
        json.put("finished", chunks.unfinishedAt() < 0);
        json.put("threads", lastSeenNs.size());
        json.put("virtual_threads", threads.virtualToJson());
        json.put("settings", settings.toJson());
        json.put("blocked", blocked);
        json.put("timeline", timeline.toJson());
        json.put("open_waits", open);
        json.put("slow", slow.toJson());
    }

    private static String oneLine(String text) {
        return text == null ? "cannot be read" : text.strip().replaceAll("\\s*[\\r\\n]+\\s*", " ");
    }
}
