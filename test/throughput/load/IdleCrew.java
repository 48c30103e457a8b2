// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocketFactory;

/**
 * How much memory does an idle connection occupy in a server? Each connection makes one request and
 * then stays idle, as most of a server's do. A group's threads are the number of connections. As
 * many are made and closed first, so that whatever is needed only once exists already.
 */
final class IdleCrew implements Crew {
    private static final int TIMEOUT_MS = 20_000;
    /** One by one, each step of each handshake would wait for its turn on a busy machine. */
    private static final int AT_ONCE = 8;

    private final LoadGroup group;
    private final SSLSocketFactory factory;
    private final Tally tally = new Tally();
    private final List<Socket> idle = new ArrayList<>();
    private boolean isMeasured;

    /** @throws IllegalArgumentException if this crew cannot do what the sample asks for */
    IdleCrew(LoadPlan plan) throws GeneralSecurityException, IOException {
        if (plan.groups.size() != 1 || plan.openLoop || plan.pauses) {
            throw new IllegalArgumentException("it keeps connections of one group, in one go");
        }
        group = plan.groups.get(0);
        SSLContext context = Identity.clientContext("TLS");
        factory = group.target.url.getProtocol().equals("https") ? context.getSocketFactory() : null;
    }

    @Override
    public void start() { }

    @Override
    public void work(long ms) throws InterruptedException, VoidSample {
        ExecutorService askers = Executors.newFixedThreadPool(AT_ONCE);
        try {
            for (Future<Asked> one : askers.invokeAll(
                    Collections.nCopies(group.threads, (Callable<Asked>) this::timed))) {
                Asked asked = one.get();
                idle.add(asked.socket);
                tally.completed(asked.nanos, group.replyBytes);
            }
            if (!isMeasured) {
                for (Socket each : idle) {
                    each.close();
                }
                idle.clear();
            }
        } catch (ExecutionException | IOException e) {
            Throwable why = e instanceof ExecutionException ? e.getCause() : e;
            throw new VoidSample("connection " + (idle.size() + 1) + " of " + group.threads
                + " failed: " + why);
        } finally {
            askers.shutdownNow();
        }
        Thread.sleep(ms);
    }

    private Asked timed() throws IOException {
        long began = System.nanoTime();
        Socket socket = asked();
        return new Asked(socket, System.nanoTime() - began);
    }

    private Socket asked() throws IOException {
        URL url = group.target.url;
        Socket socket = factory == null ? new Socket() : factory.createSocket();
        socket.connect(new InetSocketAddress(url.getHost(), url.getPort()), TIMEOUT_MS);
        socket.setSoTimeout(TIMEOUT_MS);
        socket.setTcpNoDelay(true);  // otherwise, each waits 40 ms for an ACK
        int bytes = group.target.requestBodyBytes;
        byte[] head = ("POST " + url.getFile() + " HTTP/1.1\r\nHost: localhost\r\nContent-Length: "
            + bytes + "\r\n\r\n").getBytes(StandardCharsets.US_ASCII);
        byte[] request = new byte[head.length + bytes];
        System.arraycopy(head, 0, request, 0, head.length);
        socket.getOutputStream().write(request);
        DataInputStream in = new DataInputStream(socket.getInputStream());
        String status = line(in);
        if (!status.startsWith("HTTP/1.1 200")) {
            throw new IOException("it answers " + status);
        }
        while (!line(in).isEmpty()) { }
        in.readFully(new byte[bytes]);
        return socket;
    }

    private static String line(DataInputStream in) throws IOException {
        StringBuilder line = new StringBuilder();
        for (int c = in.readUnsignedByte(); c != '\n'; c = in.readUnsignedByte()) {
            line.append((char) c);
        }
        return line.toString().trim();
    }

    @Override
    public void pause() { }

    @Override
    public void workAndPause(long ms) throws InterruptedException, VoidSample {
        work(ms);
    }

    @Override
    public void openWindow() {
        isMeasured = true;
        tally.open();
    }

    @Override
    public void shutWindow() {
        tally.shut(0);
    }

    @Override
    public long requests() {
        return tally.requests();
    }

    @Override
    public Map<LoadGroup, Tally> tallies() {
        return Collections.singletonMap(group, tally);
    }

    /** A connection after its one request, and how long both took. */
    private static final class Asked {
        final Socket socket;
        final long nanos;

        Asked(Socket socket, long nanos) {
            this.socket = socket;
            this.nanos = nanos;
        }
    }
}
