// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: Apache-2.0

package tls13kit.conformance;

import de.rub.nds.modifiablevariable.util.Modifiable;
import de.rub.nds.tlsattacker.core.constants.CipherSuite;
import de.rub.nds.tlsattacker.core.constants.KeyUpdateRequest;
import de.rub.nds.tlsattacker.core.constants.NamedGroup;
import de.rub.nds.tlsattacker.core.constants.ProtocolMessageType;
import de.rub.nds.tlsattacker.core.constants.SignatureAndHashAlgorithm;
import de.rub.nds.tlsattacker.core.protocol.message.ChangeCipherSpecMessage;
import de.rub.nds.tlsattacker.core.protocol.message.ClientHelloMessage;
import de.rub.nds.tlsattacker.core.protocol.message.KeyUpdateMessage;
import de.rub.nds.tlsattacker.core.protocol.message.NewSessionTicketMessage;
import de.rub.nds.tlsattacker.core.protocol.message.extension.KeyShareExtensionMessage;
import de.rub.nds.tlsattacker.core.protocol.message.extension.PreSharedKeyExtensionMessage;
import de.rub.nds.tlsattacker.core.protocol.message.extension.SignatureAndHashAlgorithmsExtensionMessage;
import de.rub.nds.tlsattacker.core.protocol.message.extension.SupportedVersionsExtensionMessage;
import de.rub.nds.tlsattacker.core.protocol.message.extension.UnknownExtensionMessage;
import de.rub.nds.tlsattacker.core.protocol.message.extension.psk.PskSet;
import de.rub.nds.tlsattacker.core.record.Record;
import java.time.LocalDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;

/** What a client does against RFC 8446, or within it but unusual; named by the rule's section. */
final class ClientRules {
    static final Map<String, Consumer<ClientTalk>> ALL;

    /** TLS-Attacker's format for the time at which a ticket arrived. */
    private static final String TICKET_AGE = "yyyy-MM-dd HH:mm:ss.SSS";

