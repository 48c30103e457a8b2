// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: Apache-2.0
package tls13kit.digest;

import java.util.List;

/** One stack, and what its frames imply, found once. Equal stacks of a recording are one object. */
final class CallStack {
    /** The stack of an event that has none. */
    static final CallStack NONE = new CallStack(List.of());

    /** {@code class.method}, innermost first. */
    final List<String> frames;
    /** The frame that wanted to wait: the first that is not code of the wait itself. */
    final String waiter;
    /** The class of that frame. */
    final String waiterClass;
    /** The group to which the last wait in this stack was added. */
    BlockedGroup lastGroup;
    boolean lastIsMonitor;
    /** Index of the frame where the program entered the JDK; 0 without frames. */
    final int entryIndex;

    CallStack(List<String> frames) {
        this.frames = frames;
        this.waiter = Frames.waiter(frames);
        this.waiterClass = Frames.classOf(waiter);
        this.entryIndex = Frames.entryIndex(frames);
    }

    String entry() {
        return frames.isEmpty() ? Frames.UNKNOWN : frames.get(entryIndex);
    }
}
