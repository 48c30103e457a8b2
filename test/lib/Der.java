// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

import java.io.ByteArrayOutputStream;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;

/**
 * How is a certificate or a key store written that no tool would write? DER by hand (ITU-T X.690):
 * each method gives a whole element, so that any of them can be left out, doubled or wrong.
 */
final class Der {
    static final int BOOLEAN = 0x01;
    static final int INTEGER = 0x02;
    static final int BIT_STRING = 0x03;
    static final int OCTET_STRING = 0x04;
    static final int NULL = 0x05;
    static final int OID = 0x06;
    static final int ENUMERATED = 0x0a;
    static final int UTF8 = 0x0c;
    static final int PRINTABLE = 0x13;
    static final int TELETEX = 0x14;
    static final int IA5 = 0x16;
    static final int UTC_TIME = 0x17;
    static final int GENERALIZED_TIME = 0x18;
    static final int BMP = 0x1e;
    static final int SEQUENCE = 0x30;
    static final int SET = 0x31;

    /** The first tag of a context, primitive and constructed. */
    static final int CONTEXT = 0x80;
    static final int EXPLICIT = 0xa0;

    private static final int LONG_FORM = 0x80;
    private static final int LAST_YEAR_OF_UTC_TIME = 2049;      // RFC 5280, section 4.1.2.5

    private Der() { }

    /** An element with that tag, around those parts. */
    static byte[] element(int tag, byte[]... parts) {
        byte[] content = join(parts);
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.write(tag);
        if (content.length >= LONG_FORM) {
            byte[] length = BigInteger.valueOf(content.length).toByteArray();
            int from = length[0] == 0 ? 1 : 0;
            out.write(LONG_FORM | length.length - from);
            out.write(length, from, length.length - from);
        } else {
            out.write(content.length);
        }
        out.write(content, 0, content.length);
        return out.toByteArray();
    }

    static byte[] sequence(byte[]... parts) {
        return element(SEQUENCE, parts);
    }

    static byte[] set(byte[]... parts) {
        return element(SET, parts);
    }

    static byte[] integer(long number) {
        return integer(BigInteger.valueOf(number));
    }

    static byte[] integer(BigInteger number) {
        return element(INTEGER, number.toByteArray());
    }

    static byte[] octets(byte[]... parts) {
        return element(OCTET_STRING, parts);
    }

    /** A bit string of whole bytes. */
    static byte[] bits(byte[] bytes) {
        return element(BIT_STRING, new byte[1], bytes);
    }

    static byte[] yes() {
        return element(BOOLEAN, new byte[] {(byte) 0xff});
    }

    static byte[] nothing() {
        return element(NULL);
    }

    static byte[] text(int tag, String text) {
        return element(tag, text.getBytes(tag == BMP ? StandardCharsets.UTF_16BE
            : tag == UTF8 ? StandardCharsets.UTF_8 : StandardCharsets.ISO_8859_1));
    }

    /** @param dotted such as {@code 2.5.4.3} */
    static byte[] oid(String dotted) {
        String[] arcs = dotted.split("[.]");
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.write(Integer.parseInt(arcs[0]) * 40 + Integer.parseInt(arcs[1]));
        for (int i = 2; i < arcs.length; i++) {
            long arc = Long.parseLong(arcs[i]);
            int groups = Math.max(1, (64 - Long.numberOfLeadingZeros(arc) + 6) / 7);
            for (int shift = 7 * (groups - 1); shift >= 0; shift -= 7) {
                out.write((int) (arc >> shift & 0x7f) | (shift > 0 ? 0x80 : 0));
            }
        }
        return element(OID, out.toByteArray());
    }

    /** A time as RFC 5280 wants it: UTCTime to the end of 2049, GeneralizedTime after it. */
    static byte[] time(long epochSeconds) {
        OffsetDateTime time = Instant.ofEpochSecond(epochSeconds).atOffset(ZoneOffset.UTC);
        return time(time.getYear() <= LAST_YEAR_OF_UTC_TIME ? UTC_TIME : GENERALIZED_TIME, time);
    }

    static byte[] generalizedTime(long epochSeconds) {
        return time(GENERALIZED_TIME, Instant.ofEpochSecond(epochSeconds).atOffset(ZoneOffset.UTC));
    }

    private static byte[] time(int tag, OffsetDateTime time) {
        String year = tag == UTC_TIME ? "yy" : "yyyy";
        return text(tag, time.format(DateTimeFormatter.ofPattern(year + "MMddHHmmss'Z'")));
    }

    static byte[] join(byte[]... parts) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            out.write(part, 0, part.length);
        }
        return out.toByteArray();
    }
}
