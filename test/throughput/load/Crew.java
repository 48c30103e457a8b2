// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

import java.util.Map;

/** Who does the work of a sample? */
interface Crew {
    /** Begins to work, if it works on until the sample ends. */
    void start();

    /**
     * Works for some time.
     *
     * @throws VoidSample where part of it broke meanwhile
     */
    void work(long ms) throws InterruptedException, VoidSample;

    /**
     * Ends what is under way and begins nothing else.
     *
     * @throws VoidSample where part of it broke, or does not end
     */
    void pause() throws InterruptedException, VoidSample;

    /** Works after a pause, and pauses again. */
    void workAndPause(long ms) throws InterruptedException, VoidSample;

    /** From now on what ends counts. */
    void openWindow();

    /** Ends the window; work may go on, but nothing counts any more. */
    void shutWindow();

    /** What came of each group's requests, once the window is shut. */
    Map<LoadGroup, Tally> tallies();
}
