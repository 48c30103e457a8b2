// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: Apache-2.0

package tls13kit.conformance;

import de.rub.nds.modifiablevariable.util.Modifiable;
import de.rub.nds.tlsattacker.core.config.Config;
import de.rub.nds.tlsattacker.core.protocol.message.ApplicationMessage;
import de.rub.nds.tlsattacker.core.record.Record;

/** Unusual records, for either side: some that RFC 8446, section 5, forbids, and one it allows. */
final class OddRecords {
    private static final int MOST_CIPHERTEXT_BYTES = 16_384 + 256;
    /** What TLS_AES_128_GCM_SHA256 adds to the data: the content type and the tag. */
    private static final int ADDED_BYTES = 1 + 16;

    private OddRecords() { }

    static Record ofUnknownType() {
        Record record = new Record();
        record.setContentType(Modifiable.explicit((byte) 99));
        return record;
    }

    /** Data whose record, if it is a single one, is a byte larger than allowed. */
    static ApplicationMessage tooLong() {
        ApplicationMessage data = new ApplicationMessage();
        data.setDataConfig(new byte[MOST_CIPHERTEXT_BYTES + 1 - ADDED_BYTES]);
        return data;
    }

    static Record tooLarge(Config config) {
        config.setDefaultMaxRecordData(2 * MOST_CIPHERTEXT_BYTES);
        Record record = new Record();
        record.setMaxRecordLengthConfig(2 * MOST_CIPHERTEXT_BYTES);
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
