// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/** Which rows are there? For each peer, a covering array: every two values that fit share a row. */
final class Rows {
    private static final String TLS13 = "TLSv1.3";
    private static final String TLS12 = "TLSv1.2";

    /** Protocol and suite are one parameter, as most of their pairs do not fit. */
    private static final String CIPHER = "cipher";

    private static final List<String> FEATURES_OF_HTTP =
        Arrays.asList("full", "resumed", "client-cert", "hrr");

    private static final List<String> PEERS_WITHOUT_GROUPS =
        Arrays.asList(PeerStack.JSSE, PeerStack.CONSCRYPT, PeerStack.BORINGSSL);

    private static final List<String> PEERS = Arrays.asList(PeerStack.JSSE, PeerStack.CONSCRYPT,
        PeerStack.BORINGSSL, ProgramStack.OPENSSL);

    /**
     * The groups that OpenSSL can be given; other peers use their own choice. No finite-field
     * groups: before 26, one handshake in 256 fails (JDK-8328046).
     */
    private static final List<String> GROUPS_OF_OPENSSL = Arrays.asList(Row.ANY, "x25519",
        "secp256r1", "secp384r1", "secp521r1", "x448", "X25519MLKEM768");

    /** Groups of which a client makes a share only when a HelloRetryRequest asks for it. */
    private static final List<String> GROUPS_ASKED_FOR = Arrays.asList("secp384r1", "secp521r1");

    private static final List<String> GROUPS_OF_TLS12 =
        Arrays.asList("x25519", "secp256r1", "secp384r1", "secp521r1");

    /** BoringSSL, on which Conscrypt is built, chooses the suite of TLS 1.3 by itself. */
    private static final String TLS13_BY_PEER = TLS13 + " " + Row.ANY;

    /** For a peer that cannot be given a protocol and suite. */
    private static final String BY_DEFAULT = Row.ANY + " " + Row.ANY;

    /** What it lacks or has no Java name for; its engines close both directions at once. */
    private static final Pattern NOT_IN_BORINGSSL = Pattern.compile(
        "TLSv1(\\.1)? .*|TLSv1.3 TLS.*|.*(_DHE_|_ECDH_|3DES|CBC_SHA384).*"
        + "|rsapss|ed25519|keyupdate|close-server|hrr");

    /** OpenSSL as Debian builds it; its programs close both directions at once, too. */
    private static final Pattern NOT_IN_OPENSSL =
        Pattern.compile("TLSv1(\\.1)? .*|.*(_ECDH_|3DES).*|close-server");

    private static final Pattern NOT_IN_GNUTLS =
        Pattern.compile("TLSv1(\\.1)? .*|TLSv1.3 any|.*(_ECDH_|3DES|_DHE_).*"
        + "|resumed|keyupdate|close-server|hrr");

    /** A body of many records; takes two seconds of CPU time in cold JVMs, so few rows have it. */
    private static final String LARGE = "1048576";

    private static final Pattern OF_LARGE = Pattern.compile(
        "full|TLSv1.3 any|TLSv1.2 TLS_ECDHE_RSA_WITH_AES_(128_GCM_SHA256|256_CBC_SHA384)");

    /** It can be given only a key, and reports neither suite nor session. */
    private static final Pattern NOT_IN_WIREMOCK =
        Pattern.compile("resumed|client-cert|sni|alpn|keyupdate|close-.*|hrr");

    /** Netty has its own list of suites for the JDK's TLS. */
    private static final Pattern NOT_IN_NETTY =
        Pattern.compile("TLSv1(\\.1)? .*|.*(CHACHA20|_DHE_|_ECDH_|3DES|CBC).*");

    private static final Pattern OF_CERTIFICATE =
        Pattern.compile("refuse-certificate|refuse-client-.*");

    private static final String NOT_FOR_THAT = "Extended key usage does not permit";
    private static final String REVOKED = "(?i)has been revoked";

    private static final Map<String, Pattern> LACKING = new LinkedHashMap<>();

    static {
        LACKING.put(PeerStack.JSSE, Pattern.compile("hrr"));
        LACKING.put(PeerStack.CONSCRYPT, NOT_IN_BORINGSSL);
        LACKING.put(PeerStack.BORINGSSL, NOT_IN_BORINGSSL);
        LACKING.put(ProgramStack.OPENSSL, NOT_IN_OPENSSL);
        LACKING.put(ProgramStack.GNUTLS, NOT_IN_GNUTLS);
        LACKING.put(NamedPeer.WIREMOCK, NOT_IN_WIREMOCK);
        LACKING.put(NamedPeer.WIREMOCK_H2, NOT_IN_WIREMOCK);
    }

