// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

import java.util.ArrayList;
import java.util.List;

/** What does a field block of HPACK say (RFC 7541)? Enough of it for what a client sends. */
final class Hpack {
    private static final String[] STATIC_NAMES = (":authority :method :method :path :path :scheme"
        + " :scheme :status :status :status :status :status :status :status accept-charset"
        + " accept-encoding accept-language accept-ranges accept access-control-allow-origin age"
        + " allow authorization cache-control content-disposition content-encoding content-language"
        + " content-length content-location content-range content-type cookie date etag expect"
        + " expires from host if-match if-modified-since if-none-match if-range"
        + " if-unmodified-since last-modified link location max-forwards proxy-authenticate"
        + " proxy-authorization range referer refresh retry-after server set-cookie"
        + " strict-transport-security transfer-encoding user-agent vary via www-authenticate")
        .split(" ");
    private static final String[] STATIC_CONTENTS = {"", "GET", "POST", "/", "/index.html", "http",
        "https", "200", "204", "206", "304", "400", "404", "500", "", "gzip, deflate"};

    /** The printable characters by the lengths of their codes, which are canonical (appendix B). */
    private static final String[] BY_BITS = {"", "", "", "", "", "012aceiost",
        " %-./3456789=A_bdfghlmnpru", ":BCDEFGHIJKLMNOPQRSTUVWYjkqvwxyz", "&*,;XZ", "", "!\"()?",
        "'+|", "#>", "\0$@[]~", "^}", "<`{"};

    private final byte[] block;
    private final List<String[]> dynamic = new ArrayList<>();
    private int position;

    Hpack(byte[] block) {
        this.block = block;
    }

    /** The fields in their order, each with the way in which it is written. */
    List<String> fields() {
        List<String> fields = new ArrayList<>();
        while (position < block.length) {
            int first = block[position] & 0xff;
            if (first >= 0x80) {
                String[] field = entry(integer(7));
                fields.add(field[0] + ": " + field[1] + " (indexed)");
            } else if (first >= 0x40) {
                String[] field = literal(6);
                dynamic.add(0, field);
                fields.add(field[0] + ": " + field[1] + " (to be indexed)");
            } else if (first >= 0x20) {
                fields.add("table size " + integer(5));
            } else {
                String[] field = literal(4);
                fields.add(field[0] + ": " + field[1] + (first >= 0x10 ? " (never indexed)" : ""));
            }
        }
        return fields;
    }

    private String[] literal(int prefixBits) {
        int index = integer(prefixBits);
        return new String[] {index == 0 ? string() : entry(index)[0], string()};
    }

    private String[] entry(int index) {
        if (index <= STATIC_NAMES.length) {
            return new String[] {STATIC_NAMES[index - 1],
                index <= STATIC_CONTENTS.length ? STATIC_CONTENTS[index - 1] : ""};
        }
        int place = index - STATIC_NAMES.length - 1;
        return place < dynamic.size() ? dynamic.get(place)
            : new String[] {"index " + index, "of an earlier block"};
    }

    private int integer(int prefixBits) {
        int most = (1 << prefixBits) - 1;
        int number = block[position++] & most;
        if (number < most) {
            return number;
        }
        int shift = 0;
        int next;
        do {
            next = block[position++] & 0xff;
            number += (next & 0x7f) << shift;
            shift += 7;
        } while (next >= 0x80);
        return number;
    }

    private String string() {
        boolean isHuffman = block[position] < 0;
        int length = integer(7);
        StringBuilder text = new StringBuilder();
        if (isHuffman) {
            huffman(length, text);
        } else {
            for (int i = 0; i < length; i++) {
                text.append((char) (block[position + i] & 0xff));
            }
        }
        position += length;
        return text.toString();
    }

    private void huffman(int length, StringBuilder text) {
        int code = 0;
        int bits = 0;
        int firstCode = 0;
        for (int bit = position * 8; bit < (position + length) * 8; bit++) {
            code = code << 1 | block[bit / 8] >> 7 - bit % 8 & 1;
            bits++;
            firstCode <<= 1;
            String symbols = bits < BY_BITS.length ? BY_BITS[bits] : "";
            if (code - firstCode < symbols.length()) {
                text.append(symbols.charAt(code - firstCode));
                code = 0;
                bits = 0;
                firstCode = 0;
            } else {
                firstCode += symbols.length();
            }
        }
    }
}
