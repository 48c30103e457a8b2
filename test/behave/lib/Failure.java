// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

import java.util.ArrayList;
import java.util.List;

/** How is an exception written down as what was seen? */
final class Failure {
    private static final int MOST_CAUSES = 6;

    private Failure() { }

    /** What the JDK documents to refuse, such as an argument: without the name of an exception. */
    static String refusal(RuntimeException thrown) {
        return Masked.text("refused: " + thrown.getMessage());
    }

    /** {@code ConnectException: refused <- SocketException: refused}; the classes without package. */
    static String text(Throwable thrown) {
        List<String> parts = new ArrayList<>();
        for (Throwable part = thrown; part != null && parts.size() < MOST_CAUSES;
                part = part.getCause()) {
            parts.add(part.getClass().getSimpleName()
                + (part.getMessage() == null ? "" : ": " + part.getMessage()));
        }
        return Masked.text(String.join(" <- ", parts));
    }
}