    private Rows() { }

    static List<Row> asClient() {
        List<String> apis = Arrays.asList("SSLSocket", "SSLEngine", "HttpsURLConnection", "HttpClient");
        List<Row> rows = pairwise("client", PEERS, apis);
        // Azure's client has the JDK's engines, which the rows above try with each group.
        rows.addAll(pairwise("client", PEERS_WITHOUT_GROUPS, Arrays.asList(ClientSide.AZURE)));
        rows.addAll(ofPeer("client", NamedPeer.WIREMOCK,
            Arrays.asList("HttpsURLConnection", "HttpClient", ClientSide.AZURE)));
        rows.addAll(ofPeer("client", NamedPeer.WIREMOCK_H2, Arrays.asList("HttpClient")));
        apis = new ArrayList<>(apis);
        apis.add(ClientSide.AZURE);
        for (String protocol : Arrays.asList(TLS13, TLS12)) {
            for (String api : apis) {
                Row row = refused("client", protocol, api);
                rows.add(ofKey(row, "expired").refused("CertificateExpired"));
                rows.add(ofKey(row, "early").refused("CertificateNotYetValid"));
                rows.add(ofKey(row, "otherhost").refused("No (name|subject alternative)"));
                rows.add(ofKey(row, "stranger").refused("CertPathValidator|CertPathBuilder"));
                rows.add(ofKey(row, "selfsigned").refused("CertPathBuilder"));
                rows.add(ofKey(row, Minter.FOR_CLIENTS).refused(NOT_FOR_THAT));
                if (!api.equals(ClientSide.AZURE)) {    // which has its own trust manager
                    for (String key : Revocation.KEYS) {
                        rows.add(ofKey(row, key).refused(REVOKED));
                    }
                }
                // On all builds, HttpsURLConnection returns what came as if it were all, and
                // SSLSocket an end of stream as after close_notify: neither promises more.
                if (!api.equals("HttpsURLConnection") && !api.equals("SSLSocket")) {
                    rows.add(row.with(Row.FEATURE, "refuse-truncated").with(Row.BODY, "16384")
                        .refused(ClientSide.isHttp(api) ? "(?i)closed|EOF|fixed content-length"
                            : "before receiving peer's close_notify"));
                }
                if (!ClientSide.isHttp(api)) {
                    rows.add(row.with(Row.FEATURE, "refuse-alpn").refused("no_application_protocol"));
                }
            }
        }
        rows.addAll(ofSuites("client", apis));
        return rows;
    }

    static List<Row> asServer() {
        List<String> apis = Arrays.asList("SSLSocket", "SSLEngine");
        List<String> peers = new ArrayList<>(PEERS);
        peers.add(ProgramStack.GNUTLS);     // as a client: its server does not report its port
        List<Row> rows = pairwise("server", peers, apis);
        for (String protocol : Arrays.asList(TLS13, TLS12)) {
            for (String api : apis) {
                Row row = refused("server", protocol, api);
                rows.add(row.with(Row.FEATURE, "refuse-client-none")
                    .refused("Empty (server|client) certificate chain"));
                rows.add(row.with(Row.FEATURE, "refuse-client-expired").refused("CertificateExpired"));
                rows.add(row.with(Row.FEATURE, "refuse-client-stranger")
                    .refused("CertPathValidator|CertPathBuilder"));
                rows.add(row.with(Row.FEATURE, "refuse-client-selfsigned")
                    .refused("CertPathBuilder|Empty (server|client) certificate chain"));
                rows.add(row.with(Row.FEATURE, "refuse-client-" + Minter.FOR_SERVERS)
                    .refused(NOT_FOR_THAT));
                // A client has nothing stapled to what it presents, in JSSE.
                for (String key : Arrays.asList(Revocation.BY_LIST, Revocation.BY_RESPONDER)) {
                    rows.add(row.with(Row.FEATURE, "refuse-client-" + key).refused(REVOKED));
                }
                rows.add(row.with(Row.FEATURE, "refuse-alpn")
                    .refused("no_application_protocol|No matching application layer protocol"));
                rows.add(row.with(Row.FEATURE, "refuse-sni")
                    .refused("unrecognized_name|Unrecognized server name"));
            }
        }
        rows.addAll(ofSuites("server", apis));
        return rows;
    }

