// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.CertPathBuilder;
import java.security.cert.CertStore;
import java.security.cert.CertificateFactory;
import java.security.cert.CollectionCertStoreParameters;
import java.security.cert.PKIXBuilderParameters;
import java.security.cert.PKIXRevocationChecker;
import java.security.cert.X509CertSelector;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.CertPathTrustManagerParameters;
import javax.net.ssl.ManagerFactoryParameters;

/**
 * How does the JDK under test learn that a certificate was revoked: by a list (CRL), from a
 * responder that it asks (OCSP), or by what the server has from that responder and staples to its
 * handshake? The name of the other side's key says which. No certificate names a responder, so
 * that nothing but the row's own way can tell.
 */
final class Revocation {
    static final String BY_LIST = "revoked-crl";
    static final String BY_RESPONDER = "revoked-ocsp";
    static final String BY_STAPLE = "revoked-stapled";
    static final String[] KEYS = {BY_LIST, BY_RESPONDER, BY_STAPLE};

    private static final String RESPONDER = "interop.responder";
    private static final String RESPONDER_OF_SERVER = "jdk.tls.stapling.responderURI";
    private static final Pattern LENGTH = Pattern.compile("\ncontent-length: *(\\d+)");

    private Revocation() { }

    /** What a trust manager of the JDK under test is made of, if the other side has such a key. */
    static ManagerFactoryParameters parameters(Path folder, KeyStore anchors, String key)
            throws GeneralSecurityException, IOException {
        PKIXBuilderParameters parameters =
            new PKIXBuilderParameters(anchors, new X509CertSelector());
        parameters.setRevocationEnabled(true);
        if (key.equals(BY_LIST)) {
            byte[] list = Files.readAllBytes(list(folder));
            parameters.addCertStore(CertStore.getInstance("Collection",
                new CollectionCertStoreParameters(Collections.singleton(CertificateFactory
                    .getInstance("X.509").generateCRL(new ByteArrayInputStream(list))))));
        } else {
            PKIXRevocationChecker checker = (PKIXRevocationChecker)
                CertPathBuilder.getInstance("PKIX").getRevocationChecker();
            checker.setOptions(EnumSet.of(PKIXRevocationChecker.Option.NO_FALLBACK));
            if (key.equals(BY_RESPONDER)) {
                checker.setOcspResponder(URI.create(System.getProperty(RESPONDER)));
            }
            parameters.addCertPathChecker(checker);
        }
        return new CertPathTrustManagerParameters(parameters);
    }

    /** Lets servers of the JDK staple, in this JVM, before it has loaded any of TLS. */
    static void allowStaples() {
        System.setProperty("jdk.tls.server.enableStatusRequestExtension", "true");
    }

    /** Gives the next server a responder, if its key is the row's; others ask none. */
    static void staple(String key) {
        if (key.equals(BY_STAPLE)) {
            System.setProperty(RESPONDER_OF_SERVER, System.getProperty(RESPONDER));
        } else {
            System.clearProperty(RESPONDER_OF_SERVER);
        }
    }

    /** Answers whoever asks with the authority's word on all revoked certificates. */
    static ServerSocket respond(Path folder) throws IOException {
        ServerSocket listener = new ServerSocket(0, 50, InetAddress.getByName("127.0.0.1"));
        System.setProperty(RESPONDER, "http://127.0.0.1:" + listener.getLocalPort() + "/");
        TlsPeer.daemon("responder", () -> {
            while (!listener.isClosed()) {
                try (Socket socket = listener.accept()) {
                    socket.setSoTimeout(Conversation.READ_TIMEOUT_MS);
                    answer(socket, Files.readAllBytes(word(folder)));
                } catch (IOException e) {
                    continue;   // whoever asked sees it; or it is closed
                }
            }
        }).start();
        return listener;
    }

    private static void answer(Socket socket, byte[] word) throws IOException {
        InputStream in = socket.getInputStream();
        Matcher length = LENGTH.matcher(RequestHead.read(in).toLowerCase(Locale.ROOT));
        for (int left = length.find() ? Integer.parseInt(length.group(1)) : 0; left > 0; left--) {
            in.read();
        }
        OutputStream out = socket.getOutputStream();
        out.write(("HTTP/1.1 200 OK\r\nContent-Type: application/ocsp-response\r\nContent-Length: "
            + word.length + "\r\nConnection: close\r\n\r\n").getBytes(StandardCharsets.US_ASCII));
        out.write(word);
        out.flush();
    }

    /** Writes the authority's list, and its word as a responder (RFC 5280, 5.1; RFC 6960, 4.2.1). */
    static void write(Path folder, Minter minter, PrivateKey authorityKey, byte[] authorityName,
            byte[] nameHash, byte[] keyHash, long... serials)
            throws GeneralSecurityException, IOException {
        byte[] revoked = new byte[0];
        byte[] answers = new byte[0];
        byte[] sha1 = Der.sequence(Der.oid("1.3.14.3.2.26"), Der.nothing());
        for (long serial : serials) {
            byte[] number = Der.integer(serial);
            revoked = Der.join(revoked, Der.sequence(number, minter.time(-1)));
            answers = Der.join(answers, Der.sequence(
                Der.sequence(sha1, Der.octets(nameHash), Der.octets(keyHash), number),
                Der.element(Der.EXPLICIT | 1, minter.generalizedTime(-1)),
                minter.generalizedTime(-1),
                Der.element(Der.EXPLICIT, minter.generalizedTime(1))));
        }
        Files.write(list(folder), Minter.signed(authorityKey, Der.sequence(Der.integer(1),
            Minter.RSA_WITH_SHA256, authorityName, minter.time(-1), minter.time(1),
            Der.sequence(revoked))));
        byte[] basic = Minter.signed(authorityKey, Der.sequence(
            Der.element(Der.EXPLICIT | 1, authorityName), minter.generalizedTime(-1),
            Der.sequence(answers)));
        Files.write(word(folder), Der.sequence(Der.element(Der.ENUMERATED, new byte[1]),
            Der.element(Der.EXPLICIT, Der.sequence(Der.oid("1.3.6.1.5.5.7.48.1.1"),
                Der.octets(basic)))));
    }

    private static Path list(Path folder) {
        return folder.resolve("authority.crl");
    }

    private static Path word(Path folder) {
        return folder.resolve("authority.ocsp");
    }
}
