// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.Locale;

/**
 * How many sockets has the peer closed, but not the client? They stay in state CLOSE_WAIT until the
 * client closes them. Read from /proc/net, which only Linux has; elsewhere the count is 0.
 */
final class CloseWait {
    private static final String CLOSE_WAIT = "08";

    private CloseWait() { }

    /** @param port the peer's */
    static long count(int port) throws IOException {
        return count(Paths.get("/proc/net/tcp"), port) + count(Paths.get("/proc/net/tcp6"), port);
    }

    private static long count(Path table, int port) throws IOException {
        String suffix = String.format(Locale.ROOT, ":%04X", port);
        try {
            return Files.readAllLines(table, StandardCharsets.ISO_8859_1).stream()
                // Number, local address, remote address, state.
                .map(line -> line.trim().split("\\s+"))
                .filter(row -> row.length > 3 && row[2].endsWith(suffix)
                    && row[3].equals(CLOSE_WAIT))
                .count();
        } catch (NoSuchFileException e) {
            return 0;
        }
    }
}