    /**
     * A few of both sides: each value of each column except the body, once for each peer; and each
     * certificate that must be refused, by each API of the JDK, in each protocol.
     */
    static List<Row> quick() {
        List<Row> all = asClient();
        all.addAll(asServer());
        Set<String> seen = new HashSet<>();
        List<Row> rows = new ArrayList<>();
        for (Row row : all) {
            boolean isNew = OF_CERTIFICATE.matcher(row.get(Row.FEATURE)).matches()
                && !row.has(Row.API, ClientSide.AZURE);
            for (Map.Entry<String, String> value : row.values().entrySet()) {
                isNew |= !value.getKey().equals(Row.BODY)
                    && seen.add(row.get(Row.SIDE) + " " + row.get(Row.PEER) + " " + value);
            }
            if (isNew) {
                rows.add(row);
            }
        }
        return rows;
    }

    /** A side in its default configuration, and a peer with a suite that nobody should accept. */
    private static List<Row> ofSuites(String side, List<String> apis) {
        List<Row> rows = new ArrayList<>();
        for (String suite : Arrays.asList("TLS_RSA_WITH_NULL_SHA256", "SSL_RSA_WITH_RC4_128_MD5",
                "TLS_ECDHE_RSA_WITH_NULL_SHA", "TLS_DH_anon_WITH_AES_128_GCM_SHA256")) {
            for (String api : apis) {
                Row row = refused(side, TLS12, api).with(Row.FEATURE, "refuse-suite");
                rows.add(row.with(Row.SUITE, suite)
                    .refused("handshake_failure|no cipher suites in common"));
            }
        }
        return rows;
    }

    private static Row refused(String side, String protocol, String api) {
        Map<String, String> row = new LinkedHashMap<>();
        row.put(Row.SIDE, side);
        row.put(Row.FEATURE, "refuse-certificate");
        row.put(Row.PROTOCOL, protocol);
        row.put(Row.SUITE, Row.ANY);
        row.put(Row.KEY, "rsa");
        row.put(Row.GROUP, Row.ANY);
        row.put(Row.API, api);
        row.put(Row.PEER, PeerStack.JSSE);
        row.put(Row.BODY, "1");
        return Row.of(row);
    }

    private static Row ofKey(Row row, String key) {
        return row.with(Row.KEY, key);
    }

    private static Map<String, List<String>> parameters(String peer, List<String> apis) {
        Map<String, List<String>> parameters = new LinkedHashMap<>();
        parameters.put(CIPHER, Arrays.asList(
            BY_DEFAULT,
            TLS13_BY_PEER,
            "TLSv1.3 TLS_AES_128_GCM_SHA256",
            "TLSv1.3 TLS_AES_256_GCM_SHA384",
            "TLSv1.3 TLS_CHACHA20_POLY1305_SHA256",
            "TLSv1.2 TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256",
            "TLSv1.2 TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384",
            "TLSv1.2 TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256",
            "TLSv1.2 TLS_ECDHE_ECDSA_WITH_AES_128_CBC_SHA",
            "TLSv1.2 TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256",
            "TLSv1.2 TLS_ECDHE_RSA_WITH_AES_256_CBC_SHA384",
            "TLSv1.2 TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256",
            "TLSv1.2 TLS_DHE_RSA_WITH_AES_128_GCM_SHA256",
            "TLSv1.2 TLS_ECDH_RSA_WITH_AES_128_GCM_SHA256",
            "TLSv1.2 TLS_RSA_WITH_AES_128_GCM_SHA256",
            "TLSv1.2 TLS_RSA_WITH_AES_256_CBC_SHA",
            "TLSv1.2 SSL_RSA_WITH_3DES_EDE_CBC_SHA",
            "TLSv1.1 TLS_ECDHE_RSA_WITH_AES_128_CBC_SHA",
            "TLSv1 TLS_ECDHE_RSA_WITH_AES_128_CBC_SHA"));
        parameters.put(Row.FEATURE, Arrays.asList("full", "resumed", "client-cert", "sni", "alpn",
            "keyupdate", "close-client", "close-server", "hrr"));
        parameters.put(Row.KEY, Arrays.asList("ec256", "ec384", "rsa", "rsapss", "ed25519"));
        parameters.put(Row.API, apis);
        parameters.put(Row.GROUP,
            peer.equals(ProgramStack.OPENSSL) ? GROUPS_OF_OPENSSL : Arrays.asList(Row.ANY));
        parameters.put(Row.BODY, Arrays.asList("1", "0", "16383", "16384", "16385", LARGE));
        return parameters;
    }

