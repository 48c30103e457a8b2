// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.IOException;
import java.math.BigInteger;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyPair;
import java.security.MessageDigest;
import java.security.interfaces.ECPublicKey;
import java.security.spec.ECPoint;
import java.security.spec.ECPublicKeySpec;
import java.util.Arrays;
import javax.crypto.Cipher;
import javax.crypto.KeyAgreement;
import javax.crypto.Mac;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/**
 * How does a server take a record that no JSSE client sends? A client of TLS 1.3 by hand (RFC 8446)
 * that has its keys and so can encrypt any record: TLS_AES_128_GCM_SHA256 and secp256r1 only,
 * without compatibility mode. It checks neither the server's certificate nor its Finished.
 */
final class RawClient implements Closeable {
    private static final int HASH_BYTES = 32;
    private static final int KEY_BYTES = 16;
    private static final int IV_BYTES = 12;
    private static final int TAG_BITS = 128;
    private static final int COORDINATE_BYTES = 32;
    private static final int FINISHED = 20;
    private static final byte ECHOED = 42;
    private static final String ECHO = "the byte that was sent";

    private final Socket socket;
    private final ByteArrayOutputStream transcript = new ByteArrayOutputStream();
    private Direction sends;
    private Direction receives;

    /** Sends a Finished of which the first byte is wrong. */
    static RawClient withWrongFinished(InetSocketAddress server)
            throws IOException, GeneralSecurityException {
        return new RawClient(server, 1);
    }

    /** Connects and completes the handshake. */
    static RawClient connect(InetSocketAddress server) throws IOException, GeneralSecurityException {
        return new RawClient(server, 0);
    }

    private RawClient(InetSocketAddress server, int finishedFlips)
            throws IOException, GeneralSecurityException {
        socket = new Socket(server.getAddress(), server.getPort());
        socket.setSoTimeout(Client.PATIENCE_MS);
        KeyPair pair = RawHello.keyPair();
        TlsRecord hello = RawHello.client((ECPublicKey) pair.getPublic());
        note(hello);
        send(hello);
        TlsRecord answer = TlsRecord.read(socket.getInputStream());
        if (answer == null || !answer.isHandshake(TlsRecord.SERVER_HELLO)
                || RawHello.isRetry(answer)) {
            throw new IOException("the server answered " + answer + ", which is no ServerHello");
        }
        note(answer);
        finish(handshakeSecret(pair, answer), finishedFlips);
    }

    /** Connects and completes the handshake, or says that this was not to be had. */
    static RawClient connect(InetSocketAddress server, Findings findings)
            throws GeneralSecurityException {
        try {
            return new RawClient(server, 0);
        } catch (IOException e) {
            findings.require(false, "No handshake of TLS 1.3: " + e.getMessage() + ".");
            throw new IllegalStateException(e);
        }
    }

    /** Sends a byte that is to be echoed; notes as a fact what the server answers. */
    boolean isEchoed(Findings findings) throws IOException, GeneralSecurityException {
        String answer = answer();
        findings.fact("answer", answer);
        return answer.equals(ECHO);
    }

    /** Sends a byte that is to be echoed; what does the server answer? */
    String answer() throws IOException, GeneralSecurityException {
        try {
            send(TlsRecord.APPLICATION_DATA, new byte[] {ECHOED});
            return text(next());
        } catch (SocketException e) {      // the server's end came first
            return "the end, by " + e.getMessage();
        }
    }

    /** Sends nothing; what does the server say next? */
    String said() throws IOException, GeneralSecurityException {
        return text(next());
    }

    private static String text(byte[] inner) {
        if (inner == null) {
            return "the end";
        }
        int type = inner[inner.length - 1];
        if (type == TlsRecord.ALERT && inner.length == 3) {
            return "alert " + (inner[1] & 0xff);
        }
        boolean isEcho = type == TlsRecord.APPLICATION_DATA && inner[0] == ECHOED;
        return isEcho ? ECHO : inner.length - 1 + " bytes of type " + type;
    }

    /** Sends a record as it is, unencrypted. */
    void send(TlsRecord record) throws IOException {
        socket.getOutputStream().write(record.bytes);
    }

    /** Sends an encrypted record of that type; its content may have no byte. */
    void send(int type, byte[] content) throws IOException, GeneralSecurityException {
        send(sends.seal(type, content));
    }

    /**
     * What is the next record that is no handshake message, such as a ticket?
     *
     * @return its content with its type as the last byte; null if the server ends the connection
     */
    private byte[] next() throws IOException, GeneralSecurityException {
        while (true) {
            TlsRecord record = TlsRecord.read(socket.getInputStream());
            if (record == null) {
                return null;
            }
            if (record.type() == TlsRecord.ALERT) {
                return RawHello.join(Arrays.copyOfRange(record.bytes, TlsRecord.HEADER_BYTES,
                    record.bytes.length), new byte[] {TlsRecord.ALERT});
            }
            if (record.type() == TlsRecord.APPLICATION_DATA) {
                byte[] inner = receives.open(record);
                if (inner[inner.length - 1] != TlsRecord.HANDSHAKE) {
                    return inner;
                }
            }
        }
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }

    private void finish(byte[] handshakeSecret, int finishedFlips)
            throws IOException, GeneralSecurityException {
        byte[] hash = hash(transcript.toByteArray());
        byte[] clientSecret = expand(handshakeSecret, "c hs traffic", hash, HASH_BYTES);
        receives = new Direction(expand(handshakeSecret, "s hs traffic", hash, HASH_BYTES));
        sends = new Direction(clientSecret);
        readFlight();
        hash = hash(transcript.toByteArray());
        byte[] verified = hmac(expand(clientSecret, "finished", new byte[0], HASH_BYTES), hash);
        verified[0] ^= (byte) finishedFlips;
        send(TlsRecord.HANDSHAKE, RawHello.join(new byte[] {FINISHED},
            RawHello.vector(3, verified)));
        byte[] master = hmac(derived(handshakeSecret), new byte[HASH_BYTES]);
        sends = new Direction(expand(master, "c ap traffic", hash, HASH_BYTES));
        receives = new Direction(expand(master, "s ap traffic", hash, HASH_BYTES));
    }

