// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

import java.io.IOException;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;

/** Where does the outcome go? To standard output and the exit status; the kit has a file too. */
final class OutcomeFile {
    OutcomeFile(Path directory, String test, String bug, Case which) { }

    // The exit code that git bisect run expects: 125 if nothing can be said. Not under jtreg.
    void tellShell(Outcome outcome) {
        if (System.getProperty("test.src") == null) {
            System.exit(outcome == Outcome.REPRODUCED ? 1
                : outcome == Outcome.NOT_REPRODUCED ? 0 : 125);
        }
    }

    void forget() throws IOException { }

    void write(Findings findings) throws IOException { }

    void writeHalted(Findings findings) throws IOException { }

    // Without files, a control must fail by itself.
    boolean readBySubject() {
        return false;
    }

    List<String> controlsThatFail(Outcome subject) throws IOException {
        return Collections.emptyList();
    }
}
