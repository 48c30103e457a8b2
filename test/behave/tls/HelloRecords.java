// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;

/** What does a server make of records that are split, empty, too long, of odd types, or no TLS? */
public final class HelloRecords implements Topic {
    @Override
    public String name() {
        return "record";
    }

    @Override
    public void declare(TopicRows rows) {
        Map<String, byte[][]> inputs = new LinkedHashMap<>();
        splits(inputs);
        others(inputs);
        messages(inputs);
        texts(inputs);
        inputs.forEach((id, flights) -> {
            String does = id.replace('-', ' ').replaceFirst("^[0-9]+[.]", "");
            rows.row("record.socket." + id, "a server's socket is sent: " + does,
                () -> HelloAnswer.ofSocket(flights));
            rows.row("record.engine." + id, "a server's engine is sent: " + does,
                () -> HelloAnswer.ofEngine(flights));
        });
    }

    private static byte[] hello() {
        return HelloDraft.tls13().bytes();
    }

    private static byte[] record(int type, int... body) {
        byte[] bytes = new byte[body.length];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = (byte) body[i];
        }
        return HelloDraft.record(type, 0x0303, bytes);
    }

    private static byte[] handshake(byte[] body) {
        return HelloDraft.record(TlsRecord.HANDSHAKE, 0x0301, body);
    }

    /** The hello in records of that many bytes. */
    private static byte[] split(int bytes) {
        byte[] message = HelloDraft.tls13().message();
        byte[] all = new byte[0];
        for (int from = 0; from < message.length; from += bytes) {
            all = Der.join(all, handshake(
                Arrays.copyOfRange(message, from, Math.min(message.length, from + bytes))));
        }
        return all;
    }

    private static void splits(Map<String, byte[][]> inputs) {
        byte[] message = HelloDraft.tls13().message();
        inputs.put("whole-hello", new byte[][] {hello()});
        inputs.put("whole-hello-12", new byte[][] {HelloDraft.tls12().bytes()});
        for (int bytes : new int[] {1, 3, 4, 5, 100}) {
            inputs.put("records-of-" + bytes + "-bytes", new byte[][] {split(bytes)});
        }
        byte[][] single = new byte[hello().length][];
        for (int i = 0; i < single.length; i++) {
            single[i] = new byte[] {hello()[i]};
        }
        inputs.put("segments-of-1-byte", single);
        inputs.put("empty-record-first", new byte[][] {record(22), hello()});
        inputs.put("empty-record-between", new byte[][] {
            handshake(Arrays.copyOf(message, 50)), record(22),
            handshake(Arrays.copyOfRange(message, 50, message.length))});
        inputs.put("20-empty-records", new byte[][] {many(record(22), 20), hello()});
        inputs.put("empty-data-first", new byte[][] {record(23), hello()});
        inputs.put("two-hellos-in-a-record",
            new byte[][] {handshake(Der.join(message, message))});
        inputs.put("two-hellos", new byte[][] {hello(), hello()});
        inputs.put("two-hellos-12", new byte[][] {HelloDraft.tls12().bytes(), HelloDraft.tls12().bytes()});
        inputs.put("hello-and-byte", new byte[][] {handshake(Der.join(message, new byte[1]))});
        inputs.put("hello-after-warning", new byte[][] {record(21, 1, 90), hello()});
        inputs.put("nothing", new byte[0][]);
        for (int bytes : new int[] {1, 4, 5, 6, 60}) {
            inputs.put("end-after-" + bytes, new byte[][] {Arrays.copyOf(hello(), bytes)});
        }
        for (int length : new int[] {16_384, 16_385, 16_640, 16_641, 16_709, 18_432, 18_433, 32_767, 65_535}) {
            byte[] body = new byte[length];
            Arrays.fill(body, (byte) 1);
            body[1] = 0;
            body[2] = (byte) 0x7f;
            inputs.put("handshake-record-of-" + length, new byte[][] {handshake(body)});
            inputs.put("data-record-of-" + length, new byte[][] {
                HelloDraft.record(TlsRecord.APPLICATION_DATA, 0x0303, body)});
        }
    }

    private static byte[] many(byte[] bytes, int count) {
        byte[] all = new byte[0];
        for (int i = 0; i < count; i++) {
            all = Der.join(all, bytes);
        }
        return all;
    }

    private static void others(Map<String, byte[][]> inputs) {
        inputs.put("change-cipher-spec-first", new byte[][] {record(20, 1), hello()});
        inputs.put("change-cipher-spec-after", new byte[][] {hello(), record(20, 1)});
        inputs.put("change-cipher-spec-twice", new byte[][] {hello(), record(20, 1), record(20, 1)});
        inputs.put("change-cipher-spec-40", new byte[][] {hello(), many(record(20, 1), 40)});
        inputs.put("change-cipher-spec-2", new byte[][] {hello(), record(20, 2)});
        inputs.put("change-cipher-spec-empty", new byte[][] {hello(), record(20)});
        inputs.put("change-cipher-spec-long", new byte[][] {hello(), record(20, 1, 1)});
        inputs.put("change-cipher-spec-in-12", new byte[][] {HelloDraft.tls12().bytes(), record(20, 1)});
        inputs.put("change-cipher-spec-within", new byte[][] {
            Arrays.copyOf(split(100), 105), record(20, 1)});
        for (int code : new int[] {0, 10, 40, 41, 90, 100, 112, 255}) {
            inputs.put("warning-" + WireText.alert(code).replace(' ', '-'), new byte[][] {record(21, 1, code)});
            inputs.put("hello-and-warning-" + WireText.alert(code).replace(' ', '-'),
                new byte[][] {hello(), record(21, 1, code)});
            inputs.put("fatal-" + WireText.alert(code).replace(' ', '-'), new byte[][] {record(21, 2, code)});
        }
        inputs.put("alert-level-3", new byte[][] {record(21, 3, 40)});
        inputs.put("alert-of-1-byte", new byte[][] {record(21, 2)});
        inputs.put("alert-empty", new byte[][] {record(21)});
        inputs.put("alert-of-4-bytes", new byte[][] {record(21, 1, 90, 1, 90), hello()});
        inputs.put("data-first", new byte[][] {record(23, 65, 66, 67)});
        inputs.put("hello-and-data", new byte[][] {hello(), record(23, 65, 66, 67)});
        inputs.put("hello-12-and-data", new byte[][] {HelloDraft.tls12().bytes(), record(23, 65, 66, 67)});
        inputs.put("hello-and-plain-finished", new byte[][] {hello(),
            handshake(HelloDraft.message(20, new byte[32]))});
        for (int type : new int[] {0, 19, 24, 25, 128, 255}) {
            inputs.put("type-" + type, new byte[][] {record(type, 1, 2, 3)});
            inputs.put("hello-and-type-" + type, new byte[][] {hello(), record(type, 1, 2, 3)});
        }
    }

    private static void messages(Map<String, byte[][]> inputs) {
        for (int type : new int[] {0, 2, 3, 4, 5, 8, 11, 12, 13, 14, 15, 16, 20, 21, 22, 24, 67, 99, 254}) {
            inputs.put("message-" + type, new byte[][] {handshake(HelloDraft.message(type, new byte[40]))});
            inputs.put("hello-12-and-message-" + type, new byte[][] {HelloDraft.tls12().bytes(),
                handshake(HelloDraft.message(type, new byte[40]))});
        }
        inputs.put("message-empty", new byte[][] {handshake(HelloDraft.message(1, new byte[0]))});
        for (int bytes : new int[] {1, 2, 34, 35, 38, 41}) {
            byte[] body = Arrays.copyOfRange(HelloDraft.tls13().message(), 4, 4 + bytes);
            inputs.put("hello-of-" + bytes + "-bytes", new byte[][] {handshake(HelloDraft.message(1, body))});
        }
        for (int length : new int[] {0x4000, 0x8000, 0x8001, 0x10000, 0xffffff}) {
            inputs.put("message-that-claims-" + length, new byte[][] {handshake(Der.join(
                new byte[] {1}, RawHello.number(3, length), new byte[100]))});
        }
    }

    private static void texts(Map<String, byte[][]> inputs) {
        String[][] texts = {{"http-get", "GET / HTTP/1.1\r\nHost: a\r\n\r\n"},
            {"http-connect", "CONNECT a:443 HTTP/1.1\r\n\r\n"}, {"h2-preface", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"},
            {"proxy-protocol", "PROXY TCP4 192.0.2.1 192.0.2.2 1 2\r\n"}, {"ssh", "SSH-2.0-a\r\n"},
            {"smtp", "EHLO a\r\n"}, {"line-ends", "\r\n\r\n\r\n\r\n"}};
        for (String[] text : texts) {
            inputs.put(text[0], new byte[][] {text[1].getBytes(StandardCharsets.US_ASCII)});
        }
        for (String version : new String[] {"0002", "0300", "0301", "0303", "0304"}) {
            // Suites 2f and c02f, no session id, a challenge of 16 bytes (RFC 5246, appendix E.2).
            byte[] body = HelloDraft.hex("01" + version + "000600000010" + "00002f00c02f"
                + "07070707070707070707070707070707");
            inputs.put("ssl2-hello-" + version, new byte[][] {
                Der.join(RawHello.number(2, 0x8000 | body.length), body)});
        }
        inputs.put("zeros", new byte[][] {new byte[100]});
        inputs.put("ones", new byte[][] {HelloDraft.filled(100, -1)});
    }
}
