// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;

/** Does a client heed the names that an authority may vouch for (RFC 5280, section 4.2.1.10)? */
public final class CertificateConstraints implements Topic {
    private static final String CONSTRAINTS = "2.5.29.30";

    /** What the authority permits or, after "not", excludes; and what the leaf is for. */
    private static final String[][] TABLE = {
        {"dns:example.com", "dns:www.example.com dns:example.com dns:www.example.org"
            + " dns:wwwexample.com dns:WWW.EXAMPLE.COM dns:*.example.com ip:192.0.2.1 cn:www.example.org"},
        {"dns:.example.com", "dns:www.example.com dns:example.com dns:www.example.org"},
        {"dns:www.example.com", "dns:www.example.com dns:a.www.example.com dns:example.com"},
        {"dns:*.example.com", "dns:www.example.com dns:example.com"},
        {"dns:com", "dns:www.example.com dns:www.example.org"},
        {"dns:", "dns:www.example.com"},
        {"dns:EXAMPLE.com", "dns:www.example.com"},
        {"not dns:example.com", "dns:www.example.com dns:www.example.org dns:*.example.com"
            + " cn:www.example.com ip:192.0.2.1"},
        {"not dns:.example.com", "dns:www.example.com dns:example.com"},
        {"not dns:www.example.com", "dns:*.example.com dns:www.example.com dns:a.example.com"},
        {"not dns:", "dns:www.example.com ip:192.0.2.1"},
        {"ip:192.0.2.0.255.255.255.0", "ip:192.0.2.1 ip:192.0.3.1 dns:www.example.com"},
        {"ip:192.0.2.0.255.0.255.0", "ip:192.0.2.1"},
        {"ip:192.0.2.0.255.255.255.128", "ip:192.0.2.127 ip:192.0.2.128"},
        {"ip:192.0.2.1.255.255.255.255", "ip:192.0.2.1 ip:192.0.2.2"},
        {"ip:192.0.0.0.255.0.0.0", "ip:192.1.2.3 ip:193.0.0.1"},
        {"not ip:192.0.2.0.255.255.255.128", "ip:192.0.2.127 ip:192.0.2.128"},
        {"ip:192.0.2.1", "ip:192.0.2.1"},
        {"ip:0.0.0.0.0.0.0.0", "ip:192.0.2.1"},
        {"not ip:192.0.2.0.255.255.255.0", "ip:192.0.2.1 ip:192.0.3.1 dns:www.example.com"},
        {"not ip:0.0.0.0.0.0.0.0", "ip:192.0.2.1 dns:www.example.com"},
        {"mail:example.com", "mail:a@example.com mail:a@www.example.com mail:a@example.org"},
        {"mail:.example.com", "mail:a@example.com mail:a@www.example.com"},
        {"mail:a@example.com", "mail:a@example.com mail:b@example.com"},
        {"not mail:example.com", "mail:a@example.com mail:a@example.org"},
        {"uri:example.com", "uri:https://example.com/ uri:https://www.example.com/"
            + " uri:https://example.org/"},
        {"uri:.example.com", "uri:https://example.com/ uri:https://www.example.com/"},
        {"not uri:example.com", "uri:https://example.com/ uri:https://www.example.com/ uri:urn:a"},
        {"dir:kit", "cn:kit cn:other"},
        {"not dir:kit", "cn:kit cn:other"},
        {"other:a", "other:a other:b dns:www.example.com"},
        {"not other:a", "other:a dns:www.example.com"},
    };

    /** The first 8 of 16 bytes. */
    private static final String IP6 = "ip:32.1.13.184.0.0.0.0.";

    @Override
    public String name() {
        return "constraints";
    }

