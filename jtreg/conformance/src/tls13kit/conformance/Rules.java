// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: Apache-2.0

package tls13kit.conformance;

import de.rub.nds.tlsattacker.core.config.Config;
import de.rub.nds.tlsattacker.core.constants.CipherSuite;
import de.rub.nds.tlsattacker.core.constants.NamedGroup;
import de.rub.nds.tlsattacker.core.constants.ProtocolVersion;
import de.rub.nds.tlsattacker.core.constants.RunningModeType;
import de.rub.nds.tlsattacker.core.constants.SignatureAndHashAlgorithm;
import de.rub.nds.tlsattacker.core.workflow.WorkflowTrace;
import java.math.BigInteger;
import java.util.Map;
import java.util.function.Consumer;

/** What an attacker does, found by the name of the rule that it breaks. */
final class Rules {
    /**
     * TLS-Attacker's own nonce is just as constant, but has 256 bits: its affine arithmetic took a
     * sixth of the CPU time of all rows. No verifier can tell, and the key protects nothing.
     */
    private static final BigInteger SMALL_NONCE = BigInteger.valueOf(3);

    private Rules() { }

    /** TLS 1.3 as every JDK supports it, without extras: a rule adds what it needs. */
    static Config config(boolean isServer) {
        Config config = new Config();
        config.setHighestProtocolVersion(ProtocolVersion.TLS13);
        config.setSupportedVersions(ProtocolVersion.TLS13);
        config.setDefaultSelectedProtocolVersion(ProtocolVersion.TLS13);
        config.setDefaultClientSupportedCipherSuites(CipherSuite.TLS_AES_128_GCM_SHA256);
        config.setDefaultServerSupportedCipherSuites(CipherSuite.TLS_AES_128_GCM_SHA256);
        config.setDefaultSelectedCipherSuite(CipherSuite.TLS_AES_128_GCM_SHA256);
        NamedGroup[] groups = {NamedGroup.SECP256R1, NamedGroup.ECDH_X25519};
        config.setDefaultClientNamedGroups(groups);
        config.setDefaultServerNamedGroups(groups);
        config.setDefaultClientKeyShareNamedGroups(NamedGroup.SECP256R1);
        SignatureAndHashAlgorithm ecdsa = SignatureAndHashAlgorithm.ECDSA_SHA256;
        // The chain of the server's EC key is signed with an RSA key (section 4.2.3).
        config.setDefaultClientSupportedSignatureAndHashAlgorithms(ecdsa,
            SignatureAndHashAlgorithm.RSA_SHA256);
        config.setDefaultServerSupportedSignatureAndHashAlgorithms(ecdsa);
        config.setDefaultSelectedSignatureAndHashAlgorithm(ecdsa);
        config.setAutoAdjustSignatureAndHashAlgorithm(true);
        config.setDefaultEcdsaNonce(SMALL_NONCE);
        config.setAddECPointFormatExtension(false);
        config.setAddRenegotiationInfoExtension(false);
        config.setAddSupportedVersionsExtension(true);
        config.setAddKeyShareExtension(true);
        config.setDefaultRunningMode(isServer ? RunningModeType.SERVER : RunningModeType.CLIENT);
        // Otherwise TLS-Attacker copies each trace as XML, to compare it with the result.
        config.setFiltersKeepUserSettings(false);
        config.setWorkflowExecutorShouldOpen(false);
        config.setWorkflowExecutorShouldClose(false);
        config.setStopActionsAfterFatal(true);
        // A peer that refuses a flight halfway closes; its answer must still be read.
        config.setStopActionsAfterIOException(false);
        return config;
    }

    /** The workflow of a rule. Throws IllegalArgumentException if there is no such rule. */
    static WorkflowTrace trace(String rule, Config config, boolean isServer) {
        if (isServer) {
            ServerTalk talk = new ServerTalk(config);
            found(ServerRules.ALL, rule).accept(talk);
            return talk.trace();
        }
        ClientTalk talk = new ClientTalk(config);
        found(ClientRules.ALL, rule).accept(talk);
        return talk.trace();
    }

    private static <T> Consumer<T> found(Map<String, Consumer<T>> rules, String rule) {
        Consumer<T> found = rules.get(rule);
        if (found == null) {
            throw new IllegalArgumentException("no rule " + rule);
        }
        return found;
    }
}
