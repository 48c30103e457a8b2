// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

import java.net.Authenticator;
import java.net.PasswordAuthentication;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/** How are challenges answered, if the application has a user's name and password? */
final class Challenges implements Topic {
    private static final String REALM = "realm=\"r\"";
    private static final String DIGEST = "Digest realm=\"r\", nonce=\"n\"";
    private static final String[][] CHALLENGES = {
        {"basic", "Basic realm=\"r\""}, {"basic-small", "basic realm=\"r\""},
        {"basic-token", "Basic realm=r"}, {"basic-no-realm", "Basic"},
        {"basic-empty-realm", "Basic realm=\"\""},
        {"basic-utf-8", "Basic realm=\"r\", charset=\"UTF-8\""},
        {"basic-charset-odd", "Basic realm=\"r\", charset=\"no-such\""},
        {"basic-high-byte", "Basic realm=\"\u00e4\""}, {"basic-quote", "Basic realm=\"a\\\"b\""},
        {"basic-cut", "Basic realm=\"r"}, {"basic-twice", "Basic realm=\"r\", Basic realm=\"s\""},
        {"empty", ""}, {"comma", ","}, {"unknown", "Other realm=\"r\""}, {"bearer", "Bearer"},
        {"bearer-basic", "Bearer realm=\"r\", Basic realm=\"r\""},
        {"bearer-then-basic", "Bearer realm=\"r\"\r\nWWW-Authenticate: Basic realm=\"r\""},
        {"basic-then-digest", "Basic realm=\"r\"\r\nWWW-Authenticate: " + DIGEST},
        {"digest-then-basic", DIGEST + "\r\nWWW-Authenticate: Basic realm=\"r\""},
        {"digest", DIGEST}, {"digest-qop", DIGEST + ", qop=\"auth\""},
        {"digest-qop-int", DIGEST + ", qop=\"auth-int\""},
        {"digest-qop-list", DIGEST + ", qop=\"auth,auth-int\""},
        {"digest-md5", DIGEST + ", algorithm=MD5"},
        {"digest-sess", DIGEST + ", algorithm=MD5-sess"},
        {"digest-sha", DIGEST + ", algorithm=SHA"},
        {"digest-sha-256", DIGEST + ", algorithm=SHA-256"},
        {"digest-sha-512-256", DIGEST + ", algorithm=SHA-512-256"},
        {"digest-sha-256-qop", DIGEST + ", algorithm=SHA-256, qop=\"auth\""},
        {"digest-opaque", DIGEST + ", opaque=\"o\""}, {"digest-stale", DIGEST + ", stale=true"},
        {"digest-domain", DIGEST + ", domain=\"/\""},
        {"digest-userhash", DIGEST + ", userhash=true"},
        {"digest-no-nonce", "Digest " + REALM}, {"digest-empty", "Digest"},
        {"ntlm", "NTLM"}, {"negotiate", "Negotiate"},
    };

    private static final String OTHER = "WWW-Authenticate: Digest realm=\"r\", nonce=\"m\", qop=\"auth\"";
    /** What a server says later of a nonce that it has taken. */
    private static final String[][] RENEWALS = {
        {"stale", "401 No\r\n" + OTHER + ", stale=true"},
        {"stale-capitals", "401 No\r\n" + OTHER + ", stale=TRUE"},
        {"stale-quoted", "401 No\r\n" + OTHER + ", stale=\"true\""},
        {"not-stale", "401 No\r\n" + OTHER + ", stale=false"}, {"other-nonce", "401 No\r\n" + OTHER},
        {"next-nonce", "200 OK\r\nAuthentication-Info: nextnonce=\"m\""},
        {"basic", "401 No\r\nWWW-Authenticate: Basic realm=\"r\""},
    };

    /** The rows run one by one. */
    private static final AtomicInteger ASKED = new AtomicInteger();

    private final HttpUser user;

    /** @param user who asks {@link #password} */
    Challenges(HttpUser user) {
        this.user = user;
    }

    /** Knows user u, password p, and counts how often it is asked. */
    static Authenticator password() {
        return new Authenticator() {
            @Override
            protected PasswordAuthentication getPasswordAuthentication() {
                ASKED.incrementAndGet();
                return new PasswordAuthentication("u", "p".toCharArray());
            }
        };
    }

    @Override
    public String name() {
        return "challenge";
    }

    @Override
    public boolean isAlone() {
        return true;
    }

