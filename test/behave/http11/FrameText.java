// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/** A frame of HTTP/2 in words. */
final class FrameText {
    private static final int SETTING_BYTES = 6;

    private FrameText() { }

    static String of(int type, int flags, int stream, byte[] payload) {
        String name = type < Frames.TYPES.length ? Frames.TYPES[type] : "type " + type;
        ByteBuffer content = ByteBuffer.wrap(payload);
        switch (type) {
            case Frames.RST_STREAM:
                return name + "(" + stream + ", " + Frames.code(content.getInt()) + ")";
            case Frames.GOAWAY:
                return name + "(" + content.getInt() + ", " + Frames.code(content.getInt()) + ")";
            case Frames.WINDOW_UPDATE:
                return name + "(" + stream + ", " + content.getInt() + ")";
            case Frames.SETTINGS:
                return name + settings(content);
            default:
                return name + "(" + stream + ", flags " + flags + ")";
        }
    }

    private static List<String> settings(ByteBuffer content) {
        List<String> settings = new ArrayList<>();
        while (content.remaining() >= SETTING_BYTES) {
            settings.add(content.getShort() + "=" + content.getInt());
        }
        return settings;
    }
}
