// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

import java.io.IOException;
import java.nio.file.Path;

/** Where does the outcome go? To standard output and the exit status; the kit has a file too. */
final class OutcomeFile {
    OutcomeFile(Path directory, String test, String bug, Case which) { }

    void forget() throws IOException { }

    void write(Findings findings) throws IOException { }
}
