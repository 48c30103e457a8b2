// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

/** What goes along when a redirect is followed: method, fields, body; by status and target. */
final class Redirects implements Topic {
    private static final int[] STATUSES = {301, 302, 303, 307, 308};
    private static final int[] ODD_STATUSES = {300, 304, 305, 306, 309, 399};
    private static final String[] METHODS = {"GET", "HEAD", "POST", "PUT", "DELETE"};
    private static final String[][] TARGETS = {
        {"same", "/b"},
        {"same-absolute", "http://SAME/b"},
        {"other-port", "http://PORT/b"},
        {"other-host", "http://HOST/b"},
    };

    private final HttpUser user;
    private TopicRows rows;

    Redirects(HttpUser user) {
        this.user = user;
    }

    @Override
    public String name() {
        return "redirect";
    }

    @Override
    public void declare(TopicRows declared) {
        rows = declared;
        for (String[] target : TARGETS) {
            for (String method : METHODS) {
                for (int status : STATUSES) {
                    row(status, method, target);
                }
            }
        }
        for (int status : ODD_STATUSES) {
            row(status, "GET", TARGETS[0]);
            row(status, "POST", TARGETS[0]);
        }
        for (Ask.BodyKind kind : new Ask.BodyKind[] {Ask.BodyKind.STREAMED,
            Ask.BodyKind.CHUNKED}) {
            for (int status : STATUSES) {
                rows.row(id(status, "post-" + HttpUser.word(kind.name()), "same"),
                    user + ": a POST, its body " + kind.name().toLowerCase() + ", is redirected by "
                    + status + " to the same server", () -> followed(status, "POST", kind, "/b"));
            }
        }
    }

    private void row(int status, String method, String[] target) {
        rows.row(id(status, HttpUser.word(method), target[0]), user + ": " + method
            + " with fields of its own is redirected by " + status + " to " + target[0],
            () -> followed(status, method, Ask.BodyKind.FIXED, target[1]));
    }

    private String id(int status, String method, String target) {
        return "redirect." + user.name() + "." + status + "." + method + "." + target;
    }

    private String followed(int status, String method, Ask.BodyKind kind, String location)
            throws Exception {
        try (Redirected servers = new Redirected(Redirected.to(status, location))) {
            return servers.follow(user, Ask.any(method, servers.url()).kind(kind).following()
                .field("Authorization", "Bearer mine").field("Cookie", "a=mine")
                .field("Referer", "http://mine.example/").field("X-Mine", "mine")
                .field("Content-Type", "text/mine").field("User-Agent", "mine")
                .field("Accept", "text/mine").field("Proxy-Authorization", "Basic mine"));
        }
    }
}
