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
 * Which frames does a recorded stack have? Memory grows with the number of places in the code,
 * not with the number of events.
 */
final class Stacks {
    /** The reader has one object for each stack and chunk; beyond this number all are forgotten. */
    private static final int MAX_KNOWN = 1 << 14;

    private final Map<RecordedStackTrace, CallStack> known = new IdentityHashMap<>();
    private final Map<List<String>, CallStack> unique = new HashMap<>();

    CallStack of(RecordedStackTrace trace) {
        if (trace == null) {
            return CallStack.NONE;
        }
        CallStack stack = known.get(trace);
        if (stack == null) {
            if (known.size() >= MAX_KNOWN) {
                known.clear();
            }
            stack = unique.computeIfAbsent(read(trace), CallStack::new);
            known.put(trace, stack);
        }
        return stack;
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
