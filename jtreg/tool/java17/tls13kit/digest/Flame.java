// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: Apache-2.0
package tls13kit.digest;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Sampled stacks as one tree from the outermost frame, as a flame graph draws it. */
final class Flame {
    /** A frame with fewer samples than a two-hundredth of all is too narrow to be seen. */
    private static final int LEAST_PART = 200;

    private final Map<String, Flame> callees = new TreeMap<>();
    private long samples;

    void add(CallStack stack, long count) {
        Flame at = this;
        at.samples += count;
        for (int i = stack.frames.size() - 1; i >= 0; i--) {
            at = at.callees.computeIfAbsent(stack.frames.get(i), frame -> new Flame());
            at.samples += count;
        }
    }

    /** Each frame before those that it called; {@code left_samples} is where it begins. */
    List<Object> toJson() {
        List<Object> frames = new ArrayList<>();
        addTo(frames, 0, 0, samples);
        return frames;
    }

    private void addTo(List<Object> frames, int depth, long left, long all) {
        long at = left;
        for (Map.Entry<String, Flame> one : callees.entrySet()) {
            Flame callee = one.getValue();
            if (callee.samples * LEAST_PART >= all) {
                frames.add(Json.object("frame", one.getKey(), "depth", depth,
                        "left_samples", at, "samples", callee.samples));
                callee.addTo(frames, depth + 1, at, all);
            }
            at += callee.samples;
        }
    }
}
