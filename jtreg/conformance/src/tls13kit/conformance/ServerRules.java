// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: Apache-2.0

package tls13kit.conformance;

import de.rub.nds.modifiablevariable.util.Modifiable;
import de.rub.nds.tlsattacker.core.constants.KeyUpdateRequest;
import de.rub.nds.tlsattacker.core.constants.NamedGroup;
import de.rub.nds.tlsattacker.core.constants.ProtocolMessageType;
import de.rub.nds.tlsattacker.core.constants.SignatureAndHashAlgorithm;
import de.rub.nds.tlsattacker.core.protocol.message.ApplicationMessage;
import de.rub.nds.tlsattacker.core.protocol.message.CertificateRequestMessage;
import de.rub.nds.tlsattacker.core.protocol.message.ChangeCipherSpecMessage;
import de.rub.nds.tlsattacker.core.protocol.message.KeyUpdateMessage;
import de.rub.nds.tlsattacker.core.protocol.message.NewSessionTicketMessage;
import de.rub.nds.tlsattacker.core.protocol.message.ServerHelloMessage;
import de.rub.nds.tlsattacker.core.protocol.message.UnknownHandshakeMessage;
import de.rub.nds.tlsattacker.core.protocol.message.extension.KeyShareExtensionMessage;
import de.rub.nds.tlsattacker.core.protocol.message.extension.PreSharedKeyExtensionMessage;
import de.rub.nds.tlsattacker.core.protocol.message.extension.SupportedVersionsExtensionMessage;
import de.rub.nds.tlsattacker.core.protocol.message.extension.UnknownExtensionMessage;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;

/** What a server does against RFC 8446, or within it but unusual; named by the rule's section. */
final class ServerRules {
    static final Map<String, Consumer<ServerTalk>> ALL;

    private static final byte[] TLS_1_0 = {3, 1};
    private static final byte[] TLS_1_2 = {3, 3};
    private static final byte[] TLS_1_4 = {3, 5};
    private static final byte[] AES_128_CCM_8 = {0x13, 5};
    private static final byte[] ECDHE_ECDSA_AES_128_GCM = {(byte) 0xc0, 0x2b};
    /** The last bytes of a server's random if it supports TLS 1.3 but negotiates TLS 1.2. */
    private static final byte[] DOWNGRADED = {0x44, 0x4f, 0x57, 0x4e, 0x47, 0x52, 0x44, 1};
    private static final byte[] UNKNOWN_EXTENSION = {(byte) 0xee, (byte) 0xee};

