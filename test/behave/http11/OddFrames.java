// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

/** Answers in odd frames: types, flags, lengths, streams, orders. */
final class OddFrames extends FrameRows {
    private static final int S = Frames.STREAM;
    private static final int BOTH = Frames.END_HEADERS | Frames.END_STREAM;
    private static final int REFUSED = 7;
    private static final int MAX = Integer.MAX_VALUE;
    private static final byte[] STATUS_200 = Frames.bytes(0x88);
    private static final byte[] HEAD = Frames.head200();
    private static final byte[] DATA = Frames.data("ok");
    private static final byte[] REPLY = Frames.join(HEAD, DATA);

    OddFrames() {
        super("h2-frame");
    }

    @Override
    void table() {
        row("sound", "a sound reply", REPLY);
        windowUpdates();
        resets();
        goAways();
        settings();
        data();
        heads();
        others();
        cuts();
    }

    private static byte[] window(int stream, int increment) {
        return Frames.frame(Frames.WINDOW_UPDATE, 0, stream, Frames.number(increment));
    }

    private void windowUpdates() {
        row("window-stream-0", "a WINDOW_UPDATE of 0 for its stream", window(S, 0),
            REPLY).within(SHORT_MS);
        row("window-connection-0", "a WINDOW_UPDATE of 0 for the connection", window(0, 0), REPLY);
        row("window-stream-overflow", "a WINDOW_UPDATE that overflows its stream", window(S, MAX),
            REPLY).within(SHORT_MS);
        row("window-connection-overflow", "a WINDOW_UPDATE that overflows the connection",
            window(0, MAX), REPLY);
        row("window-stream-0-after-head", "a WINDOW_UPDATE of 0 after the head", HEAD,
            window(S, 0), DATA).within(SHORT_MS);
        row("window-stream-overflow-after-head", "a WINDOW_UPDATE that overflows after the head",
            HEAD, window(S, MAX), DATA).within(SHORT_MS);
        row("window-stream-1", "a WINDOW_UPDATE of 1", window(S, 1), REPLY);
        row("window-idle", "a WINDOW_UPDATE for a stream that does not exist", window(99, 1),
            REPLY);
        row("window-ended", "a WINDOW_UPDATE for a stream that has ended", window(1, 1), REPLY);
        row("window-even", "a WINDOW_UPDATE for stream 2", window(2, 1), REPLY);
        row("window-after", "a WINDOW_UPDATE after the reply", REPLY, window(S, 1));
        row("window-length-3", "a WINDOW_UPDATE of three bytes",
            Frames.frame(Frames.WINDOW_UPDATE, 0, S, new byte[3]), REPLY);
        row("window-length-5", "a WINDOW_UPDATE of five bytes",
            Frames.frame(Frames.WINDOW_UPDATE, 0, S, new byte[5]), REPLY);
        row("POST", "window-stream-0-post", "a WINDOW_UPDATE of 0 for its stream", NO_SETTINGS,
            Frames.join(window(S, 0), REPLY), false).within(SHORT_MS);
    }

    private static byte[] reset(int stream, int code) {
        return Frames.frame(Frames.RST_STREAM, 0, stream, Frames.number(code));
    }

    private void resets() {
        for (int code = 0; code <= Frames.CODES.length; code++) {
            String word = HttpUser.word(Frames.code(code));
            row("rst-" + word, "RST_STREAM, " + Frames.code(code), reset(S, code));
            if (code != REFUSED) {      // whether the head is seen before it is a race
                row("rst-after-head-" + word, "a head, and RST_STREAM, " + Frames.code(code), HEAD,
                    reset(S, code));
            }
            row("POST", "rst-post-" + word, "RST_STREAM, " + Frames.code(code), NO_SETTINGS,
                reset(S, code), false);
        }
        row("rst-after-data", "a head, data, and RST_STREAM", HEAD,
            Frames.frame(Frames.DATA, 0, S, Frames.text("ok")), reset(S, 2));
        row("rst-after-reply", "a reply, and RST_STREAM, NO_ERROR", REPLY, reset(S, 0));
        row("rst-stream-0", "RST_STREAM for stream 0", reset(0, 2), REPLY);
        row("rst-idle", "RST_STREAM for a stream that does not exist", reset(99, 2), REPLY);
        row("rst-ended", "RST_STREAM for a stream that has ended", reset(1, 2), REPLY);
        row("rst-length-3", "RST_STREAM of three bytes",
            Frames.frame(Frames.RST_STREAM, 0, S, new byte[3]), REPLY);
    }

