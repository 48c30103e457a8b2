// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;

/** The reply to a GET: a small JSON object, as in Dropwizard's example. */
public final class Saying {
    private static final int BYTES_BESIDE_CONTENT = "{\"id\":1,\"content\":\"\"}".length();

    @JsonProperty
    public final long id = 1;
    @JsonProperty
    public final String content;

    private Saying(String content) {
        this.content = content;
    }

    /** One of {@code bytes} bytes of JSON, or the shortest possible if that is longer. */
    static Saying of(int bytes) {
        return new Saying(new String(new char[Math.max(0, bytes - BYTES_BESIDE_CONTENT)])
            .replace('\0', 'x'));
    }

    /** Writes field by field, without inspecting the class. */
    void write(JsonGenerator json) throws IOException {
        json.writeStartObject();
        json.writeNumberField("id", id);
        json.writeStringField("content", content);
        json.writeEndObject();
    }
}
