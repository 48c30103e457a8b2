// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: Apache-2.0

package tls13kit.conformance;

import java.io.ByteArrayOutputStream;

/** What came, byte by byte. Not thread-safe: the executor's thread reads. */
final class Heard {
    private static final int HEAD = 5;
    private static final byte ALERT = 21;

    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

    byte[] add(byte[] came) {
        bytes.write(came, 0, came.length);
        return came;
    }

    /**
     * The description of an alert in plaintext, or -1: to TLS-Attacker, which has keys, one is no
     * message that the other side sent before it had any (RFC 8446, section 5.1).
     */
    int plainAlert() {
        byte[] all = bytes.toByteArray();
        for (int at = 0; at + HEAD <= all.length;) {
            int length = (all[at + 3] & 0xff) << 8 | all[at + 4] & 0xff;
            if (all[at] == ALERT && length == 2 && at + HEAD + 2 <= all.length) {
                return all[at + HEAD + 1];
            }
            at += HEAD + length;
        }
        return -1;
    }
}
