// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import javax.net.ssl.SNIHostName;

/** For which hosts is a certificate good? Names of it, hosts asked for, and the two rules. */
public final class CertificateNames implements Topic {
    /** What a certificate has, and hosts that a client asks it for, with blanks between. */
    private static final String[][] TABLE = {
        {"dns:www.example.com", "www.example.com WWW.EXAMPLE.COM www.example.com. example.com"
            + " www.example.org a.www.example.com ww.example.com www.example.comm www%example.com"},
        {"dns:WWW.Example.COM", "www.example.com WWW.EXAMPLE.COM"},
        {"dns:*.example.com", "www.example.com a.b.example.com example.com .example.com"
            + " *.example.com WWW.Example.com www.example.com. xn--bcher-kva.example.com"
            + " a_b.example.com -a.example.com 1.example.com wwwexample.com"},
        {"dns:*.b.example.com", "a.b.example.com b.example.com a.a.b.example.com"},
        {"dns:w*.example.com", "www.example.com w.example.com xw.example.com w.w.example.com"},
        {"dns:*w.example.com", "www.example.com w.example.com wx.example.com"},
        {"dns:w*w.example.com", "www.example.com ww.example.com w.example.com"},
        {"dns:w*w*w.example.com", "wawaw.example.com www.example.com"},
        {"dns:www.*.com", "www.example.com www.a.example.com"},
        {"dns:www.example.*", "www.example.com"},
        {"dns:*.com", "example.com www.example.com"},
        {"dns:*.co.uk", "example.co.uk"},
        {"dns:*.example", "www.example example"},
        {"dns:*.localhost", "a.localhost localhost"},
        {"dns:*", "localhost example.com"},
        {"dns:*.", "localhost. localhost"},
        {"dns:*.*.example.com", "a.b.example.com a.example.com"},
        {"dns:**.example.com", "a.example.com a.b.example.com"},
        {"dns:a.*.example.com", "a.b.example.com"},
        {"dns:localhost", "localhost LOCALHOST localhost. localhost.localdomain"},
        {"dns:example.com.", "example.com example.com."},
        {"dns:.example.com", "www.example.com example.com .example.com"},
        {"dns:www.example.com ", "www.example.com"},
        {"dns:", "www.example.com"},
        {"dns:xn--bcher-kva.example", "b\u00fccher.example xn--bcher-kva.example XN--BCHER-KVA.EXAMPLE"},
        {"dns:*.xn--bcher-kva.example", "www.b\u00fccher.example www.xn--bcher-kva.example"},
        {"dns:xn--*.example", "xn--bcher-kva.example b\u00fccher.example"},
        {"dns:xn--b*-kva.example", "xn--bcher-kva.example"},
        {"dns:b\u00fccher.example", "b\u00fccher.example xn--bcher-kva.example"},
        {"dns:my_host.example.com", "my_host.example.com my-host.example.com"},
        {"dns:_tls.example.com", "_tls.example.com"},
        {"dns:-a.example.com", "-a.example.com"},
        {"dns:192.0.2.1", "192.0.2.1"},
        {"dns:*.0.2.1", "192.0.2.1"},
        {"dns:1.example.com", "1.example.com"},
        {"dns:www.example.com\u0000.example.org", "www.example.com www.example.com\u0000.example.org"},
        {"dns:https://www.example.com/", "www.example.com"},
        {"dns:www.example.com:443", "www.example.com"},
        {"dns:first.example.com;dns:second.example.com", "first.example.com second.example.com"},
        {"dns:*.example.com;dns:example.com", "www.example.com example.com a.b.example.com"},
        {"ip:192.0.2.1", "192.0.2.1 192.0.2.2 192.0.2.01 3221225985 0xc0.0.2.1 192.0.513"
            + " ::ffff:192.0.2.1 192.0.2.1."},
        {"ip:0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.1", "::1 [::1] 0:0:0:0:0:0:0:1 ::2 ::1%lo"},
        {"ip:0.0.0.0.0.0.0.0.0.0.255.255.192.0.2.1", "192.0.2.1 ::ffff:192.0.2.1"},
        {"ip:32.1.13.184.0.0.0.0.0.0.0.0.0.0.0.1", "2001:db8::1 2001:DB8::1 2001:db8:0::1"},
        {"ip:192.0.2", "192.0.2.1"},
        {"ip:192.0.2.0.255.255.255.0", "192.0.2.1"},
        {"cn:www.example.com", "www.example.com WWW.example.com www.example.com. example.com"},
        {"cn:*.example.com", "www.example.com a.b.example.com"},
        {"cn:192.0.2.1", "192.0.2.1"},
        {"cn:::1", "::1"},
        {"cn:www.example.com;dns:other.example.com", "www.example.com other.example.com"},
        {"cn:www.example.com;ip:192.0.2.1", "www.example.com 192.0.2.1"},
        {"cn:www.example.com;mail:a@www.example.com", "www.example.com"},
        {"cn:www.example.com;uri:https://other.example.com/", "www.example.com other.example.com"},
        {"cn:www.example.com;dir:other", "www.example.com"},
        {"cn:first.example.com;cn:second.example.com", "first.example.com second.example.com"},
        {"uri:https://www.example.com/", "www.example.com"},
        {"mail:www.example.com", "www.example.com"},
        {"ou:www.example.com", "www.example.com"},
        {"many:600", "host599.example.com host600.example.com"},
    };