    @Override
    public void declare(TopicRows rows) {
        for (String[] line : TABLE) {
            for (String name : line[1].split(" ")) {
                rows.row("constraints." + plain(line[0]) + "." + plain(name), "an authority may vouch for "
                    + line[0] + "; a client is shown a leaf with " + name, () -> check(line[0], name));
            }
        }
        for (String[] end : new String[][] {{"inside", IP6 + "0.0.0.1.0.0.0.9"},
            {"outside", IP6 + "0.0.0.2.0.0.0.9"}, {"ip4", "ip:192.0.2.1"}}) {
            for (boolean isExcluded : new boolean[] {false, true}) {
                rows.row("constraints." + (isExcluded ? "not-" : "") + "ip6." + end[0], "an authority"
                    + " may " + (isExcluded ? "not " : "") + "vouch for the addresses 2001:db8::1:0:0/112;"
                    + " a client is shown a leaf with one that is " + end[0],
                    () -> check((isExcluded ? "not " : "") + IP6 + "0.0.0.1.0.0.0.0"
                        + ReplyRows.times(14, ".255") + ".0.0", end[1]));
            }
        }
        rows.row("constraints.permitted-and-not", "an authority may vouch for example.com but not"
            + " for a.example.com; the leaf is b.a.example.com", () -> check(
                Der.sequence(subtree(0, "dns:example.com"), subtree(1, "dns:a.example.com")),
                "dns:b.a.example.com", true));
        rows.row("constraints.not-critical", "the constraint is not critical, the leaf outside of it",
            () -> check(Der.sequence(subtree(0, "dns:example.com")), "dns:www.example.org", false));
        rows.row("constraints.empty", "the constraints are an empty sequence",
            () -> check(Der.sequence(), "dns:www.example.org", true));
        rows.row("constraints.minimum", "a subtree begins one label below", () -> check(
            Der.sequence(Der.element(Der.EXPLICIT, Der.sequence(general("dns:example.com"),
                Der.element(Der.CONTEXT, new byte[] {1})))), "dns:www.example.com", true));
        rows.row("constraints.maximum", "a subtree has a maximum", () -> check(
            Der.sequence(Der.element(Der.EXPLICIT, Der.sequence(general("dns:example.com"),
                Der.element(Der.CONTEXT | 1, new byte[] {1})))), "dns:www.example.com", true));
        rows.row("constraints.malformed", "the constraints are no DER",
            () -> check(new byte[] {0x30, 3, 1}, "dns:www.example.com", true));
        rows.row("constraints.leaf", "a leaf has constraints that exclude itself", () ->
            TrustCheck.ofRoot().server(TrustCheck.leaf().extension(CONSTRAINTS, true,
                Der.sequence(subtree(1, "dns:example.com"))).sign(TrustCheck.key())));
        rows.row("constraints.anchor", "the trusted authority itself has constraints", () ->
            new TrustCheck("PKIX", TrustCheck.root().extension(CONSTRAINTS, true,
                Der.sequence(subtree(1, "dns:example.com"))).sign(TrustCheck.key()))
                .server(TrustCheck.leaf().sign(TrustCheck.key())));
        rows.row("constraints.two", "two authorities permit different domains", () -> {
            X509Certificate first = TrustCheck.intermediate("first").extension(CONSTRAINTS, true,
                Der.sequence(subtree(0, "dns:example.org"))).sign(TrustCheck.key());
            X509Certificate second = TrustCheck.intermediate("second").issuer("first")
                .extension(CONSTRAINTS, true, Der.sequence(subtree(0, "dns:example.com")))
                .sign(TrustCheck.key());
            return TrustCheck.ofRoot().server(
                TrustCheck.leaf().issuer("second").sign(TrustCheck.key()), second, first);
        });
    }

    private static String check(String constraint, String name) throws Exception {
        boolean excluded = constraint.startsWith("not ");
        return check(Der.sequence(subtree(excluded ? 1 : 0, excluded
            ? constraint.substring(4) : constraint)), name, true);
    }

    /** The rule for names is off: only what the path says counts. */
    private static String check(byte[] constraints, String name, boolean critical) throws Exception {
        CertificateDraft leaf = TrustCheck.leaf().issuer("first");
        if (name.startsWith("cn:")) {
            leaf.without("2.5.29.17").subject(name.substring(3));
        } else {
            List<byte[]> names = new ArrayList<>();
            names.add(general(name));
            leaf.names(names.toArray(new byte[0][]));
        }
        CertificateDraft first = TrustCheck.intermediate("first")
            .extension(CONSTRAINTS, critical, constraints);
        try {
            return TrustCheck.ofRoot().server(new NamedEngine("www.example.com", null, "TLSv1.3"),
                "UNKNOWN", leaf.sign(TrustCheck.key()), first.sign(TrustCheck.key()));
        } catch (java.security.cert.CertificateException e) {
            return "not parsed: " + e.getClass().getSimpleName();
        }
    }

    /** @param list 0 for what is permitted, 1 for what is excluded */
    private static byte[] subtree(int list, String name) {
        return Der.element(Der.EXPLICIT | list, Der.sequence(general(name)));
    }

    private static byte[] general(String name) {
        String text = name.substring(name.indexOf(':') + 1);
        switch (name.substring(0, name.indexOf(':'))) {
            case "ip":
                String[] parts = text.split("[.]");
                int[] bytes = new int[parts.length];
                for (int i = 0; i < bytes.length; i++) {
                    bytes[i] = Integer.parseInt(parts[i]);
                }
                return CertificateDraft.ip(bytes);
            case "mail":
                return Der.text(Der.CONTEXT | 1, text);
            case "uri":
                return Der.text(Der.CONTEXT | 6, text);
            case "dir":
                return Der.element(Der.EXPLICIT | 4, CertificateDraft.name(text));
            case "other":
                return Der.element(Der.EXPLICIT, Der.oid("1.3.6.1.4.1.311.20.2.3"),
                    Der.element(Der.EXPLICIT, Der.text(Der.UTF8, text)));
            default:
                return CertificateDraft.dns(text);
        }
    }

    private static String plain(String text) {
        return text.replace("*", "STAR").replaceAll(":[.]", "-DOT-")
            .replaceAll("[^A-Za-z0-9_+.-]", "-");
    }
}