    /** Reads the server's messages up to its Finished. */
    private void readFlight() throws IOException, GeneralSecurityException {
        ByteArrayOutputStream flight = new ByteArrayOutputStream();
        while (!endsWithFinished(flight.toByteArray())) {
            TlsRecord record = TlsRecord.read(socket.getInputStream());
            if (record == null || record.type() == TlsRecord.ALERT) {
                throw new IOException("the server ended the handshake: " + record);
            }
            if (record.type() == TlsRecord.APPLICATION_DATA) {
                byte[] inner = receives.open(record);
                flight.write(inner, 0, inner.length - 1);
            }
        }
        flight.writeTo(transcript);
    }

    private static boolean endsWithFinished(byte[] flight) {
        int at = 0;
        boolean finished = false;
        while (at + 4 <= flight.length) {
            finished = flight[at] == FINISHED;
            at += 4 + new BigInteger(1, Arrays.copyOfRange(flight, at + 1, at + 4)).intValue();
        }
        return finished && at == flight.length;
    }

    private byte[] handshakeSecret(KeyPair pair, TlsRecord serverHello)
            throws GeneralSecurityException {
        byte[] share = RawHello.extensionOf(serverHello, ClientHello.KEY_SHARE);
        int x = share.length - 2 * COORDINATE_BYTES;
        ECPoint point = new ECPoint(
            new BigInteger(1, Arrays.copyOfRange(share, x, x + COORDINATE_BYTES)),
            new BigInteger(1, Arrays.copyOfRange(share, x + COORDINATE_BYTES, share.length)));
        KeyAgreement agreement = KeyAgreement.getInstance("ECDH");
        agreement.init(pair.getPrivate());
        agreement.doPhase(KeyFactory.getInstance("EC").generatePublic(
            new ECPublicKeySpec(point, ((ECPublicKey) pair.getPublic()).getParams())), true);
        byte[] early = hmac(new byte[HASH_BYTES], new byte[HASH_BYTES]);
        return hmac(derived(early), agreement.generateSecret());
    }

    private void note(TlsRecord record) {
        transcript.write(record.bytes, TlsRecord.HEADER_BYTES, record.bodyBytes());
    }

    private static byte[] derived(byte[] secret) throws GeneralSecurityException {
        return expand(secret, "derived", hash(new byte[0]), HASH_BYTES);
    }

    /** HKDF-Expand-Label (RFC 8446 section 7.1), of a length of one block at most. */
    private static byte[] expand(byte[] secret, String label, byte[] context, int bytes)
            throws GeneralSecurityException {
        byte[] info = RawHello.join(RawHello.number(2, bytes),
            RawHello.vector(1, ("tls13 " + label).getBytes(StandardCharsets.US_ASCII)),
            RawHello.vector(1, context), new byte[] {1});
        return Arrays.copyOf(hmac(secret, info), bytes);
    }

    private static byte[] hmac(byte[] key, byte[] message) throws GeneralSecurityException {
        Mac mac = Mac.getInstance("HmacSHA256");
        mac.init(new SecretKeySpec(key, "HmacSHA256"));
        return mac.doFinal(message);
    }

    private static byte[] hash(byte[] message) throws GeneralSecurityException {
        return MessageDigest.getInstance("SHA-256").digest(message);
    }

    /** The keys of one direction, and how many records they have encrypted. */
    private static final class Direction {
        private final SecretKeySpec key;
        private final byte[] iv;
        private long records;

        Direction(byte[] secret) throws GeneralSecurityException {
            key = new SecretKeySpec(expand(secret, "key", new byte[0], KEY_BYTES), "AES");
            iv = expand(secret, "iv", new byte[0], IV_BYTES);
        }

        TlsRecord seal(int type, byte[] content) throws GeneralSecurityException {
            byte[] inner = RawHello.join(content, new byte[] {(byte) type});
            TlsRecord header = TlsRecord.of(TlsRecord.APPLICATION_DATA,
                new byte[inner.length + TAG_BITS / 8]);
            return TlsRecord.of(TlsRecord.APPLICATION_DATA,
                run(Cipher.ENCRYPT_MODE, header, inner));
        }

        /** The content, with its type as the last byte; zeros pad it (section 5.4). */
        byte[] open(TlsRecord record) throws GeneralSecurityException {
            byte[] inner = run(Cipher.DECRYPT_MODE, record, Arrays.copyOfRange(
                record.bytes, TlsRecord.HEADER_BYTES, record.bytes.length));
            int length = inner.length;
            while (length > 1 && inner[length - 1] == 0) {
                length--;
            }
            return Arrays.copyOf(inner, length);
        }

        private byte[] run(int mode, TlsRecord header, byte[] body)
                throws GeneralSecurityException {
            byte[] nonce = iv.clone();
            for (int i = 0; i < 8; i++) {
                nonce[IV_BYTES - 1 - i] ^= (byte) (records >>> 8 * i);
            }
            records++;
            Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
            cipher.init(mode, key, new GCMParameterSpec(TAG_BITS, nonce));
            cipher.updateAAD(header.bytes, 0, TlsRecord.HEADER_BYTES);
            return cipher.doFinal(body);
        }
    }
}