    private final Map<String, X509Certificate> certificates = new HashMap<>();

    @Override
    public String name() {
        return "names";
    }

    @Override
    public void declare(TopicRows rows) {
        for (String[] line : TABLE) {
            for (String host : line[1].split(" ")) {
                for (String rule : new String[] {"HTTPS", "LDAPS"}) {
                    String id = "names." + rule.toLowerCase() + "." + plain(line[0]) + "." + plain(host);
                    rows.row(id, rule + ": a certificate with " + shown(line[0])
                        + " is asked for " + shown(host), () -> check(line[0], host, rule));
                }
            }
        }
        declareRules(rows);
    }

    private void declareRules(TopicRows rows) {
        for (String rule : new String[] {"none", "empty", "https", "SMTP"}) {
            rows.row("names.rule." + rule, "the rule for names is " + rule + ", and the host another",
                () -> check("dns:www.example.com", "other.example.com",
                    rule.equals("none") ? null : rule.equals("empty") ? "" : rule));
        }
        for (String host : new String[] {"absent", "empty"}) {
            rows.row("names.host." + host, "the session's host is " + host, () ->
                check("dns:www.example.com", host.equals("absent") ? null : "", "HTTPS"));
        }
        for (String asked : new String[] {"www.example.com", "other.example.com"}) {
            for (String host : new String[] {"192.0.2.1", "www.example.com", "other.example.com"}) {
                rows.row("names.sni." + asked + "." + host, "SNI has " + asked + ", the session's host is "
                    + host + ", the certificate is of www.example.com", () -> sni(asked, host));
            }
        }
    }

    private String sni(String asked, String host) throws Exception {
        NamedEngine engine = new NamedEngine(host, "HTTPS", "TLSv1.3");
        engine.requestedNames = Collections.singletonList(new SNIHostName(asked));
        return TrustCheck.ofRoot().server(engine, "UNKNOWN", certificate("dns:www.example.com"));
    }

    private String check(String names, String host, String rule) throws Exception {
        X509Certificate certificate;
        try {
            certificate = certificate(names);
        } catch (GeneralSecurityException e) {
            return "not parsed: " + e.getClass().getSimpleName();
        }
        return TrustCheck.ofRoot()
            .server(new NamedEngine(host, rule, "TLSv1.3"), "UNKNOWN", certificate);
    }

    /** Signing costs more than all checks together: each certificate is made once. */
    private synchronized X509Certificate certificate(String names) throws GeneralSecurityException {
        X509Certificate certificate = certificates.get(names);
        if (certificate == null) {
            certificate = draft(names).sign(TrustCheck.key());
            certificates.put(names, certificate);
        }
        return certificate;
    }

    private static CertificateDraft draft(String names) throws GeneralSecurityException {
        CertificateDraft draft = TrustCheck.leaf().without("2.5.29.17");
        List<byte[]> alternative = new ArrayList<>();
        List<byte[]> subject = new ArrayList<>();
        for (String name : names.split(";")) {
            String text = name.substring(name.indexOf(':') + 1);
            switch (name.substring(0, name.indexOf(':'))) {
                case "cn":
                    subject.add(CertificateDraft.attribute("2.5.4.3", Der.UTF8, text));
                    break;
                case "ou":
                    subject.add(CertificateDraft.attribute("2.5.4.11", Der.UTF8, text));
                    break;
                case "ip":
                    alternative.add(address(text));
                    break;
                case "mail":
                    alternative.add(Der.text(Der.CONTEXT | 1, text));
                    break;
                case "uri":
                    alternative.add(Der.text(Der.CONTEXT | 6, text));
                    break;
                case "dir":
                    alternative.add(Der.element(Der.EXPLICIT | 4, CertificateDraft.name(text)));
                    break;
                case "many":
                    for (int i = 0; i < Integer.parseInt(text); i++) {
                        alternative.add(CertificateDraft.dns("host" + i + ".example.com"));
                    }
                    break;
                default:
                    alternative.add(CertificateDraft.dns(text));
            }
        }
        if (!subject.isEmpty()) {
            draft.subject = Der.sequence(subject.toArray(new byte[0][]));
        }
        return alternative.isEmpty() ? draft : draft.names(alternative.toArray(new byte[0][]));
    }

    private static byte[] address(String dotted) {
        String[] parts = dotted.split("[.]");
        int[] bytes = new int[parts.length];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = Integer.parseInt(parts[i]);
        }
        return CertificateDraft.ip(bytes);
    }

    /** For ids, which have few characters; what means something to a name is a word. */
    private static String plain(String text) {
        return shown(text).replace("*", "STAR").replace("%", "PERCENT").replace("::", "+")
            .replaceAll("^[.]|[.]$|:[.]|[.](?=;)", "-DOT-").replaceAll("[.](?=[.])", "DOT")
            .replaceAll("[^A-Za-z0-9_+.-]", "-");
    }

    private static String shown(String text) {
        return text.replace("\u0000", "NUL").replace("\u00fc", "UUML").replace(" ", "BLANK");
    }
}