    @Override
    public void declare(TopicRows rows) {
        for (String[] challenge : CHALLENGES) {
            rows.row("challenge." + user.name() + "." + challenge[0], user + ": a 401 with '"
                + challenge[1].replace("\r\n", " | ") + "', then 200",
                () -> answered("GET", challenge[1], 1));
        }
        // java.net.http knows no Digest.
        for (String[] renewal : user.name().equals("url") ? RENEWALS : new String[0][]) {
            rows.row("challenge." + user.name() + ".digest-renewed-" + renewal[0], user + ": a nonce was"
                + " taken, and the next request is answered by '" + renewal[1].replace("\r\n", " | ")
                + "'", () -> renewed(renewal[1]));
        }
        rows.row("challenge." + user.name() + ".digest-counted", user + ": three requests with the"
            + " same nonce; how does it count them?", this::counted);
        for (String[] challenge : new String[][] {CHALLENGES[0], CHALLENGES[20]}) {
            for (String path : new String[] {"/a/next", "/b"}) {
                rows.row("challenge." + user.name() + "." + challenge[0] + "-then"
                    + path.replace('/', '-'), user + ": '" + challenge[1] + "' was answered for"
                    + " /a/first; what comes with the first request for " + path + "?",
                    () -> again(challenge[1], path));
            }
        }
        for (String method : new String[] {"GET", "POST"}) {
            for (String[] challenge : new String[][] {CHALLENGES[0], CHALLENGES[20]}) {
                rows.row("challenge." + user.name() + "." + HttpUser.word(method) + "-refused-"
                    + challenge[0], user + ": " + method + ", and each request is answered by 401, "
                    + challenge[1], () -> answered(method, challenge[1], 99));
            }
        }
    }

    /** What is said of the count in each request that has an answer to the challenge. */
    private String counted() throws Exception {
        String challenge = "HTTP/1.1 401 No\r\nWWW-Authenticate: " + DIGEST
            + ", qop=\"auth\"\r\nContent-Length: 0\r\n\r\n";
        try (WirePeer peer = new WirePeer(
                request -> request.ordinal > 1 ? Redirected.OK : challenge)) {
            Authenticator.setDefault(password());
            StringBuilder counts = new StringBuilder("counts");
            try {
                for (int i = 0; i < 3; i++) {
                    user.see(Ask.get(peer.url("/x")));
                }
            } finally {
                Authenticator.setDefault(null);
            }
            for (WireRequest request : peer.requests()) {
                String field = String.valueOf(request.field("Authorization"));
                counts.append(field.contains("nc=")
                    ? " " + field.replaceAll(".*nc=([0-9a-f]+).*", "$1") : " none");
            }
            return counts.toString();
        }
    }

    /** Which nonces does it answer, and what does the application see? */
    private String renewed(String answer) throws Exception {
        String challenge = "HTTP/1.1 401 No\r\nWWW-Authenticate: " + DIGEST
            + ", qop=\"auth\"\r\nContent-Length: 0\r\n\r\n";
        try (WirePeer peer = new WirePeer(request -> request.ordinal == 1 ? challenge
                : request.ordinal == 3 ? "HTTP/1.1 " + answer + "\r\nContent-Length: 0\r\n\r\n"
                : Redirected.OK)) {
            StringBuilder seen = new StringBuilder();
            ASKED.set(0);
            Authenticator.setDefault(password());
            try {
                for (int i = 0; i < 3; i++) {
                    seen.append(user.see(Ask.get(peer.url("/x")))).append("; ");
                }
            } finally {
                Authenticator.setDefault(null);
            }
            seen.append("the user is asked ").append(ASKED.get()).append(" times; nonces");
            for (WireRequest request : peer.requests()) {
                String field = request.field("Authorization");
                seen.append(field.contains("nonce=") ? " " + field.replaceAll(
                    ".*\\bnonce=\"(.)\".*", "$1") + field.replaceAll(".*nc=0*(\\d+).*", "$1")
                    : field.isEmpty() ? " none" : " basic");
            }
            return seen.toString();
        }
    }

    /** Each request without an answer to the challenge is challenged. */
    private String again(String challenge, String path) throws Exception {
        try (WirePeer peer = new WirePeer(request -> request.field("Authorization").isEmpty()
                ? "HTTP/1.1 401 No\r\nWWW-Authenticate: " + challenge
                    + "\r\nContent-Length: 0\r\n\r\n" : Redirected.OK)) {
            Authenticator.setDefault(password());
            try {
                user.see(Ask.get(peer.url("/a/first")));
                int count = peer.requests().size();
                String seen = user.see(Ask.get(peer.url(path)));
                String field = peer.requests().get(count).field("Authorization");
                return count + " requests, then " + seen + " after "
                    + (peer.requests().size() - count) + "; the first of them with "
                    + (field.isEmpty() ? "none" : field.replaceAll(" .*", ""));
            } finally {
                Authenticator.setDefault(null);
            }
        }
    }

    private String answered(String method, String challenge, int times) throws Exception {
        try (WirePeer peer = new WirePeer(request -> request.ordinal > times ? Redirected.OK
                : "HTTP/1.1 401 No\r\nWWW-Authenticate: " + challenge
                    + "\r\nContent-Length: 0\r\n\r\n")) {
            String seen;
            Authenticator.setDefault(password());
            try {
                seen = user.see(Ask.any(method, peer.url("/x")));
            } finally {
                Authenticator.setDefault(null);
            }
            List<WireRequest> requests = peer.requests();
            return seen + "; requests " + requests.size() + ", the last with "
                + requests.get(requests.size() - 1).field("Authorization")
                    .replaceAll("cnonce=\"[^\"]*\"", "cnonce=ANY")
                    .replaceAll("response=\"[^\"]*\"", "response=ANY")
                    .replaceAll("username=\"[0-9a-f]{32,}\"", "username=HASH");
        }
    }
}
