// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

import java.io.IOException;
import java.io.InputStream;

/** Where does a request's head end? */
final class RequestHead {
    private static final String END = "\r\n\r\n";

    private RequestHead() {
    }

    /**
     * Reads a head byte by byte, so that nothing after it is consumed.
     *
     * @return its text with the empty line, or null if the client has ended the connection
     */
    static String read(InputStream in) throws IOException {
        StringBuilder head = new StringBuilder();
        while (head.indexOf(END, head.length() - END.length()) < 0) {
            int next = in.read();
            if (next < 0) {
                if (head.length() > 0) {
                    throw new IOException("request ended in its head: " + head);
                }
                return null;
            }
            head.append((char) next);
        }
        return head.toString();
    }
}