    private static byte[] goAway(int last, int code) {
        return Frames.frame(Frames.GOAWAY, 0, 0,
            Frames.join(Frames.number(last), Frames.number(code)));
    }

    private void goAways() {
        for (int code = 0; code <= Frames.CODES.length; code++) {
            String word = HttpUser.word(Frames.code(code));
            for (String method : new String[] {"GET", "POST"}) {
                row(method, "goaway-below-" + HttpUser.word(method) + "-" + word,
                    "GOAWAY, " + Frames.code(code) + ", that leaves it out", NO_SETTINGS,
                    goAway(1, code), false);
            }
        }
        for (String method : new String[] {"GET", "POST", "PUT"}) {
            String word = HttpUser.word(method);
            row(method, "goaway-includes-" + word, "GOAWAY that includes it, and the reply",
                NO_SETTINGS, Frames.join(goAway(S, 0), REPLY), false);
            row(method, "goaway-max-" + word, "GOAWAY of 2^31-1, and the reply", NO_SETTINGS,
                Frames.join(goAway(MAX, 0), REPLY), false);
            row(method, "goaway-includes-closed-" + word, "GOAWAY that includes it, and the end",
                NO_SETTINGS, goAway(S, 0), true);
        }
        row("goaway-after", "the reply, and GOAWAY", REPLY, goAway(S, 0));
        row("goaway-after-head", "a head, GOAWAY that includes it, and data", HEAD, goAway(S, 0),
            DATA);
        row("goaway-twice", "GOAWAY of 2^31-1, GOAWAY that includes it, and the reply",
            goAway(MAX, 0), goAway(S, 0), REPLY);
        row("goaway-on-stream", "GOAWAY on its stream", Frames.frame(Frames.GOAWAY, 0, S,
            new byte[8]), REPLY);
        row("goaway-length-7", "GOAWAY of seven bytes", Frames.frame(Frames.GOAWAY, 0, 0,
            new byte[7]), REPLY);
        row("goaway-debug", "GOAWAY with a text, and the reply", Frames.frame(Frames.GOAWAY, 0, 0,
            Frames.join(Frames.number(S), Frames.number(0), Frames.text("bye"))), REPLY);
    }

    private void settings() {
        int[][] settings = {{1, 0}, {1, 1}, {1, 65536}, {1, MAX}, {1, -1}, {2, 0}, {2, 1}, {2, 2},
            {3, 0}, {3, 1}, {4, 0}, {4, 65536}, {4, MAX}, {4, -1}, {5, 16383}, {5, 16384},
            {5, 16777215}, {5, 16777216}, {6, 0}, {6, 100}, {6, -1}, {8, 1}, {8, 2}, {9, 1},
            {99, 1}};
        for (int[] setting : settings) {
            String number = setting[1] < 0 ? "2-32-less-1" : String.valueOf(setting[1]);
            row("settings-" + setting[0] + "-" + number, "SETTINGS " + setting[0] + " = " + number
                + ", and the reply", Frames.frame(Frames.SETTINGS, 0, 0,
                Frames.setting(setting[0], setting[1])), REPLY);
        }
        row("settings-length-5", "SETTINGS of five bytes",
            Frames.frame(Frames.SETTINGS, 0, 0, new byte[5]), REPLY);
        row("settings-on-stream", "SETTINGS on its stream",
            Frames.frame(Frames.SETTINGS, 0, S, new byte[0]), REPLY);
        row("settings-ack-payload", "an acknowledgement of SETTINGS with a payload",
            Frames.frame(Frames.SETTINGS, Frames.ACK, 0, Frames.setting(1, 1)), REPLY);
        row("settings-ack-unasked", "one acknowledgement of SETTINGS more",
            Frames.frame(Frames.SETTINGS, Frames.ACK, 0, new byte[0]), REPLY);
        row("settings-100", "100 frames SETTINGS, and the reply",
            Frames.times(100, Frames.frame(Frames.SETTINGS, 0, 0, new byte[0])), REPLY);
    }