    static {
        Map<String, Consumer<ServerTalk>> all = new LinkedHashMap<>();
        all.put("keeps-all-rules", talk -> { });
        // ServerHello
        all.put("4.1.3-session-id-echo", talk ->
            talk.serverHello.setSessionId(Modifiable.explicit(new byte[32])));
        all.put("4.1.3-suite-not-offered", talk ->
            talk.serverHello.setSelectedCipherSuite(Modifiable.explicit(AES_128_CCM_8)));
        all.put("4.1.3-compression", talk ->
            talk.serverHello.setSelectedCompressionMethod(Modifiable.explicit((byte) 1)));
        all.put("4.1.3-downgrade-to-1.2", talk -> {
            byte[] random = new byte[32];
            System.arraycopy(DOWNGRADED, 0, random, random.length - DOWNGRADED.length,
                DOWNGRADED.length);
            talk.serverHello.setRandom(Modifiable.explicit(random));
            talk.serverHello.setSelectedCipherSuite(Modifiable.explicit(ECDHE_ECDSA_AES_128_GCM));
            talk.serverHello.getExtensions().clear();
            talk.flight.retainAll(Collections.singleton(talk.serverHello));
        });
        all.put("4.2.1-version-of-1.2", talk -> version(talk, TLS_1_2));
        all.put("4.2.1-version-not-offered", talk -> version(talk, TLS_1_4));
        all.put("4.2-unsolicited-in-server-hello", talk ->
            talk.serverHello.addExtension(unknown()));
        all.put("4.2-unsolicited-in-encrypted-extensions", talk ->
            talk.encryptedExtensions.addExtension(unknown()));
        all.put("4.2-twice-in-server-hello", talk ->
            talk.serverHello.addExtension(new SupportedVersionsExtensionMessage()));
        all.put("4.2-key-share-in-encrypted-extensions", talk ->
            talk.encryptedExtensions.addExtension(new KeyShareExtensionMessage(talk.config)));
        all.put("4.2.8-group-not-offered", talk -> share(talk).setKeyShareListBytes(
            Modifiable.xor(new byte[] {1, 0x70}, 0)));
        all.put("4.2.8.2-no-point-of-the-curve", talk -> {
            talk.config.setDefaultServerNamedGroups(NamedGroup.SECP256R1);
            share(talk).setKeyShareListBytes(Modifiable.xor(new byte[] {0x55}, 30));
        });
        all.put("4.2.8-no-key-share", talk ->
            talk.serverHello.getExtensions().remove(share(talk)));
        all.put("4.2-psk-not-offered", talk ->
            talk.serverHello.addExtension(new PreSharedKeyExtensionMessage(talk.config)));
        // HelloRetryRequest
        all.put("4.1.4-retry-changes-nothing", talk -> {
            ServerHelloMessage retry = retry(talk);
            retry.getExtensions().remove(retry.getExtension(KeyShareExtensionMessage.class));
            talk.retry.add(retry);
        });
        all.put("4.1.4-retry-for-a-share-that-was-sent", talk -> talk.retry.add(retry(talk)));
        // Messages out of order
        all.put("4.3.1-no-encrypted-extensions", talk ->
            talk.flight.remove(talk.encryptedExtensions));
        all.put("4.4.2-no-certificate", talk -> talk.flight.remove(talk.certificate));
        all.put("4.4.2-empty-certificate", talk ->
            talk.config.setDefaultExplicitCertificateChain(Collections.emptyList()));
        all.put("4.4.3-no-certificate-verify", talk ->
            talk.flight.remove(talk.certificateVerify));
        all.put("4.4.3-wrong-signature", talk ->
            talk.certificateVerify.setSignature(Modifiable.xor(new byte[] {1}, 9)));
        all.put("4.4.3-algorithm-not-offered", talk -> talk.certificateVerify
            .setSignatureHashAlgorithm(Modifiable.explicit(new byte[] {6, 3 + 0x10})));
        all.put("4.4.3-pkcs1-signature", talk -> {
            SignatureAndHashAlgorithm pkcs1 = SignatureAndHashAlgorithm.RSA_SHA256;
            talk.config.setAutoAdjustSignatureAndHashAlgorithm(false);
            talk.config.setDefaultSelectedSignatureAndHashAlgorithm(pkcs1);
            talk.config.setDefaultServerSupportedSignatureAndHashAlgorithms(pkcs1);
            talk.certificateVerify
                .setSignatureHashAlgorithm(Modifiable.explicit(pkcs1.getByteValue()));
        });
        all.put("4.4.4-wrong-finished", talk ->
            talk.finished.setVerifyData(Modifiable.xor(new byte[] {1}, 3)));
        all.put("4.4.4-short-finished", talk ->
            talk.finished.setVerifyData(Modifiable.delete(0, 1)));
        all.put("4-second-server-hello", talk ->
            talk.flight.add(2, new ServerHelloMessage(talk.config)));
        all.put("4-unknown-message", talk -> talk.flight.add(3, unknownMessage()));
        all.put("4-length-too-large", talk ->
            talk.encryptedExtensions.setExtensionsLength(Modifiable.add(5)));
        all.put("2-data-before-finished", talk -> {
            ApplicationMessage early = new ApplicationMessage();
            early.setDataConfig(new byte[] {1});
            talk.flight.add(3, early);
        });
        all.put("4.6.1-ticket-before-finished", talk -> talk.flight.add(3, ticket(talk)));
        // After the handshake
        all.put("4.6.3-unknown-key-update", talk -> {
            KeyUpdateMessage update = new KeyUpdateMessage();
            update.setRequestMode(Modifiable.explicit((byte) 2));
            talk.reply.add(0, update);
        });
        all.put("4.6.3-key-update-before-finished", talk -> {
            KeyUpdateMessage update = new KeyUpdateMessage();
            update.setRequestMode(KeyUpdateRequest.UPDATE_NOT_REQUESTED);
            talk.flight.add(3, update);
        });
        all.put("4.6.2-certificate-request-afterwards", talk ->
            talk.reply.add(0, new CertificateRequestMessage(talk.config)));
        // The only one: a second is another case.
        all.put("5-change-cipher-spec-afterwards", talk ->
            talk.reply.add(0, talk.flight.remove(1)));
        // Records
        all.put("5.1-empty-handshake-record", talk ->
            empty(talk, ProtocolMessageType.HANDSHAKE));
        all.put("5.4-empty-alert-record", talk -> empty(talk, ProtocolMessageType.ALERT));
        all.put("5.4-zeros-only", talk ->
            OddRecords.with(talk.reply, talk.replyRecords, new byte[20]));
        all.put("5-change-cipher-spec-of-2", talk -> {
            ChangeCipherSpecMessage two = new ChangeCipherSpecMessage();
            two.setCcsProtocolType(Modifiable.explicit(new byte[] {2}));
            talk.flight.set(1, two);
        });
        all.put("5-unknown-record", talk ->
            talk.records.add(OddRecords.ofUnknownType()));
        all.put("5.2-record-overflow", talk -> {
            talk.reply.add(0, OddRecords.tooLong());
            talk.replyRecords.add(OddRecords.tooLarge(talk.config));
        });
        all.put("5.2-wrong-mac", talk ->
            talk.replyRecords.add(OddRecords.withWrongMac()));
        // What must be accepted
        all.put("5.4-empty-application-data", talk ->
            empty(talk, ProtocolMessageType.APPLICATION_DATA));
        all.put("5.1-any-record-version", talk ->
            talk.records.add(OddRecords.ofVersion(9, 9)));
        all.put("4.2.1-any-legacy-version", talk ->
            talk.serverHello.setProtocolVersion(Modifiable.explicit(TLS_1_0)));
        all.put("5.1-many-records", talk -> talk.config.setDefaultMaxRecordData(50));
        all.put("4.6.3-key-update", talk -> {
            KeyUpdateMessage update = new KeyUpdateMessage();
            update.setRequestMode(KeyUpdateRequest.UPDATE_NOT_REQUESTED);
            talk.reply.add(0, update);
        });
        all.put("4.6.1-two-tickets", talk -> {
            for (byte nonce = 0; nonce < 2; nonce++) {      // unique on a connection
                NewSessionTicketMessage ticket = ticket(talk);
                ticket.getTicket().setTicketNonce(Modifiable.explicit(new byte[] {nonce}));
                talk.reply.add(0, ticket);
            }
        });
        ALL = Collections.unmodifiableMap(all);
    }

