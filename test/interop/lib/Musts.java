// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What must be done with a peer that breaks a rule of RFC 8446? A row for each rule says which
 * alert the peer must get, if any. {@code jtreg/conformance} has the peer, which uses TLS-Attacker;
 * a rule has the same name there, which begins with its section.
 */
final class Musts {
    static final String PEER = "tls-attacker";
    /** How the feature of these rows begins. */
    static final String MUST = "must-";

    private static final String ACCEPTED = "";
    /** If the section names no alert; but internal_error is not for what the peer did (6.2). */
    private static final String ANY_ALERT =
        "(?!none|close_notify|user_canceled|internal_error|unknown)[a-z_]+";

    private Musts() { }

    /** Is the row about the client's second connection? */
    static boolean comesBack(Row row) {
        return row.has(Row.FEATURE, MUST + "4.2.11-wrong-binder");
    }

    /** Is it about the certificate of a client, which the server must ask for? */
    static boolean asksForCertificate(Row row) {
        return row.jdkIsServer() && row.get(Row.FEATURE).matches(MUST + "4\\.4\\.[23]-.*");
    }

    static List<Row> rows() {
        List<Row> rows = new ArrayList<>();
        clients().forEach((rule, alert) -> rows.add(row("client", rule, alert)));
        servers().forEach((rule, alert) -> rows.add(row("server", rule, alert)));
        return rows;
    }

    /** What a client must answer to a server. */
    private static Map<String, String> clients() {
        Map<String, String> musts = new LinkedHashMap<>();
        musts.put("keeps-all-rules", ACCEPTED);
        musts.put("4.1.3-session-id-echo", "illegal_parameter");
        musts.put("4.1.3-suite-not-offered", "illegal_parameter");
        musts.put("4.1.3-compression", ANY_ALERT);
        musts.put("4.1.3-downgrade-to-1.2", "illegal_parameter");
        musts.put("4.2.1-version-of-1.2", "illegal_parameter");
        musts.put("4.2.1-version-not-offered", "illegal_parameter");
        musts.put("4.2-unsolicited-in-server-hello", "unsupported_extension");
        musts.put("4.2-unsolicited-in-encrypted-extensions", "unsupported_extension");
        musts.put("4.2-twice-in-server-hello", ANY_ALERT);
        musts.put("4.2-key-share-in-encrypted-extensions", "illegal_parameter");
        musts.put("4.2.8-group-not-offered", "illegal_parameter");
        musts.put("4.2.8.2-no-point-of-the-curve", "illegal_parameter");
        musts.put("4.2.8-no-key-share", ANY_ALERT);
        musts.put("4.2-psk-not-offered", "unsupported_extension");
        musts.put("4.1.4-retry-changes-nothing", "illegal_parameter");
        musts.put("4.1.4-retry-for-a-share-that-was-sent", "illegal_parameter");
        musts.put("4.3.1-no-encrypted-extensions", "unexpected_message");
        musts.put("4.4.2-no-certificate", "unexpected_message");
        musts.put("4.4.2-empty-certificate", "decode_error");
        musts.put("4.4.3-no-certificate-verify", "unexpected_message");
        musts.put("4.4.3-wrong-signature", "decrypt_error");
        musts.put("4.4.3-algorithm-not-offered", ANY_ALERT);
        musts.put("4.4.3-pkcs1-signature", ANY_ALERT);
        musts.put("4.4.4-wrong-finished", "decrypt_error");
        musts.put("4.4.4-short-finished", "decrypt_error|decode_error");
        musts.put("4-second-server-hello", "unexpected_message");
        musts.put("4-unknown-message", "unexpected_message");
        musts.put("4-length-too-large", "decode_error");
        musts.put("2-data-before-finished", "unexpected_message");
        musts.put("4.6.1-ticket-before-finished", "unexpected_message");
        musts.put("4.6.3-unknown-key-update", "illegal_parameter");
        musts.put("4.6.3-key-update-before-finished", "unexpected_message");
        musts.put("4.6.2-certificate-request-afterwards", "unexpected_message");
        musts.put("5-change-cipher-spec-afterwards", "unexpected_message");
        musts.put("5.1-empty-handshake-record", "unexpected_message");
        musts.put("5.4-empty-alert-record", "unexpected_message");
        musts.put("5.4-zeros-only", "unexpected_message");
        musts.put("5-change-cipher-spec-of-2", "unexpected_message");
        musts.put("5-unknown-record", "unexpected_message");
        musts.put("5.2-record-overflow", "record_overflow");
        musts.put("5.2-wrong-mac", "bad_record_mac");
        musts.put("5.4-empty-application-data", ACCEPTED);
        musts.put("5.1-any-record-version", ACCEPTED);
        musts.put("4.2.1-any-legacy-version", ACCEPTED);
        musts.put("5.1-many-records", ACCEPTED);
        musts.put("4.6.3-key-update", ACCEPTED);
        musts.put("4.6.1-two-tickets", ACCEPTED);
        return musts;
    }

