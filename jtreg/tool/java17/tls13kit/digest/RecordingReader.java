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
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import jdk.jfr.EventType;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import tls13kit.digest.Sources.Source;

/** What does one recording say? Reads it once, event by event. */
final class RecordingReader {
    private static final int COPY_BYTES = 1 << 16;

    private final Chunks chunks;
    private final Map<EventType, EventShape> shapes = new IdentityHashMap<>();
    private final Entry entry;
    private final OpenWaits openWaits;
    private final Batch batch;
    private final Events events;

    private RecordingReader(Path file, Chunks chunks) {
        this.chunks = chunks;
        this.entry = new Entry(file, chunks.startNs(), chunks.endNs());
        this.openWaits = new OpenWaits(entry.threads, entry.busyTime);
        this.batch = new Batch(chunks);
        this.events = new Events(entry, openWaits, batch);
    }

    /**
     * One entry of the document for each recording, and one for all dumps of a JVM; that of a file
     * that cannot be read has an error. With {@code unfinishedToo}, a chunk that was never closed
     * is read up to its last flush.
     */
    static List<Object> digest(List<Path> files, boolean unfinishedToo) {
        Map<Object, List<Source>> byJvm = new LinkedHashMap<>();
        try (Sources sources = new Sources()) {
            for (Path file : files) {
                for (Source source : sources.of(file)) {
                    byJvm.computeIfAbsent(source.jvm(), jvm -> new ArrayList<>()).add(source);
                }
            }
            return byJvm.values().stream()
                    .<Object>map(one -> digestOne(one, unfinishedToo)).toList();
        }
    }

    private static Map<String, Object> digestOne(List<Source> sources, boolean unfinishedToo) {
        Source first = sources.get(0);
        Path file = first.file();
        if (first.error() != null) {
            return unreadable(file, first.error());
        }
        try {
            Map<String, Object> entry = first.dumps() == null
                    ? read(file, first.recording(), unfinishedToo)
                    : Samples.read(sources.stream().map(Source::dumps).toList());
            Set<Object> unread = new LinkedHashSet<>((List<?>) entry.get("unread"));
            sources.forEach(source -> unread.addAll(source.unread()));
            entry.put("unread", List.copyOf(unread));
            return entry;
        } catch (IOException e) {
            return unreadable(file, oneLine(e.getMessage()));
        } catch (RuntimeException | InternalError e) {
            // On damaged bytes the JDK's parser may throw anything.
            return unreadable(file, damaged(e));
        } catch (OutOfMemoryError e) {
            // What was read of this file is garbage by now, so the others can still be read.
            return unreadable(file, tooLarge());
        }
    }

    static String damaged(Throwable failure) {
        return "is damaged: " + oneLine(failure.getMessage() == null
                ? failure.getClass().getSimpleName() : failure.getMessage());
    }

    static String tooLarge() {
        return "is damaged, or does not fit into the heap of "
                + (Runtime.getRuntime().maxMemory() >> 20) + " MiB";
    }

    /** The recording is where the file is, or, if that is packed, elsewhere. */
    private static Map<String, Object> read(Path file, Path recording, boolean unfinishedToo)
            throws IOException {
        Chunks chunks = Chunks.check(recording, unfinishedToo);
        RecordingReader reader = new RecordingReader(file, chunks);
        if (chunks.unfinishedAt() < 0) {
            return reader.read(recording);
        }
        Path closed = Files.createTempFile("closed-", ".jfr");
        try {
            close(recording, chunks, closed);
            return reader.read(closed);
        } finally {
            Files.delete(closed);
        }
    }

    private static Map<String, Object> unreadable(Path file, String error) {
        return Json.object("file", file.toString(), "error", error);
    }

    /** Copies what was flushed, and marks it as closed: the JDK's reader accepts nothing else. */
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

    private Map<String, Object> read(Path file) throws IOException {
        try (RecordingFile recording = new RecordingFile(file)) {
            Settings settings = new Settings(recording.readEventTypes());
            while (recording.hasMoreEvents()) {
                accept(recording.readEvent(), settings);
            }
            batch.finish();
            entry.busyTime.setPeriodMs(settings.samplePeriodMs());
            entry.jvm.setVersion(openWaits.version());
            entry.setGaps(chunks.gapNs(), chunks.gaps());
            return entry.toJson("recording", chunks.unfinishedAt() < 0, settings.toJson(),
                    events.groups(),
                    openWaits.toJson(entry.endNs, entry.lastSeenNs, entry.timeline));
        }
    }

    private void accept(RecordedEvent event, Settings settings) {
        EventShape shape = shapes.computeIfAbsent(event.getEventType(), EventShape::of);
        long endNs = Times.ns(event.getEndTime());
        Threads.Known thread = entry.threads.of(event.getThread());
        if (thread.id() != Wait.NOBODY) {
            entry.lastSeenNs.raise(
                    thread.id(), shape.use() == EventShape.Use.CPU_LOAD ? 0 : endNs);
        }
        batch.reached(endNs);
        switch (shape.use()) {
            case JVM -> entry.jvm.accept(event);
            case SETTING -> settings.accept(event);
            case DUMP -> openWaits.accept(endNs, event.getString("result"));
            case ACTIVITY -> events.accept(event, shape, endNs, thread);
            case CPU_LOAD, NONE -> { }
        }
    }

    static String oneLine(String text) {
        return text == null ? "cannot be read" : text.strip().replaceAll("\\s*[\\r\\n]+\\s*", " ");
    }
}
