// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

import java.util.Map;

/** What makes the requests of a sample? */
interface Crew {
    /** Starts a crew that works until the sample ends; does nothing for others. */
    void start();

    /**
     * Works for {@code ms}.
     *
     * @throws VoidSample if part of the crew broke meanwhile
     */
    void work(long ms) throws InterruptedException, VoidSample;

    /**
     * Lets requests under way end, and begins no others.
     *
     * @throws VoidSample if part of the crew broke, or a request does not end
     */
    void pause() throws InterruptedException, VoidSample;

    /** Works for {@code ms} after a pause, then pauses again. */
    void workAndPause(long ms) throws InterruptedException, VoidSample;

    /** Opens the window: from now on, requests that end count. */
    void openWindow();

    /** Ends the window; work may go on, but nothing counts any more. */
    void shutWindow();

    /** How many requests of measured groups have counted so far. */
    long requests();

    /** The results of each group's requests, once the window is shut. */
    Map<LoadGroup, Tally> tallies();
}