    /** What a server must answer to a client. */
    private static Map<String, String> servers() {
        Map<String, String> musts = new LinkedHashMap<>();
        musts.put("keeps-all-rules", ACCEPTED);
        musts.put("4.1.2-compression", "illegal_parameter");
        musts.put("4.1.2-no-null-compression", "illegal_parameter");
        musts.put("4.1.1-no-common-suite", "handshake_failure|insufficient_security");
        musts.put("4.2.1-no-common-version", "protocol_version");
        musts.put("4.2-twice-in-client-hello", ANY_ALERT);
        musts.put("4.2-key-share-twice", ANY_ALERT);
        musts.put("9.2-no-signature-algorithms", "missing_extension");
        musts.put("9.2-no-supported-groups", "missing_extension");
        musts.put("9.2-no-key-share", "missing_extension");
        musts.put("4.2.8.2-no-point-of-the-curve", "illegal_parameter");
        musts.put("4.2.8.2-short-key-share", "illegal_parameter|decode_error");
        musts.put("4.2.9-psk-without-modes", ANY_ALERT);
        musts.put("4.2.11-psk-not-last", "illegal_parameter");
        musts.put("4.2.11-no-binder", ANY_ALERT);
        musts.put("4.2.11-wrong-binder", ANY_ALERT);
        musts.put("4.1.1-no-common-group", "handshake_failure|insufficient_security");
        musts.put("4.1.1-no-scheme-for-the-key", "handshake_failure|insufficient_security");
        musts.put("4.2.1-list-too-long", "decode_error");
        musts.put("4.2.3-list-too-long", "decode_error");
        musts.put("d.5-legacy-version-of-ssl-2", "protocol_version");
        musts.put("d.5-legacy-version-of-ssl-3", "protocol_version");
        musts.put("4-length-too-large", "decode_error");
        musts.put("4.1.2-second-client-hello", "unexpected_message");
        musts.put("4-unknown-message", "unexpected_message");
        musts.put("4.6.1-ticket-of-a-client", "unexpected_message");
        musts.put("4.4.4-wrong-finished", "decrypt_error");
        musts.put("4.4.4-short-finished", "decrypt_error|decode_error");
        musts.put("4.4.4-plaintext-finished", "unexpected_message");
        musts.put("4.4.3-scheme-of-another-curve", ANY_ALERT);
        musts.put("4.4.3-wrong-signature", "decrypt_error");
        musts.put("2-data-before-finished", "unexpected_message|bad_record_mac");
        musts.put("4.6.3-unknown-key-update", "illegal_parameter");
        musts.put("4.1.2-client-hello-afterwards", "unexpected_message");
        musts.put("5-change-cipher-spec-afterwards", "unexpected_message");
        musts.put("5.1-empty-handshake-record", "unexpected_message");
        musts.put("5.4-empty-alert-record", "unexpected_message");
        musts.put("5.4-zeros-only", "unexpected_message");
        musts.put("5-change-cipher-spec-of-2", "unexpected_message");
        musts.put("5-unknown-record", "unexpected_message");
        musts.put("5.2-record-overflow", "record_overflow");
        musts.put("5.2-wrong-mac", "bad_record_mac");
        musts.put("4.1.2-unknown-suite", ACCEPTED);
        musts.put("4.2-unknown-extension", ACCEPTED);
        musts.put("4.2.1-unknown-version", ACCEPTED);
        musts.put("4.2.11-unknown-psk", ACCEPTED);
        musts.put("4.2.10-early-data-of-unknown-psk", ACCEPTED);
        musts.put("4.4.2-certificate", ACCEPTED);
        musts.put("5.4-empty-application-data", ACCEPTED);
        musts.put("5.1-any-record-version", ACCEPTED);
        musts.put("5.1-many-records", ACCEPTED);
        musts.put("4.6.3-key-update", ACCEPTED);
        musts.put("d.4-no-change-cipher-spec", ACCEPTED);
        return musts;
    }

    private static Row row(String side, String rule, String alert) {
        Map<String, String> row = new LinkedHashMap<>();
        row.put(Row.SIDE, side);
        row.put(Row.FEATURE, MUST + rule);
        row.put(Row.PROTOCOL, "TLSv1.3");
        row.put(Row.SUITE, Row.ANY);
        row.put(Row.KEY, "ec256");
        row.put(Row.GROUP, Row.ANY);
        row.put(Row.API, "SSLSocket");
        row.put(Row.PEER, PEER);
        row.put(Row.BODY, "0");
        return alert.isEmpty() ? Row.of(row) : Row.of(row).refused("answered=(" + alert + ")[,}]");
    }
}