    private ServerRules() { }

    private static void empty(ServerTalk talk, ProtocolMessageType type) {
        OddRecords.with(talk.reply, talk.replyRecords, type.getValue());
    }

    private static void version(ServerTalk talk, byte[] version) {
        talk.ofServerHello(SupportedVersionsExtensionMessage.class)
            .setSupportedVersions(Modifiable.explicit(version));
    }

    private static KeyShareExtensionMessage share(ServerTalk talk) {
        return talk.ofServerHello(KeyShareExtensionMessage.class);
    }

    private static NewSessionTicketMessage ticket(ServerTalk talk) {
        return new NewSessionTicketMessage(talk.config, true);
    }

    private static ServerHelloMessage retry(ServerTalk talk) {
        ServerHelloMessage retry = new ServerHelloMessage(talk.config);
        retry.setRandom(Modifiable.explicit(ServerHelloMessage.getHelloRetryRequestRandom()));
        return retry;
    }

    static UnknownExtensionMessage unknown() {
        UnknownExtensionMessage unknown = new UnknownExtensionMessage();
        unknown.setTypeConfig(UNKNOWN_EXTENSION);
        unknown.setDataConfig(new byte[0]);
        return unknown;
    }

    static UnknownHandshakeMessage unknownMessage() {
        UnknownHandshakeMessage unknown = new UnknownHandshakeMessage();
        unknown.setType(Modifiable.explicit((byte) 77));
        unknown.setDataConfig(new byte[] {1, 2, 3});
        return unknown;
    }
}
