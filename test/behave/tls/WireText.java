// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** What went over the wire, in words: records of TLS, and what is in those that are plain. */
final class WireText {
    private static final Map<Integer, String> ALERTS = names("0 close_notify 10 unexpected_message"
        + " 20 bad_record_mac 21 decryption_failed 22 record_overflow 30 decompression_failure"
        + " 40 handshake_failure 41 no_certificate 42 bad_certificate 43 unsupported_certificate"
        + " 44 certificate_revoked 45 certificate_expired 46 certificate_unknown"
        + " 47 illegal_parameter 48 unknown_ca 49 access_denied 50 decode_error 51 decrypt_error"
        + " 60 export_restriction 70 protocol_version 71 insufficient_security 80 internal_error"
        + " 86 inappropriate_fallback 90 user_canceled 100 no_renegotiation 109 missing_extension"
        + " 110 unsupported_extension 111 certificate_unobtainable 112 unrecognized_name"
        + " 113 bad_certificate_status_response 114 bad_certificate_hash_value"
        + " 115 unknown_psk_identity 116 certificate_required 120 no_application_protocol");

    private static final Map<Integer, String> MESSAGES = names("0 HelloRequest 1 ClientHello"
        + " 2 ServerHello 4 NewSessionTicket 8 EncryptedExtensions 11 Certificate"
        + " 12 ServerKeyExchange 13 CertificateRequest 14 ServerHelloDone 15 CertificateVerify"
        + " 16 ClientKeyExchange 20 Finished 22 CertificateStatus 24 KeyUpdate");

    private static final Map<Integer, String> EXTENSIONS = names("0 server_name"
        + " 1 max_fragment_length 5 status_request 10 supported_groups 11 ec_point_formats"
        + " 13 signature_algorithms 16 alpn 17 status_request_v2 21 padding"
        + " 22 encrypt_then_mac 23 extended_master_secret 35 session_ticket 41 pre_shared_key"
        + " 42 early_data 43 supported_versions 44 cookie 45 psk_key_exchange_modes"
        + " 47 certificate_authorities 49 post_handshake_auth 50 signature_algorithms_cert"
        + " 51 key_share 65281 renegotiation_info");

    /** Extensions of a ServerHello whose content is short and says much. */
    private static final String TOLD = " 1 16 43 51 ";

    private static final int SERVER_HELLO = 2;
    private static final int NEW_SESSION_TICKET = 4;
    private static final int SERVER_KEY_EXCHANGE = 12;
    private static final int NAMED_CURVE = 3;
    private static final int RANDOM_BYTES = 32;

    private static final String RETRY = "RetryRequest";

    /** How the random of a HelloRetryRequest begins (RFC 8446, section 4.1.3). */
    private static final String RETRY_BEGIN = "cf21ad74e59a6111";

    private final List<String> words = new ArrayList<>();
    private final boolean showsLengths;
    private byte[] handshake = new byte[0];
    private boolean isEncrypted;

    /** Who has asked for another hello sends change_cipher_spec now (RFC 8446, appendix D.4). */
    private boolean isRetry;

    private WireText(boolean showsLengths) {
        this.showsLengths = showsLengths;
    }

    /** All records, with the lengths of those that are encrypted. */
    static String of(byte[] bytes) {
        return of(bytes, true);
    }

    /** @param showsLengths of encrypted records; some depend on random numbers */
    static String of(byte[] bytes, boolean showsLengths) {
        WireText text = new WireText(showsLengths);
        ByteBuffer in = ByteBuffer.wrap(bytes);
        while (in.hasRemaining()) {
            if (in.remaining() < TlsRecord.HEADER_BYTES) {
                text.words.add(in.remaining() + " bytes of a record");
                break;
            }
            int type = in.get() & 0xff;
            int version = in.getShort() & 0xffff;
            int length = in.getShort() & 0xffff;
            if (length > in.remaining()) {
                text.words.add("type " + type + ", " + in.remaining() + " bytes of " + length);
                break;
            }
            byte[] body = new byte[length];
            in.get(body);
            text.record(type, version, body);
        }
        return text.words.isEmpty() ? "nothing" : String.join(", ", text.words);
    }

