// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: Apache-2.0

package tls13kit.conformance;

import de.rub.nds.tlsattacker.core.config.Config;
import de.rub.nds.tlsattacker.core.protocol.ProtocolMessage;
import de.rub.nds.tlsattacker.core.protocol.message.AlertMessage;
import de.rub.nds.tlsattacker.core.protocol.message.ApplicationMessage;
import de.rub.nds.tlsattacker.core.protocol.message.CertificateMessage;
import de.rub.nds.tlsattacker.core.protocol.message.CertificateVerifyMessage;
import de.rub.nds.tlsattacker.core.protocol.message.ChangeCipherSpecMessage;
import de.rub.nds.tlsattacker.core.protocol.message.ClientHelloMessage;
import de.rub.nds.tlsattacker.core.protocol.message.FinishedMessage;
import de.rub.nds.tlsattacker.core.protocol.message.extension.ExtensionMessage;
import de.rub.nds.tlsattacker.core.record.Record;
import de.rub.nds.tlsattacker.core.workflow.WorkflowTrace;
import de.rub.nds.tlsattacker.core.workflow.action.ReceiveTillAction;
import de.rub.nds.tlsattacker.core.workflow.action.ResetConnectionAction;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** What a client sends: handshake, request without a body, close_notify. A rule changes it. */
final class ClientTalk {
    final Config config;
    /** The first flight. */
    final List<ProtocolMessage> hellos = new ArrayList<>();
    final List<Record> helloRecords = new ArrayList<>();
    final FinishedMessage finished = new FinishedMessage();
    final List<ProtocolMessage> flight;
    final List<Record> flightRecords = new ArrayList<>();
    final List<ProtocolMessage> request = new ArrayList<>();
    final List<Record> requestRecords = new ArrayList<>();
    private ClientHelloMessage clientHello;
    private ClientTalk earlier;

    ClientTalk(Config config) {
        this.config = config;
        flight = new ArrayList<>(Arrays.asList(new ChangeCipherSpecMessage(), finished));
        ApplicationMessage question = new ApplicationMessage();
        question.setDataConfig("POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n\r\n"
            .getBytes(StandardCharsets.US_ASCII));
        request.add(question);
    }

    /** Adds an earlier connection that keeps all rules; this one then offers its session. */
    void comesBack() {
        config.setAddPSKKeyExchangeModesExtension(true);
        earlier = new ClientTalk(config);
        earlier.clientHello();
        config.setAddPreSharedKeyExtension(true);
    }

    /** Sends its certificate, which the server asks for; returns the message that proves it. */
    CertificateVerifyMessage showsCertificate() {
        CertificateVerifyMessage proof = new CertificateVerifyMessage();
        config.setClientAuthentication(true);
        config.setAutoAdjustSignatureAndHashAlgorithm(false);
        flight.addAll(flight.indexOf(finished), Arrays.asList(new CertificateMessage(), proof));
        return proof;
    }

    /** The ClientHello. The first call makes it, from the configuration at that time. */
    ClientHelloMessage clientHello() {
        if (clientHello == null) {
            clientHello = new ClientHelloMessage(config);
        }
        return clientHello;
    }

    <T extends ExtensionMessage> T ofClientHello(Class<T> type) {
        return clientHello().getExtension(type);
    }

    WorkflowTrace trace() {
        WorkflowTrace trace = new WorkflowTrace();
        if (earlier != null) {
            earlier.addTo(trace);
            trace.addTlsAction(new ResetConnectionAction());
        }
        addTo(trace);
        return trace;
    }

    private void addTo(WorkflowTrace trace) {
        hellos.add(0, clientHello());
        trace.addTlsAction(ServerTalk.sent(hellos, helloRecords));
        trace.addTlsAction(new ReceiveTillAction(new FinishedMessage()));
        trace.addTlsAction(ServerTalk.sent(flight, flightRecords));
        trace.addTlsAction(ServerTalk.sent(request, requestRecords));
        trace.addTlsAction(new ReceiveTillAction(new AlertMessage()));
        trace.addTlsAction(ServerTalk.sent(Arrays.asList(ServerTalk.closeNotify()),
            new ArrayList<>()));
    }
}