    private void data() {
        row("data-padded", "data with padding", HEAD, Frames.frame(Frames.DATA,
            Frames.PADDED | Frames.END_STREAM, S, Frames.bytes(2, 'o', 'k', 0, 0)));
        row("data-only-padding", "data of nothing but padding", HEAD, Frames.frame(Frames.DATA,
            Frames.PADDED, S, Frames.bytes(2, 0, 0)), DATA);
        row("data-pad-too-long", "data with more padding than payload", HEAD, Frames.frame(
            Frames.DATA, Frames.PADDED | Frames.END_STREAM, S, Frames.bytes(9, 'o', 'k')));
        row("data-pad-not-zero", "data with padding that is not zero", HEAD, Frames.frame(
            Frames.DATA, Frames.PADDED | Frames.END_STREAM, S, Frames.bytes(2, 'o', 'k', 1, 1)));
        row("data-padded-empty", "data with the flag of padding, of no byte", HEAD, Frames.frame(
            Frames.DATA, Frames.PADDED, S, new byte[0]), DATA);
        row("data-on-0", "data on stream 0", HEAD, Frames.frame(Frames.DATA, 0, 0,
            Frames.text("ok")), DATA);
        row("data-on-idle", "data on a stream that does not exist", HEAD, Frames.frame(Frames.DATA,
            0, 99, Frames.text("ok")), DATA);
        row("data-on-ended", "data on a stream that has ended", HEAD, Frames.frame(Frames.DATA, 0,
            1, Frames.text("ok")), DATA);
        row("data-on-even", "data on stream 2", HEAD, Frames.frame(Frames.DATA, 0, 2,
            Frames.text("ok")), DATA);
        row("data-first", "data before the head", DATA).within(SHORT_MS);
        row("data-after-end", "data after the end", REPLY, DATA);
        row("data-empty-100", "100 empty frames of data", HEAD, Frames.times(100,
            Frames.frame(Frames.DATA, 0, S, new byte[0])), DATA);
        row("data-16384", "data of 16,384 bytes", HEAD, Frames.data(ReplyRows.times(16_384, "a")));
        row("data-16385", "data of 16,385 bytes", HEAD, Frames.data(ReplyRows.times(16_385, "a")));
        row("data-unknown-flags", "data with all flags but that of padding", HEAD, Frames.frame(
            Frames.DATA, 0xf7, S, Frames.text("ok")));
        row("data-200-kb", "a body of 200 kB", HEAD, Frames.times(20, Frames.frame(Frames.DATA, 0,
            S, new byte[10_000])), DATA);
        row("data-none", "a head and an empty end", HEAD, Frames.data(""));
    }

    private void heads() {
        row("head-only", "a head that ends the stream", Frames.headers(STATUS_200, true));
        row("head-padded", "a head with padding", Frames.frame(Frames.HEADERS,
            BOTH | Frames.PADDED, S, Frames.bytes(2, 0x88, 0, 0)));
        row("head-pad-too-long", "a head with more padding than payload", Frames.frame(
            Frames.HEADERS, BOTH | Frames.PADDED, S, Frames.bytes(9, 0x88)));
        row("head-priority", "a head with a priority", Frames.frame(Frames.HEADERS,
            BOTH | Frames.WITH_PRIORITY, S, Frames.bytes(0, 0, 0, 0, 1, 0x88)));
        row("head-priority-self", "a head that depends on its own stream", Frames.frame(
            Frames.HEADERS, BOTH | Frames.WITH_PRIORITY, S, Frames.bytes(0, 0, 0, S, 1, 0x88)));
        row("head-on-0", "a head on stream 0", Frames.frame(Frames.HEADERS, BOTH, 0, STATUS_200),
            REPLY);
        row("head-on-idle", "a head on a stream that does not exist", Frames.frame(Frames.HEADERS,
            BOTH, 99, STATUS_200), REPLY);
        row("head-on-even", "a head on stream 2", Frames.frame(Frames.HEADERS, BOTH, 2, STATUS_200),
            REPLY);
        row("head-on-ended", "a head on a stream that has ended", Frames.frame(Frames.HEADERS, BOTH,
            1, STATUS_200), REPLY);
        row("head-twice", "two heads", HEAD, REPLY);
        row("head-after-end", "a head after the end", REPLY, HEAD);
        byte[] rest = Frames.frame(Frames.CONTINUATION, Frames.END_HEADERS, S,
            Frames.block("x-a", "b"));
        byte[] begin = Frames.frame(Frames.HEADERS, 0, S, STATUS_200);
        row("continuation", "a head in two frames", begin, rest, DATA);
        row("continuation-empty", "a head in a frame and an empty one", begin, Frames.frame(
            Frames.CONTINUATION, Frames.END_HEADERS, S, new byte[0]), DATA);
        for (int count : new int[] {10, 100, 1000}) {
            row("continuation-empty-" + count, "a head in a frame and " + count + " empty ones",
                begin, Frames.times(count, Frames.frame(Frames.CONTINUATION, 0, S, new byte[0])),
                rest, DATA);
        }
        row("continuation-alone", "CONTINUATION without a head", rest, REPLY);
        row("continuation-after-head", "CONTINUATION after a whole head", HEAD, rest, DATA);
        row("continuation-late", "data before CONTINUATION", begin, DATA, rest);
        row("continuation-other-stream", "CONTINUATION on another stream", begin, Frames.frame(
            Frames.CONTINUATION, Frames.END_HEADERS, 1, new byte[0]), DATA).within(SHORT_MS);
        row("continuation-ping", "PING before CONTINUATION", begin, Frames.frame(Frames.PING, 0, 0,
            new byte[8]), rest, DATA);
        row("continuation-split-field", "a field split between two frames", Frames.frame(
            Frames.HEADERS, 0, S, Frames.bytes(0x88, 0, 3, 'x')), Frames.frame(Frames.CONTINUATION,
            Frames.END_HEADERS, S, Frames.bytes('-', 'a', 1, 'b')), DATA);
    }