    /** An array for each peer, so that what one lacks takes no pair from another. */
    private static List<Row> pairwise(String side, List<String> peers, List<String> apis) {
        List<Row> rows = new ArrayList<>();
        for (String peer : peers) {
            rows.addAll(ofPeer(side, peer, apis));
        }
        return rows;
    }

    private static List<Row> ofPeer(String side, String peer, List<String> apis) {
        Pattern lacking = LACKING.get(peer);
        Pairwise.Constraint fits = (name, value, other, otherValue) ->
            !lacking.matcher(value).matches()
            && (!name.equals(CIPHER)
                || value.equals(BY_DEFAULT) == peer.startsWith(NamedPeer.WIREMOCK))
            && !lacksPair(side, peer, value, otherValue)
            && allows(name, value, other, otherValue);
        List<Row> rows = new ArrayList<>();
        for (Row found : Pairwise.rows(parameters(peer, apis), fits)) {
            String[] cipher = found.get(CIPHER).split(" ");
            Map<String, String> row = new LinkedHashMap<>();
            row.put(Row.SIDE, side);
            row.put(Row.FEATURE, found.get(Row.FEATURE));
            row.put(Row.PROTOCOL, cipher[0]);
            row.put(Row.SUITE, cipher[1]);
            for (String name : new String[] {Row.KEY, Row.GROUP, Row.API}) {
                row.put(name, found.get(name));
            }
            row.put(Row.PEER, peer);
            row.put(Row.BODY, found.get(Row.BODY));
            rows.add(Row.of(row));
        }
        return rows;
    }

    /** Can the peer do both things, but not together? */
    private static boolean lacksPair(String side, String peer, String value, String other) {
        boolean isOpenSsl = peer.equals(ProgramStack.OPENSSL);
        boolean isConscryptServer = peer.equals(PeerStack.CONSCRYPT) && side.equals("client");
        return isConscryptServer && value.equals(TLS13_BY_PEER) && other.equals("resumed")
            || isOpenSsl && ClientSide.isHttp(value) && other.equals("resumed")     // not reported
            || value.equals(ClientSide.AZURE) && NOT_IN_NETTY.matcher(other).matches()
            || peer.equals(ProgramStack.GNUTLS) && value.equals("client-cert")
                && other.startsWith("ec");      // it does not read EC keys as Java writes them
    }

    /** Each rule names two parameters; either may come first. */
    private static boolean allows(String name, String value, String other, String otherValue) {
        if (otherValue.equals(LARGE) && (name.equals(CIPHER) || name.equals(Row.FEATURE))) {
            return OF_LARGE.matcher(value).matches();
        }
        if (name.equals(CIPHER) && other.equals(Row.KEY)) {
            return fits(value, otherValue);
        }
        if (name.equals(CIPHER) && other.equals(Row.GROUP)) {
            return otherValue.equals(Row.ANY) || value.startsWith(TLS13)
                || value.contains("_ECDHE_RSA_") && GROUPS_OF_TLS12.contains(otherValue);
        }
        if (name.equals(CIPHER) && other.equals(Row.FEATURE)) {
            boolean isOld = value.startsWith("TLSv1 ") || value.startsWith("TLSv1.1 ");
            boolean isOf13 = otherValue.equals("keyupdate") || otherValue.equals("hrr");
            return value.startsWith(TLS13) || !isOf13
                && (!isOld || otherValue.equals("full") || otherValue.equals("resumed"));
        }
        if (name.equals(Row.FEATURE) && value.equals("hrr") && other.equals(Row.GROUP)) {
            return GROUPS_ASKED_FOR.contains(otherValue);
        }
        if (name.equals(Row.API) && other.equals(Row.FEATURE) && ClientSide.isHttp(value)) {
            return FEATURES_OF_HTTP.contains(otherValue);
        }
        return true;
    }

    /** Can a server with that key use that suite? */
    private static boolean fits(String cipher, String key) {
        boolean isRsa = key.startsWith("rsa");
        if (cipher.startsWith(TLS13) || cipher.equals(BY_DEFAULT)) {
            return true;
        }
        if (cipher.contains("_ECDH_")) {
            return key.equals("ec256");     // signed with RSA, as all certificates are
        }
        if (cipher.contains("_ECDSA_")) {
            return !isRsa;
        }
        boolean signs = cipher.contains("DHE_RSA_") && cipher.startsWith("TLSv1.2");
        return key.equals("rsa") || signs && key.equals("rsapss");
    }
}
