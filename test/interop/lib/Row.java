// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What does one row try? The JDK under test is the {@code side}, client or server, with one of its
 * APIs; the {@code peer} is the other side. Only the peer is told which protocol, suite and group
 * to use: the JDK under test keeps its configuration, as users leave it.
 */
final class Row {
    static final String SIDE = "side";
    static final String FEATURE = "feature";
    static final String PROTOCOL = "protocol";
    static final String SUITE = "suite";
    static final String KEY = "key";
    static final String GROUP = "group";
    static final String API = "api";
    static final String PEER = "peer";
    static final String BODY = "body";

    /** Leaves a value to the peer's defaults. */
    static final String ANY = "any";

    private static final String SEPARATOR = "/";

    private final Map<String, String> values;
    private final String refusal;

    private Row(Map<String, String> values, String refusal) {
        this.values = values;
        this.refusal = refusal;
    }

    /** A row that must work. */
    static Row of(Map<String, String> values) {
        return new Row(new LinkedHashMap<>(values), "");
    }

    /**
     * The same, as a row that must fail.
     *
     * @param pattern must be found in the text of the JDK's chain of exceptions or, in a row of a
     *     rule, in what the peer reports
     */
    Row refused(String pattern) {
        return new Row(values, pattern);
    }

    Row with(String name, String value) {
        Map<String, String> changed = new LinkedHashMap<>(values);
        changed.put(name, value);
        return new Row(changed, refusal);
    }

    String get(String name) {
        return values.getOrDefault(name, ANY);
    }

    boolean has(String name, String value) {
        return get(name).equals(value);
    }

    boolean jdkIsServer() {
        return has(SIDE, "server");
    }

    int bodyBytes() {
        return has(BODY, ANY) ? 1 : Integer.parseInt(get(BODY));
    }

    /** Is it about a rule of the RFC, on which builds may always have differed? */
    boolean isOfRule() {
        return get(FEATURE).startsWith(Musts.MUST);
    }

    boolean mustFail() {
        return !refusal.isEmpty();
    }

    String refusal() {
        return refusal;
    }

    Map<String, String> values() {
        return values;
    }

    /** {@code client/full/TLSv1.3/TLS_AES_128_GCM_SHA256/ec256/any/SSLSocket/jsse/1} */
    String id() {
        return String.join(SEPARATOR, values.values());
    }

    /** For a line to the peer; none of the values has a tab or an equals sign. */
    String encoded() {
        StringBuilder text = new StringBuilder();
        values.forEach((name, value) -> text.append('\t').append(name).append('=').append(value));
        return text.substring(1);
    }

    static Row decoded(String text) {
        Map<String, String> values = new LinkedHashMap<>();
        for (String pair : text.split("\t")) {
            int equals = pair.indexOf('=');
            values.put(pair.substring(0, equals), pair.substring(equals + 1));
        }
        return of(values);
    }

    @Override
    public String toString() {
        return id();
    }
}
