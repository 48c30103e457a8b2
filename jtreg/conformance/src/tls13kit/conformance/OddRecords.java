// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: Apache-2.0

package tls13kit.conformance;

import de.rub.nds.modifiablevariable.util.Modifiable;
import de.rub.nds.tlsattacker.core.record.Record;

/** Records as RFC 8446, section 5, forbids them to either side, or allows them. */
final class OddRecords {
    private static final int MOST_CIPHERTEXT_BYTES = 16_384 + 256;
    private static final int HEAD_BYTES = 5;

    private OddRecords() { }

    static Record ofUnknownType() {
        Record record = new Record();
        record.setContentType(Modifiable.explicit((byte) 99));
        return record;
    }

    static Record tooLarge() {
        int length = MOST_CIPHERTEXT_BYTES + 1;
        byte[] bytes = new byte[HEAD_BYTES + length];
        byte[] head = {23, 3, 3, (byte) (length >> 8), (byte) length};
        System.arraycopy(head, 0, bytes, 0, HEAD_BYTES);
        Record record = new Record();
        record.setCompleteRecordBytes(Modifiable.explicit(bytes));
        return record;
    }

    static Record withWrongMac() {
        Record record = new Record();
        record.setProtocolMessageBytes(Modifiable.xor(new byte[] {1}, 5));
        return record;
    }

    static Record ofVersion(int major, int minor) {
        Record record = new Record();
        record.setProtocolVersion(Modifiable.explicit(new byte[] {(byte) major, (byte) minor}));
        return record;
    }
}
