// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: Apache-2.0

package tls13kit.conformance;

import de.rub.nds.tlsattacker.core.config.Config;
import de.rub.nds.tlsattacker.core.constants.AlertDescription;
import de.rub.nds.tlsattacker.core.constants.AlertLevel;
import de.rub.nds.tlsattacker.core.protocol.ProtocolMessage;
import de.rub.nds.tlsattacker.core.protocol.message.AlertMessage;
import de.rub.nds.tlsattacker.core.protocol.message.ApplicationMessage;
import de.rub.nds.tlsattacker.core.protocol.message.CertificateMessage;
import de.rub.nds.tlsattacker.core.protocol.message.CertificateVerifyMessage;
import de.rub.nds.tlsattacker.core.protocol.message.ChangeCipherSpecMessage;
import de.rub.nds.tlsattacker.core.protocol.message.ClientHelloMessage;
import de.rub.nds.tlsattacker.core.protocol.message.EncryptedExtensionsMessage;
import de.rub.nds.tlsattacker.core.protocol.message.FinishedMessage;
import de.rub.nds.tlsattacker.core.protocol.message.ServerHelloMessage;
import de.rub.nds.tlsattacker.core.protocol.message.extension.ExtensionMessage;
import de.rub.nds.tlsattacker.core.record.Record;
import de.rub.nds.tlsattacker.core.workflow.WorkflowTrace;
import de.rub.nds.tlsattacker.core.workflow.action.ReceiveAction;
import de.rub.nds.tlsattacker.core.workflow.action.ReceiveTillAction;
import de.rub.nds.tlsattacker.core.workflow.action.SendAction;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** What a server sends: handshake, reply without a body, close_notify. A rule changes it. */
final class ServerTalk {
    final Config config;
    final ServerHelloMessage serverHello;
    final EncryptedExtensionsMessage encryptedExtensions;
    final CertificateMessage certificate = new CertificateMessage();
    final CertificateVerifyMessage certificateVerify = new CertificateVerifyMessage();
    final FinishedMessage finished = new FinishedMessage();
    /** Sent before ServerHello; the client answers with another ClientHello. */
    final List<ProtocolMessage> retry = new ArrayList<>();
    /** From ServerHello to Finished. */
    final List<ProtocolMessage> flight;
    /** The records of that flight, if they are not to be the usual ones. */
    final List<Record> records = new ArrayList<>();
    /** Sent after the client's request. */
    final List<ProtocolMessage> reply = new ArrayList<>();
    final List<Record> replyRecords = new ArrayList<>();

    ServerTalk(Config config) {
        this.config = config;
        serverHello = new ServerHelloMessage(config);
        encryptedExtensions = new EncryptedExtensionsMessage(config);
        flight = new ArrayList<>(Arrays.asList(serverHello, new ChangeCipherSpecMessage(),
            encryptedExtensions, certificate, certificateVerify, finished));
        ApplicationMessage answer = new ApplicationMessage();
        answer.setDataConfig("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"
            .getBytes(StandardCharsets.US_ASCII));
        reply.add(answer);
        reply.add(closeNotify());
    }

    WorkflowTrace trace() {
        WorkflowTrace trace = new WorkflowTrace();
        trace.addTlsAction(new ReceiveAction(new ClientHelloMessage()));
        if (!retry.isEmpty()) {
            trace.addTlsAction(new SendAction(retry));
            trace.addTlsAction(new ReceiveTillAction(new ClientHelloMessage()));
        }
        trace.addTlsAction(sent(flight, records));
        // Not until Finished first: the request may come with it, and must not be awaited again.
        trace.addTlsAction(new ReceiveTillAction(new ApplicationMessage()));
        trace.addTlsAction(sent(reply, replyRecords));
        trace.addTlsAction(new ReceiveTillAction(new AlertMessage()));
        return trace;
    }

    <T extends ExtensionMessage> T ofServerHello(Class<T> type) {
        return serverHello.getExtension(type);
    }

    static SendAction sent(List<ProtocolMessage> messages, List<Record> records) {
        SendAction action = new SendAction(messages);
        if (!records.isEmpty()) {
            action.setConfiguredRecords(records);
        }
        return action;
    }

    static AlertMessage closeNotify() {
        AlertMessage alert = new AlertMessage();
        alert.setConfig(AlertLevel.WARNING, AlertDescription.CLOSE_NOTIFY);
        return alert;
    }
}
