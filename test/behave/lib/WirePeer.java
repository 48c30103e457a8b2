// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

import java.io.BufferedInputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * What does a client put on the wire, and what does it do with exactly these bytes? A plain socket
 * that keeps each request, its body too, and answers with raw bytes. No HTTP of a JDK is on this
 * side.
 */
final class WirePeer implements Closeable {
    /** Ends an answer: the peer then closes the connection. */
    static final String CLOSE = "\u0000close";

    /** What is sent in answer to a request? */
    interface Script {
        /** @return ISO 8859-1; with {@link #CLOSE} at its end, the connection is closed after it */
        String answer(WireRequest request) throws IOException, InterruptedException;
    }

    private final Script script;
    private final Listener listener;
    private final List<WireRequest> requests = new ArrayList<>();

    /** Starts to listen at once, on a port of the system's choice. */
    WirePeer(Script script) throws IOException {
        this.script = script;
        listener = new Listener("wire-peer",
            new ServerSocket(0, Listener.BACKLOG, TlsPeer.loopback()), this::serve);
        listener.start();
    }

    /** Answers each request with the next of these, and from then on with the last one. */
    static WirePeer answering(String... answers) throws IOException {
        return new WirePeer(
            request -> answers[Math.min(request.ordinal, answers.length) - 1]);
    }

    int port() {
        return listener.address().getPort();
    }

    URL url(String path) throws IOException {
        return new URL("http", "127.0.0.1", port(), path);
    }

    int connections() {
        return listener.connections();
    }

    /** The requests that were read to their end, in that order. */
    synchronized List<WireRequest> requests() {
        return new ArrayList<>(requests);
    }

    /** All requests, {@link WireRequest#text()}, one after the other. */
    String seen() {
        StringBuilder text = new StringBuilder();
        for (WireRequest request : requests()) {
            text.append(text.length() == 0 ? "" : " || ").append(request.text());
        }
        return text.length() == 0 ? "no request" : text.toString();
    }

    @Override
    public void close() throws IOException {
        listener.close();
    }

    private void serve(Socket socket, int connection) throws IOException, InterruptedException {
        InputStream in = new BufferedInputStream(socket.getInputStream());
        String head = RequestHead.read(in);
        while (head != null) {
            String answer = script.answer(keep(WireRequest.read(in, head, connection, socket)));
            boolean isLast = answer.endsWith(CLOSE);
            String bytes = isLast ? answer.substring(0, answer.length() - CLOSE.length()) : answer;
            socket.getOutputStream().write(bytes.getBytes(StandardCharsets.ISO_8859_1));
            if (isLast) {
                return;
            }
            head = RequestHead.read(in);
        }
    }

    private synchronized WireRequest keep(WireRequest request) {
        requests.add(request);
        request.ordinal = requests.size();
        return request;
    }
}