    static String alert(int code) {
        return ALERTS.getOrDefault(code, "alert " + code);
    }

    private void record(int type, int version, byte[] body) {
        if (type == TlsRecord.CHANGE_CIPHER_SPEC) {
            words.add("change_cipher_spec");
            isEncrypted = !isRetry;
            isRetry = false;
        } else if (type == TlsRecord.ALERT && body.length == 2) {
            words.add((body[0] == 1 ? "warning " : body[0] == 2 ? "fatal " : "level " + body[0] + " ")
                + alert(body[1] & 0xff) + (version == 0x0303 ? "" : String.format(" in %04x", version)));
        } else if (type == TlsRecord.HANDSHAKE && !isEncrypted) {
            handshake = Der.join(handshake, body);
            messages();
        } else {
            words.add((type == TlsRecord.APPLICATION_DATA ? "data" : "encrypted " + type)
                + (showsLengths ? " " + body.length : ""));
        }
    }

    private void messages() {
        ByteBuffer in = ByteBuffer.wrap(handshake);
        while (in.remaining() >= 4) {
            in.mark();
            int type = in.get() & 0xff;
            int length = (in.get() & 0xff) << 16 | in.getShort() & 0xffff;
            if (length > in.remaining()) {
                in.reset();
                break;
            }
            byte[] body = new byte[length];
            in.get(body);
            try {
                words.add(message(type, body));
                isRetry = words.get(words.size() - 1).startsWith(RETRY);
            } catch (BufferUnderflowException e) {
                words.add("malformed message " + type);
            }
        }
        handshake = new byte[in.remaining()];
        in.get(handshake);
    }

    private static String message(int type, byte[] body) {
        String name = MESSAGES.getOrDefault(type, "message " + type);
        if (type == SERVER_HELLO) {
            return serverHello(body);
        } else if (type == SERVER_KEY_EXCHANGE && body.length > 3) {
            // The lengths of numbers and signatures vary, what they are of does not.
            return name + (body[0] == NAMED_CURVE
                ? String.format(" group %02x%02x", body[1], body[2])
                : " prime of " + ((body[0] & 0xff) << 8 | body[1] & 0xff) + " bytes");
        }
        boolean isOfSession = type == TlsRecord.CLIENT_HELLO || type == NEW_SESSION_TICKET;
        return isOfSession ? name : name + " " + body.length;
    }

    private static String serverHello(byte[] body) {
        ByteBuffer in = ByteBuffer.wrap(body);
        final int version = in.getShort() & 0xffff;
        byte[] random = new byte[RANDOM_BYTES];
        in.get(random);
        int idBytes = in.get() & 0xff;
        in.position(in.position() + idBytes);
        StringBuilder text = new StringBuilder(
            hex(random, 8).equals(RETRY_BEGIN) ? RETRY : "ServerHello");
        text.append(String.format(" %04x suite %04x", version, in.getShort()));
        text.append(" id ").append(idBytes);
        text.append(in.get() == 0 ? "" : " compressed").append(" [");
        if (in.hasRemaining()) {
            in.getShort();
        }
        while (in.hasRemaining()) {
            int type = in.getShort() & 0xffff;
            byte[] content = new byte[in.getShort() & 0xffff];
            in.get(content);
            text.append(text.charAt(text.length() - 1) == '[' ? "" : " ")
                .append(EXTENSIONS.getOrDefault(type, "extension " + type));
            if (TOLD.contains(" " + type + " ")) {
                text.append('=').append(hex(content, type == ClientHello.KEY_SHARE ? 2 : 40));
            }
        }
        return text.append(']').toString();
    }

    static String hex(byte[] bytes, int most) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < Math.min(most, bytes.length); i++) {
            text.append(String.format("%02x", bytes[i]));
        }
        return text.toString();
    }

    static String extension(int type) {
        return EXTENSIONS.getOrDefault(type, "extension " + type);
    }

    private static Map<Integer, String> names(String table) {
        Map<Integer, String> names = new HashMap<>();
        String[] words = table.split(" ");
        for (int i = 0; i < words.length; i += 2) {
            names.put(Integer.parseInt(words[i]), words[i + 1]);
        }
        return names;
    }
}
