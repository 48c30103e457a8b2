// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

import java.io.IOException;
import java.util.function.Consumer;

/** One thread of load: one request after another, until the sample ends. */
final class Worker implements Runnable {
    // A request to a peer that is gone fails at once: without a pause, the loop would burn CPU.
    private static final long AFTER_FAILURE_MS = 100;
    private static final long IDLE = Long.MIN_VALUE;

    final Tally tally = new Tally();
    private final LoadClient client;
    private final LoadGroup group;
    private final Pace pace;
    private final Gate gate;
    private final Consumer<Throwable> broken;
    private volatile long underWaySinceNanos = IDLE;

    /**
     * @param gate passed before each request
     * @param broken receives what ended the thread, if that is more than a failed request
     */
    Worker(LoadClient client, LoadGroup group, Pace pace, Gate gate, Consumer<Throwable> broken) {
        this.client = client;
        this.group = group;
        this.pace = pace;
        this.gate = gate;
        this.broken = broken;
    }

    /** How long the request under way has taken so far, in ns; 0 if there is none. */
    long ageNanos() {
        long since = underWaySinceNanos;
        return since == IDLE ? 0 : System.nanoTime() - since;
    }

    @Override
    public void run() {
        try {
            while (true) {
                gate.pass();
                long intended = pace.awaitNext();
                underWaySinceNanos = intended;
                exchange(intended);
                underWaySinceNanos = IDLE;
            }
        } catch (Throwable e) {
            broken.accept(e);
            gate.leave();
        }
    }

    private void exchange(long intended) throws InterruptedException {
        try {
            long bytes = client.exchange(group.target);
            if (bytes != group.replyBytes) {
                throw new WrongLengthException(
                    "the body had " + bytes + " bytes, not " + group.replyBytes);
            }
            tally.completed(System.nanoTime() - intended, bytes);
        } catch (IOException e) {
            tally.failed(e);
            Thread.sleep(AFTER_FAILURE_MS);
        }
    }

    private static final class WrongLengthException extends IOException {
        private static final long serialVersionUID = 1;

        WrongLengthException(String message) {
            super(message);
        }
    }
}