    private void others() {
        row("push-promise", "PUSH_PROMISE, which the client has turned off", Frames.frame(
            Frames.PUSH_PROMISE, Frames.END_HEADERS, S, Frames.join(Frames.number(2),
            Frames.block(":method", "GET", ":path", "/p"))), REPLY);
        row("push-promise-odd", "PUSH_PROMISE of stream 5", Frames.frame(Frames.PUSH_PROMISE,
            Frames.END_HEADERS, S, Frames.join(Frames.number(5), STATUS_200)), REPLY);
        row("push-promise-0", "PUSH_PROMISE of stream 0", Frames.frame(Frames.PUSH_PROMISE,
            Frames.END_HEADERS, S, Frames.join(Frames.number(0), STATUS_200)), REPLY);
        row("ping-length-7", "PING of seven bytes", Frames.frame(Frames.PING, 0, 0, new byte[7]),
            REPLY);
        row("ping-on-stream", "PING on its stream", Frames.frame(Frames.PING, 0, S, new byte[8]),
            REPLY);
        row("ping-100", "100 frames PING, and the reply", Frames.times(100,
            Frames.frame(Frames.PING, 0, 0, Frames.text("12345678"))), REPLY);
        row("priority", "PRIORITY, and the reply", Frames.frame(Frames.PRIORITY, 0, S,
            Frames.bytes(0, 0, 0, 1, 1)), REPLY);
        row("priority-length-4", "PRIORITY of four bytes", Frames.frame(Frames.PRIORITY, 0, S,
            new byte[4]), REPLY);
        row("priority-on-0", "PRIORITY on stream 0", Frames.frame(Frames.PRIORITY, 0, 0,
            new byte[5]), REPLY);
        row("priority-self", "PRIORITY that depends on its own stream", Frames.frame(
            Frames.PRIORITY, 0, S, Frames.bytes(0, 0, 0, S, 1)), REPLY);
        for (int type : new int[] {10, 11, 12, 16, 99, 255}) {
            row("type-" + type, "a frame of type " + type + ", and the reply", Frames.frame(type, 0,
                0, Frames.text("hello")), REPLY);
            row("type-" + type + "-on-stream", "a frame of type " + type + " between head and data",
                HEAD, Frames.frame(type, 0xff, S, Frames.text("hello")), DATA);
        }
        row("type-99-in-head", "a frame of type 99 within a head", Frames.frame(Frames.HEADERS, 0,
            S, STATUS_200), Frames.frame(99, 0, 0, new byte[1]), Frames.frame(Frames.CONTINUATION,
            Frames.END_HEADERS, S, new byte[0]), DATA);
        row("too-long", "a frame of type 99 and 16,385 bytes", Frames.frame(99, 0, 0,
            new byte[16_385]), REPLY);
        row("reserved-bit", "a head with the reserved bit of its stream set", Frames.frame(
            Frames.HEADERS, BOTH, S | 1 << 31, STATUS_200));
        row("http-1", "a reply of HTTP/1.1", Frames.text(Redirected.OK));
    }

    private void cuts() {
        cut("cut-at-once", "the end");
        cut("cut-after-head", "a head, and the end", HEAD);
        cut("cut-in-data", "a head, half a frame of data, and the end", HEAD,
            Frames.bytes(0, 0, 2, 0, 1, 0, 0, 0, S, 'o'));
        cut("cut-in-frame-head", "half the head of a frame, and the end", Frames.bytes(0, 0, 1, 1));
        cut("cut-after-data", "data without its end, and the end", HEAD, Frames.frame(Frames.DATA,
            0, S, Frames.text("ok")));
        row("POST", "cut-at-once-post", "the end", NO_SETTINGS, new byte[0], true);
        row("POST", "cut-after-head-post", "a head, and the end", NO_SETTINGS, HEAD, true);
        row("PUT", "cut-at-once-put", "the end", NO_SETTINGS, new byte[0], true);
    }
}
