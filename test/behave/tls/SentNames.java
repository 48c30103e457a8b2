// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Collections;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;

/** Which name does a client send in SNI, by the kind of its host, and what else does its hello have? */
public final class SentNames implements Topic {
    private static final String[][] HOSTS = {{"name", "www.example.com"}, {"dot", "www.example.com."},
        {"dots", "www.example.com.."}, {"upper", "WWW.Example.COM"}, {"single", "localhost"},
        {"single-dot", "localhost."}, {"underscore", "my_host.example.com"}, {"leading-underscore", "_a.example"},
        {"ipv4", "192.0.2.1"}, {"ipv4-short", "192.0.513"}, {"ipv6", "2001:db8::1"}, {"ipv6-brackets", "[::1]"},
        {"ipv6-zone", "fe80::1%eth0"}, {"digits", "12345.example"}, {"all-digits", "1234"},
        {"idn", "b\u00fccher.example"}, {"idn-dot", "b\u00fccher.example."},
        {"punycode", "xn--bcher-kva.example"}, {"hyphen", "-a.example"}, {"hyphen-end", "a-.example"},
        {"empty-label", "a..example"}, {"leading-dot", ".example.com"}, {"star", "*.example.com"},
        {"long-label", label(64) + ".example"}, {"label-63", label(63) + ".example"},
        {"long", label(60) + "." + label(60) + "." + label(60) + "." + label(60) + "." + label(60)},
        {"empty", ""}, {"blank", "a b.example"}, {"port", "www.example.com:8443"}, {"slash", "a.example/b"},
        {"full-stop", "www\u3002example.com"}, {"sharp-s", "stra\u00dfe.example"}};

    @Override
    public String name() {
        return "sni";
    }

    @Override
    public void declare(TopicRows rows) {
        for (String[] host : HOSTS) {
            rows.row("sni.socket." + host[0], "a socket is made for a host of this kind: " + host[0],
                () -> name(socket(host[1], null)));
            rows.row("sni.engine." + host[0], "an engine is made for a host of this kind: " + host[0],
                () -> name(engine(host[1])));
            rows.row("sni.set." + host[0], "the parameters have a name of this kind: " + host[0], () -> {
                SNIHostName name;
                try {
                    name = new SNIHostName(host[1]);
                } catch (IllegalArgumentException e) {
                    return "no such name";
                }
                return name(socket("localhost", name));
            });
            rows.row("sni.bytes." + host[0], "the parameters have the bytes of a name of this kind: "
                + host[0], () -> {
                    SNIHostName name;
                    try {
                        name = new SNIHostName(host[1].getBytes(StandardCharsets.UTF_8));
                    } catch (IllegalArgumentException e) {
                        return "no such name";
                    }
                    return name(socket("localhost", name)) + ", as text "
                        + WireText.hex(name.getAsciiName().getBytes(StandardCharsets.UTF_8), 8);
                });
        }
        for (String protocol : new String[] {"TLSv1.3", "TLSv1.2"}) {
            rows.row("sni.extensions." + protocol, "a client of " + protocol + " alone begins", () -> {
                MemorySocket memory = MemorySocket.saying();
                SSLSocket socket = (SSLSocket) RowsIdentity.clientContext().getSocketFactory()
                    .createSocket(memory, "www.example.com", 443, true);
                socket.setEnabledProtocols(new String[] {protocol});
                return extensions(begun(socket, memory));
            });
        }
        rows.row("sni.extensions.both", "a client of all its protocols begins",
            () -> extensions(socket("www.example.com", null)));
    }

    private static String label(int length) {
        return new String(new char[length]).replace('\0', 'a');
    }

    private static byte[] socket(String host, SNIHostName name) throws Exception {
        MemorySocket memory = MemorySocket.saying();
        SSLSocket socket = (SSLSocket) RowsIdentity.clientContext().getSocketFactory()
            .createSocket(memory, host, 443, true);
        if (name != null) {
            SSLParameters parameters = socket.getSSLParameters();
            parameters.setServerNames(Collections.singletonList(name));
            socket.setSSLParameters(parameters);
        }
        return begun(socket, memory);
    }

    private static byte[] begun(SSLSocket socket, MemorySocket memory) throws Exception {
        try {
            socket.startHandshake();
        } catch (java.io.IOException e) {
            if (memory.sent().length == 0) {
                throw e;
            }
        }
        return memory.sent();
    }

    private static byte[] engine(String host) throws Exception {
        EngineTalk talk = new EngineTalk(RowsIdentity.clientContext(), HelloAnswer.context(), host, 443);
        talk.run();
        return talk.client.sent.toByteArray();
    }

    private static String name(byte[] sent) throws Exception {
        ClientHello hello = new ClientHello(TlsRecord.read(new ByteArrayInputStream(sent)));
        byte[] content = hello.extension(HelloDraft.SNI);
        return content == null ? "no SNI" : content.length < 5 ? "an empty SNI"
            : new String(Arrays.copyOfRange(content, 5, content.length), StandardCharsets.ISO_8859_1);
    }

    private static String extensions(byte[] sent) throws Exception {
        StringBuilder text = new StringBuilder();
        for (int type : new ClientHello(TlsRecord.read(new ByteArrayInputStream(sent))).extensionTypes()) {
            text.append(text.length() == 0 ? "" : ", ").append(WireText.extension(type));
        }
        return text.toString();
    }
}
