// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

import java.net.Authenticator;
import java.net.HttpURLConnection;
import java.net.InetSocketAddress;
import java.net.PasswordAuthentication;
import java.net.Proxy;
import java.util.ArrayList;
import java.util.List;

/** What is an Authenticator told of the challenge, and which of two is asked? */
final class AuthenticatorsAsked implements Topic {
    private static final String[] SCHEMES = {"Basic", "Digest"};

    /** A client whose default, or own, Authenticator is this. */
    interface Asking {
        HttpUser by(Authenticator authenticator, Proxy proxy);
    }

    private final String client;
    private final Asking asking;

    AuthenticatorsAsked(String client, Asking asking) {
        this.client = client;
        this.asking = asking;
    }

    /** Writes down what it is told, and has a user of this name. */
    private static final class Noting extends Authenticator {
        private final List<String> asked = new ArrayList<>();
        private final String user;

        Noting(String user) {
            this.user = user;
        }

        @Override
        protected synchronized PasswordAuthentication getPasswordAuthentication() {
            asked.add(getRequestorType() + " " + getRequestingHost() + ":"
                + (getRequestingPort() > 0 ? "PORT" : getRequestingPort()) + " "
                + getRequestingProtocol() + " " + getRequestingScheme() + " '"
                + getRequestingPrompt() + "' " + getRequestingURL().getPath());
            return user == null ? null : new PasswordAuthentication(user, "p".toCharArray());
        }
    }

    @Override
    public String name() {
        return "asked";
    }

    @Override
    public boolean isAlone() {
        return true;
    }

    @Override
    public void declare(TopicRows rows) {
        for (String scheme : SCHEMES) {
            for (boolean isProxy : new boolean[] {false, true}) {
                rows.row("asked." + client + "." + HttpUser.word(scheme) + (isProxy ? "-proxy"
                    : "-server"), client + ": what is an Authenticator told, if a " + (isProxy
                    ? "proxy" : "server") + " asks by " + scheme + "?", () -> told(scheme, isProxy));
            }
        }
        rows.row("asked." + client + ".nobody", client + ": an Authenticator knows no user",
            () -> seen(new Noting(null), "Basic", false));
        if (client.equals("url")) {
            for (String each : new String[] {"own", "default", "both"}) {
                rows.row("asked.url." + each, "HttpURLConnection: which Authenticator is asked, if "
                    + each + " is set: a connection's own, the default, both?", () -> chosen(each));
            }
        }
    }

    private String told(String scheme, boolean isProxy) throws Exception {
        return seen(new Noting("u"), scheme, isProxy);
    }

    private String seen(Noting authenticator, String scheme, boolean isProxy) throws Exception {
        try (WirePeer peer = challenging(scheme, isProxy)) {
            Proxy proxy = isProxy ? new Proxy(Proxy.Type.HTTP,
                new InetSocketAddress(TlsPeer.loopback(), peer.port())) : Proxy.NO_PROXY;
            HttpUser user = asking.by(authenticator, proxy);
            try {
                return user.see(Ask.get(isProxy ? new java.net.URL("http://a.example/x")
                    : peer.url("/x"))) + "; " + authenticator.asked;
            } finally {
                Authenticator.setDefault(null);
            }
        }
    }

    private static WirePeer challenging(String scheme, boolean isProxy) throws Exception {
        String field = isProxy ? "Proxy-Authorization" : "Authorization";
        String challenge = "HTTP/1.1 " + (isProxy ? "407 No\r\nProxy" : "401 No\r\nWWW")
            + "-Authenticate: " + scheme + " realm=\"the realm\""
            + (scheme.equals("Digest") ? ", nonce=\"n\"" : "") + "\r\nContent-Length: 0\r\n\r\n";
        return new WirePeer(
            request -> request.field(field).isEmpty() ? challenge : Redirected.OK);
    }

    private static String chosen(String set) throws Exception {
        Noting own = new Noting("own");
        Noting ofJvm = new Noting("default");
        try (WirePeer peer = challenging("Basic", false)) {
            HttpURLConnection connection =
                (HttpURLConnection) peer.url("/x").openConnection(Proxy.NO_PROXY);
            if (!set.equals("default")) {
                try {
                    HttpURLConnection.class.getMethod("setAuthenticator", Authenticator.class)
                        .invoke(connection, own);
                } catch (NoSuchMethodException e) {
                    throw new Absent("HttpURLConnection.setAuthenticator");
                }
            }
            if (!set.equals("own")) {
                Authenticator.setDefault(ofJvm);
            }
            try {
                return connection.getResponseCode() + "; asked: own " + own.asked.size()
                    + ", default " + ofJvm.asked.size();
            } finally {
                Authenticator.setDefault(null);
            }
        }
    }
}
