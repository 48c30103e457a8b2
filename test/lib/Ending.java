// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;

/** How has something ended that might not end at all? */
final class Ending {
    static final String REPLY = "reply";
    static final String NONE = "";
    private static final long LOOK_EVERY_MS = 10;

    private Ending() { }

    /**
     * Looks for so long, and as often as fits into that: where the whole JVM stands still for a
     * while, it does not look either.
     *
     * @return {@link #REPLY}, what it failed with, or {@link #NONE} if it is still under way
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
