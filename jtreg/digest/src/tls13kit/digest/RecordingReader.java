// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: Apache-2.0
package tls13kit.digest;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;

/** What does one recording say? Reads it once, event by event. */
final class RecordingReader {
    private static final double NS_PER_MS = 1e6;

    private final Set<Long> threads = new HashSet<>();
    private final Events events = new Events();
    private final JvmIdentity jvm = new JvmIdentity();

    private RecordingReader() {}

    /** The recording's entry in the document; a file that cannot be read has an error instead. */
    static Map<String, Object> digest(Path file) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("file", file.toString());
        try {
            new RecordingReader().read(file, Chunks.check(file), json);
            json.put("error", null);
        } catch (IOException e) {
            json.put("error", oneLine(e.getMessage()));
        } catch (RuntimeException | InternalError e) {
            // The JDK's parser throws whatever its tables run into when the bytes are damaged.
            json.put("error", "is damaged: " + oneLine(e.toString()));
        } catch (OutOfMemoryError e) {
            // What was read of this file is garbage by now, so the others can still be read.
            json.put("error", "holds more waits than fit into the heap of "
                    + (Runtime.getRuntime().maxMemory() >> 20) + " MiB");
        }
        return json;
    }

    private void read(Path file, Chunks chunks, Map<String, Object> json) throws IOException {
        try (RecordingFile recording = new RecordingFile(file)) {
            while (recording.hasMoreEvents()) {
                RecordedEvent event = recording.readEvent();
                if (event.getThread() != null) {
                    threads.add(event.getThread().getId());
                }
                jvm.accept(event);
                events.accept(event);
            }
        }
        new HolderFinder(events.waits(), events.activities()).explainAll();
        List<Object> blocked = new ArrayList<>();
        events.groups().stream()
                .sorted(Comparator.comparingLong(BlockedGroup::totalNs).reversed())
                .forEach(group -> blocked.add(group.toJson()));
        json.put("pid", jvm.pid());
        json.put("jvm", jvm.toJson());
        json.put("start_epoch_ms", chunks.startNs() / 1_000_000);
        json.put("duration_ms", (chunks.endNs() - chunks.startNs()) / NS_PER_MS);
        json.put("threads", threads.size());
        json.put("blocked", blocked);
    }

    private static String oneLine(String text) {
        return text == null ? "cannot be read" : text.strip().replaceAll("\\s*[\\r\\n]+\\s*", " ");
    }
}
