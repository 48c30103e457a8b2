// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

import java.io.Closeable;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;

/**
 * Which TLS records do client and server send, and what if one comes in two halves? A relay on
 * 127.0.0.1 that passes whole records, lists them, and can stop in the middle of one from the
 * server. Where only time and FINs matter, use {@link Relay}.
 */
final class RecordRelay implements Closeable {
    /** For the kit's own tests: if the relay never stops, no test may pass. */
    private static final boolean DISARMED = "off".equals(System.getProperty("relay.hold"));

    private static final int NO_STOP = -1;

    private final InetSocketAddress target;
    private final ServerSocket listener;
    private final List<Socket> sockets = new ArrayList<>();
    private final List<TlsRecord> fromClient = new ArrayList<>();
    private final List<TlsRecord> fromServer = new ArrayList<>();
    private final List<String> failures = new ArrayList<>();
    private int stopAfterBytes = NO_STOP;
    private boolean stopped;
    private int clientFins;

    /** Starts to listen at once. */
    RecordRelay(InetSocketAddress target) throws IOException {
        this.target = target;
        listener = new ServerSocket(0, 128, TlsPeer.loopback());
        TlsPeer.daemon("record-relay-accept", this::acceptLoop).start();
    }

    InetSocketAddress address() {
        return new InetSocketAddress(listener.getInetAddress(), listener.getLocalPort());
    }

    /** The records that clients have sent so far, over all connections. */
    synchronized List<TlsRecord> fromClient() {
        return new ArrayList<>(fromClient);
    }

    synchronized List<TlsRecord> fromServer() {
        return new ArrayList<>(fromServer);
    }

    /** The ClientHellos so far, over all connections. */
    List<ClientHello> clientHellos() {
        List<ClientHello> hellos = new ArrayList<>();
        for (TlsRecord record : fromClient()) {
            if (record.isHandshake(TlsRecord.CLIENT_HELLO)) {
                hellos.add(new ClientHello(record));
            }
        }
        return hellos;
    }

    synchronized List<String> failures() {
        return new ArrayList<>(failures);
    }

    /** Passes only this many bytes of the server's next record, then nothing until goOn(). */
    synchronized void stopInNextRecord(int afterBytes) {
        if (!DISARMED) {
            stopAfterBytes = afterBytes;
        }
    }

    synchronized void goOn() {
        stopAfterBytes = NO_STOP;
        stopped = false;
        notifyAll();
    }

    /** @return whether the relay has stopped in the middle of a record within {@code timeoutMs} */
    synchronized boolean awaitStopped(long timeoutMs) throws InterruptedException {
        Patience patience = new Patience(timeoutMs);
        while (!stopped && patience.waitOn(this)) { }
        return stopped;
    }

    /** @return whether {@code count} clients' FINs have come within {@code timeoutMs} */
    synchronized boolean awaitClientFins(int count, long timeoutMs) throws InterruptedException {
        Patience patience = new Patience(timeoutMs);
        while (clientFins < count && patience.waitOn(this)) { }
        return clientFins >= count;
    }

    @Override
    public void close() throws IOException {
        listener.close();
        List<Socket> closing;
        synchronized (this) {
            closing = new ArrayList<>(sockets);
        }
        for (Socket socket : closing) {
            socket.close();
        }
        goOn();
    }

    private void acceptLoop() {
        while (!listener.isClosed()) {
            try {
                add(listener.accept());
            } catch (IOException e) {
                failed("accept: " + e);
            }
        }
    }

    private void add(Socket client) throws IOException {
        Socket server = new Socket(target.getAddress(), target.getPort());
        client.setTcpNoDelay(true);
        server.setTcpNoDelay(true);
        synchronized (this) {
            sockets.add(client);
            sockets.add(server);
        }
        TlsPeer.daemon("record-relay-up", () -> pass(client, server, true)).start();
        TlsPeer.daemon("record-relay-down", () -> pass(server, client, false)).start();
    }

    private void pass(Socket source, Socket sink, boolean up) {
        try {
            TlsRecord record = TlsRecord.read(source.getInputStream());
            while (record != null) {
                int passed = up ? 0 : stop(record, sink);
                note(record, up);
                sink.getOutputStream().write(record.bytes, passed, record.bytes.length - passed);
                record = TlsRecord.read(source.getInputStream());
            }
            noteFin(up);
            sink.shutdownOutput();
        } catch (IOException | InterruptedException e) {
            failed((up ? "up: " : "down: ") + e);
        }
    }

    /** If it is to stop, passes a record's first part and waits; returns how many bytes. */
    private synchronized int stop(TlsRecord record, Socket sink)
            throws IOException, InterruptedException {
        if (stopAfterBytes == NO_STOP) {
            return 0;
        }
        int first = Math.min(stopAfterBytes, record.bytes.length);
        sink.getOutputStream().write(record.bytes, 0, first);
        stopped = true;
        notifyAll();
        while (stopped) {
            wait();
        }
        return first;
    }

    private synchronized void note(TlsRecord record, boolean up) {
        (up ? fromClient : fromServer).add(record);
    }

    private synchronized void noteFin(boolean up) {
        clientFins += up ? 1 : 0;
        notifyAll();
    }

    private synchronized void failed(String what) {
        if (!listener.isClosed()) {
            failures.add(what);
        }
    }
}