    static {
        Map<String, Consumer<ClientTalk>> all = new LinkedHashMap<>();
        all.put("keeps-all-rules", talk -> { });
        // ClientHello
        all.put("4.1.2-compression", talk -> talk.clientHello()
            .setCompressions(Modifiable.explicit(new byte[] {1, 0})));
        all.put("4.1.2-no-null-compression", talk -> talk.clientHello()
            .setCompressions(Modifiable.explicit(new byte[] {1})));
        all.put("4.1.1-no-common-suite", talk -> talk.config
            .setDefaultClientSupportedCipherSuites(CipherSuite.TLS_AES_128_CCM_8_SHA256));
        all.put("4.2.1-no-common-version", talk ->
            talk.ofClientHello(SupportedVersionsExtensionMessage.class)
                .setSupportedVersions(Modifiable.explicit(new byte[] {3, 5})));
        all.put("4.2-twice-in-client-hello", talk -> {
            talk.clientHello().addExtension(ServerRules.unknown());
            talk.clientHello().addExtension(ServerRules.unknown());
        });
        all.put("4.2-key-share-twice", talk -> talk.clientHello()
            .addExtension(new KeyShareExtensionMessage(talk.config)));
        all.put("9.2-no-signature-algorithms", talk ->
            talk.config.setAddSignatureAndHashAlgorithmsExtension(false));
        all.put("9.2-no-supported-groups", talk ->
            talk.config.setAddEllipticCurveExtension(false));
        all.put("9.2-no-key-share", talk -> talk.config.setAddKeyShareExtension(false));
        all.put("4.2.8.2-no-point-of-the-curve", talk ->
            talk.ofClientHello(KeyShareExtensionMessage.class)
                .setKeyShareListBytes(Modifiable.xor(new byte[] {0x55}, 30)));
        all.put("4.2.8.2-short-key-share", talk ->
            talk.ofClientHello(KeyShareExtensionMessage.class)
                .setKeyShareListBytes(Modifiable.explicit(shortShare())));
        all.put("4.2.9-psk-without-modes", talk -> {
            offer(talk);
            talk.config.setAddPSKKeyExchangeModesExtension(false);
        });
        all.put("4.2.11-psk-not-last", talk -> {
            offer(talk);
            talk.clientHello().addExtension(ServerRules.unknown());
        });
        all.put("4.2.11-no-binder", talk -> {
            offer(talk);
            psk(talk).setBinderListBytes(Modifiable.explicit(new byte[0]));
            psk(talk).setBinderListLength(Modifiable.explicit(0));
        });
        all.put("4.2.11-wrong-binder", talk -> {
            talk.comesBack();
            psk(talk).setBinderListBytes(Modifiable.xor(new byte[] {1}, 9));
        });
        all.put("4.1.1-no-common-group", talk -> {
            talk.config.setDefaultClientNamedGroups(NamedGroup.SECP384R1);
            talk.config.setDefaultClientKeyShareNamedGroups(NamedGroup.SECP384R1);
        });
        all.put("4.1.1-no-scheme-for-the-key", talk -> talk.config
            .setDefaultClientSupportedSignatureAndHashAlgorithms(
                SignatureAndHashAlgorithm.ECDSA_SHA384));
        all.put("4.2.1-list-too-long", talk ->
            talk.ofClientHello(SupportedVersionsExtensionMessage.class)
                .setSupportedVersionsLength(Modifiable.add(2)));
        all.put("4.2.3-list-too-long", talk ->
            talk.ofClientHello(SignatureAndHashAlgorithmsExtensionMessage.class)
                .setSignatureAndHashAlgorithmsLength(Modifiable.add(2)));
        all.put("d.5-legacy-version-of-ssl-2", talk -> talk.clientHello()
            .setProtocolVersion(Modifiable.explicit(new byte[] {2, 0})));
        all.put("d.5-legacy-version-of-ssl-3", talk -> talk.clientHello()
            .setProtocolVersion(Modifiable.explicit(new byte[] {3, 0})));
        all.put("4-length-too-large", talk ->
            talk.clientHello().setExtensionsLength(Modifiable.add(5)));
        all.put("4.1.2-second-client-hello", talk ->
            talk.flight.add(0, new ClientHelloMessage(talk.config)));
        all.put("4-unknown-message", talk -> talk.flight.add(1, ServerRules.unknownMessage()));
        all.put("4.6.1-ticket-of-a-client", talk ->
            talk.request.add(0, new NewSessionTicketMessage(talk.config, true)));
        all.put("4.4.4-wrong-finished", talk ->
            talk.finished.setVerifyData(Modifiable.xor(new byte[] {1}, 3)));
        all.put("4.4.4-short-finished", talk ->
            talk.finished.setVerifyData(Modifiable.delete(0, 1)));
        all.put("2-data-before-finished", talk -> {
            talk.flight.remove(talk.finished);
        });
        all.put("4.4.4-plaintext-finished", talk -> {
            talk.flightRecords.add(new Record());       // of change_cipher_spec
            talk.flightRecords.add(OddRecords.plaintextFinished());
        });
        // The client's certificate
        all.put("4.4.3-scheme-of-another-curve", talk -> {
            SignatureAndHashAlgorithm scheme = SignatureAndHashAlgorithm.ECDSA_SHA384;
            talk.config.setDefaultSelectedSignatureAndHashAlgorithm(scheme);
            talk.showsCertificate().setSignatureHashAlgorithm(
                Modifiable.explicit(scheme.getByteValue()));
        });
        all.put("4.4.3-wrong-signature", talk ->
            talk.showsCertificate().setSignature(Modifiable.xor(new byte[] {1}, 9)));
        // After the handshake
        all.put("4.6.3-unknown-key-update", talk -> {
            KeyUpdateMessage update = new KeyUpdateMessage();
            update.setRequestMode(Modifiable.explicit((byte) 2));
            talk.request.add(0, update);
        });
        all.put("4.1.2-client-hello-afterwards", talk ->
            talk.request.add(0, new ClientHelloMessage(talk.config)));
        // The only one: JSSE takes exactly one before JDK-8366244, whenever it comes.
        all.put("5-change-cipher-spec-afterwards", talk ->
            talk.request.add(0, talk.flight.remove(0)));
        // Records
        all.put("5.1-empty-handshake-record", talk ->
            empty(talk, ProtocolMessageType.HANDSHAKE));
        all.put("5.4-empty-alert-record", talk -> empty(talk, ProtocolMessageType.ALERT));
        all.put("5.4-zeros-only", talk ->
            OddRecords.with(talk.request, talk.requestRecords, new byte[20]));
        all.put("5-change-cipher-spec-of-2", talk -> {
            ChangeCipherSpecMessage two = new ChangeCipherSpecMessage();
            two.setCcsProtocolType(Modifiable.explicit(new byte[] {2}));
            talk.flight.set(0, two);
        });
        all.put("5-unknown-record", talk ->
            talk.helloRecords.add(OddRecords.ofUnknownType()));
        all.put("5.2-record-overflow", talk -> {
            talk.request.add(0, OddRecords.tooLong());
            talk.requestRecords.add(OddRecords.tooLarge(talk.config));
        });
        all.put("5.2-wrong-mac", talk ->
            talk.requestRecords.add(OddRecords.withWrongMac()));
        // What must be accepted
        all.put("5.4-empty-application-data", talk ->
            empty(talk, ProtocolMessageType.APPLICATION_DATA));
        all.put("4.1.2-unknown-suite", talk -> talk.clientHello()
            .setCipherSuites(Modifiable.explicit(new byte[] {0x0a, 0x0a, 0x13, 1})));
        all.put("4.2-unknown-extension", talk ->
            talk.clientHello().addExtension(ServerRules.unknown()));
        all.put("4.2.11-unknown-psk", ClientRules::offer);
        all.put("4.2.10-early-data-of-unknown-psk", talk -> {
            offer(talk);
            talk.clientHello().getExtensions().add(0, earlyData());
            talk.hellos.add(OddRecords.tooEarly());
        });
        all.put("4.4.2-certificate", ClientTalk::showsCertificate);
        all.put("4.2.1-unknown-version", talk ->
            talk.ofClientHello(SupportedVersionsExtensionMessage.class)
                .setSupportedVersions(Modifiable.explicit(new byte[] {0x7a, 0x7a, 3, 4})));
        all.put("5.1-any-record-version", talk ->
            talk.helloRecords.add(OddRecords.ofVersion(3, 9)));
        all.put("5.1-many-records", talk -> talk.config.setDefaultMaxRecordData(50));
        all.put("4.6.3-key-update", talk -> {
            KeyUpdateMessage update = new KeyUpdateMessage();
            update.setRequestMode(KeyUpdateRequest.UPDATE_NOT_REQUESTED);
            talk.request.add(0, update);
        });
        all.put("d.4-no-change-cipher-spec", talk -> talk.flight.remove(0));
        ALL = Collections.unmodifiableMap(all);
    }

