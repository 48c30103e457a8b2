// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;

/**
 * What if a server asks for a certificate in a way that JSSE never does? Adds a certificate type or
 * an authority to the CertificateRequest of TLS 1.2 (RFC 5246 section 7.4.4: certificate types,
 * signature algorithms, names of authorities) on its way to the client. The messages of that flight
 * are in the clear, each whole in its record.
 */
final class TamperedRequest {
    private static final int CERTIFICATE_REQUEST = 13;

    /** For the kit's own tests: if the request passes unchanged, no test may pass. */
    private static final boolean DISARMED = "off".equals(System.getProperty("request.tampered"));

    private final byte[] addedType;
    private final byte[] addedAuthority;
    private boolean seen;

    private TamperedRequest(byte[] addedType, byte[] addedAuthority) {
        this.addedType = addedType;
        this.addedAuthority = addedAuthority;
    }

    /** Adds one certificate type. */
    static TamperedRequest withType(byte type) {
        return new TamperedRequest(new byte[] {type}, new byte[0]);
    }

    /** Adds one authority, by what should be the DER of its name. */
    static TamperedRequest withAuthority(byte[] name) {
        byte[] entry = ByteBuffer.allocate(2 + name.length)
            .putShort((short) name.length).put(name).array();
        return new TamperedRequest(new byte[0], entry);
    }

    /** Whether a request has passed, and was changed. */
    boolean seen() {
        return seen;
    }

    /** @param sent whole records of a server; what comes after the request may be encrypted */
    byte[] apply(byte[] sent) {
        if (seen || DISARMED) {
            return sent;
        }
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try {
            ByteArrayInputStream in = new ByteArrayInputStream(sent);
            for (TlsRecord record = TlsRecord.read(in); record != null;
                    record = TlsRecord.read(in)) {
                out.write((record.type() == TlsRecord.HANDSHAKE && !seen
                    ? TlsRecord.of(TlsRecord.HANDSHAKE, messages(record)) : record).bytes);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return out.toByteArray();
    }

    /** @return the innermost JSSE class and method in the stack trace; empty if there is none */
    static String frameOfJsse(Throwable thrown) {
        if (thrown != null) {
            for (StackTraceElement frame : thrown.getStackTrace()) {
                if (frame.getClassName().startsWith("sun.security.ssl.")) {
                    return frame.getClassName().replace("sun.security.ssl.", "") + "."
                        + frame.getMethodName();
                }
            }
        }
        return "";
    }

    private byte[] messages(TlsRecord record) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteBuffer in = ByteBuffer.wrap(record.bytes);
        in.position(TlsRecord.HEADER_BYTES);
        while (in.hasRemaining()) {
            int type = in.get();
            byte[] body = new byte[(in.get() & 0xff) << 16 | in.getShort() & 0xffff];
            in.get(body);
            if (type == CERTIFICATE_REQUEST) {
                body = tampered(ByteBuffer.wrap(body));
                seen = true;
            }
            byte[] header = ByteBuffer.allocate(4).putInt(type << 24 | body.length).array();
            out.write(header, 0, header.length);
            out.write(body, 0, body.length);
        }
        return out.toByteArray();
    }

    private byte[] tampered(ByteBuffer in) {
        byte[] types = bytes(in, in.get() & 0xff);
        byte[] algorithms = bytes(in, in.getShort() & 0xffff);
        byte[] authorities = bytes(in, in.getShort() & 0xffff);
        ByteBuffer out = ByteBuffer.allocate(5 + types.length + addedType.length
            + algorithms.length + authorities.length + addedAuthority.length);
        out.put((byte) (types.length + addedType.length)).put(types).put(addedType);
        out.putShort((short) algorithms.length).put(algorithms);
        out.putShort((short) (authorities.length + addedAuthority.length));
        return out.put(authorities).put(addedAuthority).array();
    }

    private static byte[] bytes(ByteBuffer in, int count) {
        byte[] bytes = new byte[count];
        in.get(bytes);
        return bytes;
    }
}
