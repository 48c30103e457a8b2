// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

/*
 * @test
 * @summary Records and hellos are told as they are, and a relay stops within one as told
 * @key selftest
 * @library /lib
 * @run main/othervm RecordsAreReadRight
 */

import java.io.ByteArrayInputStream;
import java.io.EOFException;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSocket;

public class RecordsAreReadRight {
    private static final int SESSION_ID_BYTES = 32;

    // The rest of a held record never comes; if it does not come for this long, it will not.
    private static final long NEVER_MS = 300;

    private static final long PATIENCE_MS = 10_000;

    public static void main(String[] args) throws Exception {
        rawHellosAreRead();
        halfARecordIsNone();
        aRetryIsToldFromAHello();
        theRelayListsWhatPasses();
        theRelayStopsWithinARecord();
        resumptionIsToldFromAFullHandshake();
        aPairThatStandsStillIsNoBug();
    }

    private static void rawHellosAreRead() throws Exception {
        ClientHello with = new ClientHello(RawHello.client(true, null));
        Check.that(with.sessionId.length == SESSION_ID_BYTES, "id: " + with.sessionId.length);
        Check.that(with.keyShares().equals(Collections.singletonList(ClientHello.SECP256R1)),
            "key shares: " + with.keyShares());
        Check.that(with.supportedGroups().equals(with.keyShares()), "groups");
        Check.that(with.has(ClientHello.SUPPORTED_VERSIONS), "versions");
        Check.that(!with.has(ClientHello.PRE_SHARED_KEY), "no PSK was put in");
        Check.that(new ClientHello(RawHello.client(false, null)).keyShares().isEmpty(),
            "no key share was put in");
    }

    private static void halfARecordIsNone() throws Exception {
        byte[] whole = TlsRecord.of(TlsRecord.ALERT, new byte[] {1, 0}).bytes;
        Check.that(TlsRecord.read(new ByteArrayInputStream(new byte[0])) == null, "the end");
        TlsRecord read = TlsRecord.read(new ByteArrayInputStream(whole));
        Check.that(read.toString().equals("alert, 2 bytes"), read.toString());
        try {
            TlsRecord.read(new ByteArrayInputStream(whole, 0, whole.length - 1));
            throw new AssertionError("half a record was taken for one");
        } catch (EOFException expected) {
            Check.that(Arrays.equals(read.bytes, whole), "the bytes must be those read");
        }
    }

    private static void aRetryIsToldFromAHello() throws Exception {
        TlsRecord client = RawHello.client(true, null);
        Check.that(RawHello.isRetry(RawHello.retry(new ClientHello(client))), "it is a retry");
        Check.that(!RawHello.isRetry(client), "a ClientHello is none");
    }

    private static void theRelayListsWhatPasses() throws Exception {
        try (TlsServer server = new TlsServer(Identity.serverContext(), TlsServer::echo);
                RecordRelay relay = new RecordRelay(server.address())) {
            SSLSocket socket = connect(relay);
            int before = relay.fromClient().size();
            TlsClient.exchange(socket);
            List<TlsRecord> sent = relay.fromClient();
            Check.that(sent.size() > before
                && sent.get(sent.size() - 1).type() == TlsRecord.APPLICATION_DATA,
                "the byte must be the last record: " + sent);
            Check.that(relay.clientHellos().size() == 1, "hellos: " + relay.clientHellos());
            Check.that(relay.fromServer().get(0).isHandshake(TlsRecord.SERVER_HELLO),
                "the server begins with its hello: " + relay.fromServer());
            Check.that(!relay.awaitClientFins(1, 0), "no FIN yet");
            socket.close();
            Check.that(relay.awaitClientFins(1, PATIENCE_MS), "the FIN must be counted");
        }
    }

    private static void theRelayStopsWithinARecord() throws Exception {
        try (TlsServer server = new TlsServer(Identity.serverContext(), TlsServer::echo);
                RecordRelay relay = new RecordRelay(server.address())) {
            SSLSocket socket = connect(relay);
            TlsClient.exchange(socket);
            relay.stopInNextRecord(TlsRecord.HEADER_BYTES);
            TimedCall exchange = new TimedCall("exchange", () -> TlsClient.exchange(socket));
            Check.that(relay.awaitStopped(PATIENCE_MS), "the relay must stop");
            Check.that(!exchange.over(NEVER_MS), "the rest of the record must be held");
            relay.goOn();
            Check.that(exchange.over(PATIENCE_MS), "the rest of the record must come");
            exchange.ms();
        }
    }

    private static void resumptionIsToldFromAFullHandshake() throws Exception {
        SSLContext client = Identity.clientContext("TLS");
        SSLContext server = Identity.serverContext();
        new EnginePair(client, server, "peer.example", 443).handshake().exchange().close();
        Resumption now = Resumption.fromNow();
        EnginePair again = new EnginePair(client, server, "peer.example", 443).handshake();
        Check.that(now.resumed(again.client.getSession()), "the session is known");
        EnginePair other = new EnginePair(client, server, "peer.example", 444).handshake();
        Check.that(!now.resumed(other.client.getSession()), "under that port it is not");
    }

    /** Reproducers judge by an engine's SSLException, so the pair itself must throw another. */
    private static void aPairThatStandsStillIsNoBug() throws Exception {
        EnginePair pair = new EnginePair(
            Identity.clientContext("TLS"), Identity.serverContext(), "peer.example", 443);
        pair.handshake().exchange();
        pair.server.closeOutbound();
        try {
            pair.server.closeInbound();
        } catch (SSLException expected) {
            // The client has not closed. From now on the server reads nothing.
        }
        try {
            pair.exchange();
        } catch (IllegalStateException e) {
            Check.that(e.getMessage().contains("does not read"), e.getMessage());
            return;
        }
        throw new AssertionError("a byte came through to a server that reads nothing");
    }

    private static SSLSocket connect(RecordRelay relay) throws Exception {
        return TlsClient.connect(
            Identity.clientContext("TLS").getSocketFactory(), relay.address());
    }
}
