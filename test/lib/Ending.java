// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;

/** How did a request end that might never end? */
final class Ending {
    static final String REPLY = "reply";
    static final String NONE = "";
    private static final long LOOK_EVERY_MS = 10;

    private Ending() { }

    /**
     * Waits for at least this long, and for at least as many looks as fit into that: while the
     * whole JVM stands still, it does not look either.
     *
     * @return {@link #REPLY}, the exception it failed with, or {@link #NONE} if it has not ended
     */
    static String of(Future<?> request, long patienceMs) throws InterruptedException {
        Patience patience = new Patience(patienceMs);
        long looks = patienceMs / LOOK_EVERY_MS;
        while (!request.isDone() && (looks > 0 || patience.left())) {
            Thread.sleep(LOOK_EVERY_MS);
            looks--;
        }
        if (!request.isDone()) {
            return NONE;
        }
        try {
            request.get();
            return REPLY;
        } catch (ExecutionException e) {
            return e.getCause().toString();
        }
    }
}
