// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: Apache-2.0
package tls13kit.digest;

import java.util.List;

/** One stack and what its frames tell, found once. Equal stacks of a recording are one object. */
final class CallStack {
    /** Of an event that has none. */
    static final CallStack NONE = new CallStack(List.of());

    /** {@code class.method}, innermost first. */
    final List<String> frames;
    /** Who wanted to wait: the first frame that is not the wait's own code. */
    final String waiter;
    /** The class of that frame. */
    final String waiterClass;
    /** What the last wait in it was summed with. */
    BlockedGroup lastGroup;
    boolean lastIsMonitor;
    /** Index of the frame where the program went into the JDK, 0 without frames. */
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
