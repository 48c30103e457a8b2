// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: Apache-2.0
package tls13kit.digest;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import jdk.jfr.consumer.RecordedFrame;
import jdk.jfr.consumer.RecordedMethod;
import jdk.jfr.consumer.RecordedStackTrace;

/**
 * Which frames does a recorded stack have? Equal stacks are one list, so that memory grows with
 * the number of places in the code, not with the number of events.
 */
final class Stacks {
    /** The reader hands out one object a stack and chunk; past this many they are forgotten. */
    private static final int MAX_KNOWN = 1 << 14;

    private final Map<RecordedStackTrace, List<String>> known = new IdentityHashMap<>();
    private final Map<List<String>, List<String>> unique = new HashMap<>();

    /** Frames as {@code class.method}, innermost first; empty without a stack. */
    List<String> of(RecordedStackTrace trace) {
        if (trace == null) {
            return List.of();
        }
        List<String> frames = known.get(trace);
        if (frames == null) {
            if (known.size() >= MAX_KNOWN) {
                known.clear();
            }
            List<String> read = read(trace);
            frames = unique.computeIfAbsent(read, same -> same);
            known.put(trace, frames);
        }
        return frames;
    }

    private static List<String> read(RecordedStackTrace trace) {
        List<String> frames = new ArrayList<>(trace.getFrames().size());
        for (RecordedFrame frame : trace.getFrames()) {
            RecordedMethod method = frame.getMethod();
            if (frame.isJavaFrame() && method != null && method.getType() != null) {
                frames.add((method.getType().getName() + "." + method.getName()).intern());
            }
        }
        return List.copyOf(frames);
    }
}
