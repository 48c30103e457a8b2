// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: Apache-2.0

package tls13kit.conformance;

import de.rub.nds.modifiablevariable.util.Modifiable;
import de.rub.nds.tlsattacker.core.config.Config;
import de.rub.nds.tlsattacker.core.constants.ProtocolMessageType;
import de.rub.nds.tlsattacker.core.protocol.ProtocolMessage;
import de.rub.nds.tlsattacker.core.protocol.message.ApplicationMessage;
import de.rub.nds.tlsattacker.core.record.Record;
import de.rub.nds.tlsattacker.core.record.RecordCryptoComputations;
import java.util.List;

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

    /**
     * Begins a flight with a record whose encrypted content is only this: the content, its type,
     * zeros (RFC 8446, section 5.2).
     */
    static void with(List<ProtocolMessage> flight, List<Record> records, byte... plaintext) {
        ApplicationMessage filler = new ApplicationMessage();
        filler.setDataConfig(new byte[1]);
        flight.add(0, filler);
        Record record = new Record();
        record.setMaxRecordLengthConfig(1);     // for the filler alone
        record.setComputations(new RecordCryptoComputations());
        record.getComputations().setPlainRecordBytes(Modifiable.explicit(plaintext));
        records.add(record);
    }

    /** A Finished message that is not encrypted. */
    static Record plaintextFinished() {
        byte[] message = new byte[4 + 32];
        message[0] = 20;        // its type
        message[3] = 32;        // its length
        Record record = new Record();
        record.setContentType(Modifiable.explicit(ProtocolMessageType.HANDSHAKE.getValue()));
        record.setLength(Modifiable.explicit(message.length));
        record.setProtocolMessageBytes(Modifiable.explicit(message));
        return record;
    }

    /** Early data under a key that nobody has. */
    static ApplicationMessage tooEarly() {
        ApplicationMessage data = new ApplicationMessage();
        data.setDataConfig(new byte[50]);
        return data;
    }
}