    private ClientRules() { }

    /** A list with a secp256r1 point that is ten bytes too short, and a length field to match. */
    private static byte[] shortShare() {
        byte[] list = new byte[4 + 55];
        byte[] head = {0, 0x17, 0, 55, 4};
        Arrays.fill(list, (byte) 7);
        System.arraycopy(head, 0, list, 0, head.length);
        return list;
    }

    private static UnknownExtensionMessage earlyData() {
        UnknownExtensionMessage extension = new UnknownExtensionMessage();
        extension.setTypeConfig(new byte[] {0, 42});
        extension.setDataConfig(new byte[0]);
        return extension;
    }

    private static void empty(ClientTalk talk, ProtocolMessageType type) {
        OddRecords.with(talk.request, talk.requestRecords, type.getValue());
    }

    /** Offers a pre-shared key that the server does not know. */
    private static void offer(ClientTalk talk) {
        String now = LocalDateTime.now().format(DateTimeFormatter.ofPattern(TICKET_AGE));
        talk.config.setDefaultPskSets(Arrays.asList(new PskSet(new byte[32], new byte[32], now,
            new byte[4], new byte[8], CipherSuite.TLS_AES_128_GCM_SHA256)));
        talk.config.setAddPSKKeyExchangeModesExtension(true);
        talk.config.setAddPreSharedKeyExtension(true);
    }

    private static PreSharedKeyExtensionMessage psk(ClientTalk talk) {
        return talk.ofClientHello(PreSharedKeyExtensionMessage.class);
    }
}
