// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: Apache-2.0

package tls13kit.conformance;

import java.io.ByteArrayOutputStream;

/** The bytes received so far. Not thread-safe: only the executor's thread reads. */
final class Heard {
    private static final int HEAD = 5;
    private static final byte ALERT = 21;

    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

    byte[] add(byte[] came) {
        bytes.write(came, 0, came.length);
        return came;
    }

    /**
     * The description of a plaintext alert, or -1. TLS-Attacker, once it has keys, does not take
     * such an alert for a message, but the other side may send it before it has any (RFC 8446,
     * section 5.1).
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
