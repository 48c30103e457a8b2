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
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocketFactory;

/**
 * Connections that are asked once and then do nothing, as most of a server's do: what does each
 * occupy there? A group's threads are how many. As many are made and closed before, so that what
 * any connection needs once is there.
 */
final class IdleCrew implements Crew {
    private static final int TIMEOUT_MS = 20_000;

    private final LoadGroup group;
    private final SSLSocketFactory factory;
    private final Tally tally = new Tally();
    private final List<Socket> idle = new ArrayList<>();
    private boolean isMeasured;

    /** @throws IllegalArgumentException where the sample is more than it can do */
    IdleCrew(LoadPlan plan) throws GeneralSecurityException, IOException {
        if (plan.groups.size() != 1 || plan.openLoop || plan.turns != null) {
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
        try {
            for (int i = 0; i < group.threads; i++) {
                long began = System.nanoTime();
                idle.add(asked());
                tally.completed(System.nanoTime() - began, group.replyBytes);
            }
            if (!isMeasured) {
                for (Socket one : idle) {
                    one.close();
                }
                idle.clear();
            }
        } catch (IOException e) {
            throw new VoidSample("connection " + (idle.size() + 1) + " of " + group.threads
                + " failed: " + e);
        }
        Thread.sleep(ms);
    }

    private Socket asked() throws IOException {
        URL url = group.target.url;
        Socket socket = factory == null ? new Socket() : factory.createSocket();
        socket.connect(new InetSocketAddress(url.getHost(), url.getPort()), TIMEOUT_MS);
        socket.setSoTimeout(TIMEOUT_MS);
        socket.setTcpNoDelay(true);  // else each waits 40 ms for an acknowledgement
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
    public Map<LoadGroup, Tally> tallies() {
        return Collections.singletonMap(group, tally);
    }
}
