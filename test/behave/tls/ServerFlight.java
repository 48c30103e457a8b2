// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

import java.io.IOException;
import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;

/**
 * What does a client answer to this flight of a server? The messages of a server before anything is
 * encrypted; each begins as a good one. The key is the one of RSA that signs what rows sign.
 */
final class ServerFlight {
    private static SSLContext context;

    /** A flight, given the hello that it answers. */
    interface Script {
        byte[] answer(ServerFlight flight) throws GeneralSecurityException, IOException;
    }

    /** The hello of the client. */
    final ClientHello hello;

    /** All that the client has sent so far. */
    final byte[] sent;

    private final byte[] clientRandom;
    final Map<Object, byte[]> extensions = new LinkedHashMap<>();
    int version = 0x0303;
    int suite;
    byte[] random = HelloDraft.filled(32, 3);
    byte[] sessionId;
    int compression;

    private ServerFlight(byte[] sent) throws IOException {
        TlsRecord record = TlsRecord.read(new java.io.ByteArrayInputStream(sent));
        this.sent = sent;
        hello = new ClientHello(record);
        clientRandom = Arrays.copyOfRange(record.bytes, 11, 43);
        sessionId = hello.sessionId;
    }

    /** A ServerHello of TLS 1.3 with a key share of a group that the client shared. */
    ServerFlight tls13() {
        suite = 0x1301;
        extension(ClientHello.SUPPORTED_VERSIONS, HelloDraft.numbers(0x0304));
        return extension(ClientHello.KEY_SHARE, share());
    }

    byte[] share() {
        return hello.keyShares().contains(ClientHello.X25519)
            ? HelloDraft.share(ClientHello.X25519, HelloDraft.filled(32, 9))
            : HelloDraft.share(ClientHello.SECP256R1, HelloDraft.p256());
    }

    /** A HelloRetryRequest for a group. */
    ServerFlight retry(int group) {
        random = HelloDraft.hex("cf21ad74e59a6111be1d8c021e65b891c2a211167abb8c5e079e09e2c8a8339c");
        suite = 0x1301;
        extension(ClientHello.SUPPORTED_VERSIONS, HelloDraft.numbers(0x0304));
        return extension(ClientHello.KEY_SHARE, HelloDraft.numbers(group));
    }

    /** A ServerHello of TLS 1.2. */
    ServerFlight tls12(int chosen) {
        suite = chosen;
        sessionId = HelloDraft.filled(32, 8);
        return extension(HelloDraft.RENEGOTIATION, new byte[1]);
    }

    ServerFlight extension(int type, byte[] content) {
        extensions.put(type, Der.join(RawHello.number(2, type), RawHello.vector(2, content)));
        return this;
    }

    ServerFlight more(int type, byte[] content) {
        extensions.put("more " + extensions.size(),
            Der.join(RawHello.number(2, type), RawHello.vector(2, content)));
        return this;
    }

    ServerFlight without(int type) {
        extensions.remove(type);
        return this;
    }

    byte[] serverHello() {
        return HelloDraft.message(2, Der.join(RawHello.number(2, version), random,
            RawHello.vector(1, sessionId), RawHello.number(2, suite), RawHello.number(1, compression),
            extensions.isEmpty() ? new byte[0]
                : RawHello.vector(2, Der.join(extensions.values().toArray(new byte[0][])))));
    }

    static byte[] record(byte[]... messages) {
        return HelloDraft.record(TlsRecord.HANDSHAKE, 0x0303, Der.join(messages));
    }

    /** The Certificate message of TLS 1.2 for these. */
    static byte[] certificates(byte[]... certificates) {
        byte[] list = new byte[0];
        for (byte[] certificate : certificates) {
            list = Der.join(list, RawHello.vector(3, certificate));
        }
        return HelloDraft.message(11, RawHello.vector(3, list));
    }

    static byte[] certificate() throws GeneralSecurityException {
        return certificates(RowsIdentity.certificate().getEncoded());
    }

    /** A ServerKeyExchange with a point of secp256r1. */
    byte[] curve(int scheme, String algorithm) throws GeneralSecurityException {
        return exchange(Der.join(new byte[] {3, 0, 23}, RawHello.vector(1, HelloDraft.p256())),
            scheme, algorithm);
    }

    /** A ServerKeyExchange with a prime of that many bits; that it is one is seldom checked. */
    byte[] prime(int bits) throws GeneralSecurityException {
        BigInteger prime = BigInteger.ONE.shiftLeft(bits).subtract(BigInteger.valueOf(189));
        byte[] unsigned = new byte[bits / 8];
        byte[] signed = prime.toByteArray();
        System.arraycopy(signed, signed.length - unsigned.length, unsigned, 0, unsigned.length);
        return exchange(Der.join(RawHello.vector(2, unsigned), RawHello.vector(2, new byte[] {2}),
            RawHello.vector(2, new byte[] {64})), 0x0401, "SHA256withRSA");
    }

    byte[] exchange(byte[] parameters, int scheme, String algorithm)
            throws GeneralSecurityException {
        byte[] signature = CertificateDraft.sign(algorithm, TrustCheck.key(),
            Der.join(clientRandom, random, parameters));
        return HelloDraft.message(12, Der.join(parameters, RawHello.number(2, scheme),
            RawHello.vector(2, signature)));
    }

    static byte[] done() {
        return HelloDraft.message(14, new byte[0]);
    }

    private static synchronized SSLContext context() throws GeneralSecurityException, IOException {
        if (context == null) {
            context = RowsIdentity.clientContext();
        }
        return context;
    }

    /** What the client sends after its hello, and what it throws. */
    static String answered(String[] protocols, Script... scripts)
            throws GeneralSecurityException, IOException {
        int[] next = {0};
        int[] helloBytes = {0};
        MemorySocket memory = new MemorySocket(sent -> {
            if (next[0] == 0) {
                helloBytes[0] = sent.length;
            }
            try {
                return next[0] < scripts.length
                    ? scripts[next[0]++].answer(new ServerFlight(sent)) : null;
            } catch (GeneralSecurityException e) {
                throw new IOException(e);
            }
        });
        SSLSocket socket = (SSLSocket) context().getSocketFactory()
            .createSocket(memory, "localhost", 443, true);
        if (protocols.length > 0) {
            socket.setEnabledProtocols(protocols);
        }
        String end = "done";
        try {
            socket.startHandshake();
        } catch (Exception e) {
            end = e.getClass().getSimpleName() + ": " + e.getMessage();     // its cause is the JDK's own
        }
        byte[] sent = memory.sent();
        return WireText.of(Arrays.copyOfRange(sent, helloBytes[0], sent.length), false) + "; " + end;
    }
}
