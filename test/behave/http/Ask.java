// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

import java.net.URL;
import java.util.ArrayList;
import java.util.List;

/** One request as an application makes it, for any {@link HttpUser}. */
final class Ask {
    /** How the body is handed over. */
    enum BodyKind { FIXED, STREAMED, CHUNKED }

    final URL url;
    final List<String[]> fields = new ArrayList<>();
    String method = "GET";
    String body;
    BodyKind kind = BodyKind.FIXED;
    boolean follow;
    boolean expectContinue;

    private Ask(URL url) {
        this.url = url;
    }

    static Ask get(URL url) {
        return new Ask(url);
    }

    static Ask post(URL url) {
        return new Ask(url).method("POST").body("hello");
    }

    /** With a body if the method is one that carries it. */
    static Ask any(String method, URL url) {
        Ask ask = new Ask(url).method(method);
        return "POST".equals(method) || "PUT".equals(method) ? ask.body("hello") : ask;
    }

    Ask method(String name) {
        method = name;
        return this;
    }

    Ask body(String text) {
        body = text;
        return this;
    }

    Ask kind(BodyKind chosen) {
        kind = chosen;
        return this;
    }

    Ask field(String name, String content) {
        fields.add(new String[] {name, content});
        return this;
    }

    Ask following() {
        follow = true;
        return this;
    }

    Ask expectingContinue() {
        expectContinue = true;
        return this;
    }
}
