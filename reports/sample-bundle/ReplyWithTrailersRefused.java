// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

/*
 * KIT-1: java.net.http refuses each chunked reply with trailer fields
 *
 * What goes wrong: a chunked reply over HTTP/1.1 ends with a trailer field, as it may (RFC 9112
 * 7.1.2). The client fails the request and closes the connection: it takes the field for the end of
 * the body. Whatever was read of the body is lost.
 *
 * What it takes: a chunked reply with at least one trailer field, such as Server-Timing or a
 * checksum.
 *
 * Judged by a count of requests failed.
 *
 * Without its precondition
 *     -Dpeer.script=off: inconclusive: sent 0 chunked replies
 *
 * How to run
 *     java ReplyWithTrailersRefused.java
 * on JDK 11 or later; on any from 8 on
 *     javac ReplyWithTrailersRefused.java
 *     java ReplyWithTrailersRefused
 * Exit code 0: not reproduced, 1: reproduced, 125: nothing can be said.
 *
 * On an affected build:
 *     # java: 17.0.21.1+2-1-deb12u1-Debian, Debian
 *     requests_failed = 1 requests (bound 1)
 *       body:
 *     reproduced: A reply with trailer fields was refused (requests_failed 1, bound 1).
 * On a build before it:
 *     # java: 17.0.20.1+1-1-deb11u1-Debian, Debian
 *     requests_failed = 0 requests (bound 1)
 *       failure:
 *     not-reproduced: The reply was returned (requests_failed 0, bound 1).
 */

/*
 * @test
 * @summary HttpClient must accept a chunked reply that has trailer fields
 * @requires jdk.version.major >= 11
 * @run main/othervm ReplyWithTrailersRefused
 */

import java.io.*;
import java.net.*;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.Queue;
import java.util.TreeSet;
import java.util.concurrent.*;
import java.util.concurrent.atomic.AtomicInteger;

public class ReplyWithTrailersRefused {
    private static final String BODY = "hello";
    private static final String TRAILER = "X-Sum: 1\r\n";

    private static final AtomicInteger CHUNKED_REPLIES = new AtomicInteger();

    public static void main(String[] args) throws Exception {
        Reproducer.run(ReplyWithTrailersRefused::measure);
    }

    private static void measure() throws Exception {
        Modules.need("java.net.http.HttpClient", "java.net.http");
        try (ScriptedPeer peer = new ScriptedPeer("peer", exchange -> answer(exchange))) {
            HttpClient client =
                HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
            String body = "";
            String failure = "";
            boolean refused = false;
            try {
                body = client.send(HttpRequest.newBuilder(peer.url("/").toURI()).build(),
                    BodyHandlers.ofString()).body();
            } catch (IOException e) {
                failure = e.toString();
                refused = isRefusal(e);
            }
            Findings.require(CHUNKED_REPLIES.get() > 0,
                "The peer had " + peer.requests() + " requests, and sent "
                + CHUNKED_REPLIES.get() + " chunked replies (bound 1).");
            Findings.require(refused || body.equals(BODY), "The body was '" + body
                + "', and the request failed with '" + failure + "'.");
            Findings.judgeCount("requests_failed", refused ? 1 : 0, 1, "requests",
                "A reply with trailer fields was refused", "The reply was returned");
        }
    }

    private static boolean isRefusal(Throwable thrown) {
        Throwable cause = thrown;
        while (cause != null && !(cause instanceof ProtocolException)) { cause = cause.getCause(); }
        return cause != null;
    }

    private static void answer(Exchange exchange) throws IOException {
        CHUNKED_REPLIES.incrementAndGet();
        exchange.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
            + BODY.length() + "\r\n" + BODY + "\r\n0\r\n"
            + TRAILER + "\r\n");
    }
}

/** Ends a run about which nothing can be said, with the reason. */
final class CaseEnd extends RuntimeException {
    private static final long serialVersionUID = 1L;
    final transient Outcome outcome;
    CaseEnd(Outcome outcome, String reason) {
        super(reason);
        this.outcome = outcome;
    }
    @Override public String toString() { return getMessage(); }
}

/** What does a client of a {@link ScriptedPeer} request, and what is it sent? */
final class Exchange {
    final int ordinal;
    private final Socket socket;
    private boolean ended;
    private Exchange(Socket socket, int ordinal, String head) {
        this.socket = socket; this.ordinal = ordinal;
        head.split(" ", 3);
    }
    static Exchange next(Socket socket, int ordinal) throws IOException {
        String head = RequestHead.read(socket.getInputStream());
        return head == null ? null : new Exchange(socket, ordinal, head);
    }
    void send(String text) throws IOException {
        socket.getOutputStream().write(text.getBytes(StandardCharsets.ISO_8859_1));
    }
    boolean ended() { return ended; }
}

/** What was found? */
final class Findings {
    private static Outcome outcome;
    private static String reason;
    static void require(boolean met, String otherwise) {
        if (!met) { throw new CaseEnd(Outcome.INCONCLUSIVE, otherwise); }
    }
    static void judgeCount(String name, long value, long bound, String unit, String seen,
            String notSeen) {
        System.out.println(name + " = " + value + " " + unit + " (bound " + bound + ")");
        boolean reproduced = value >= bound;
        end(reproduced ? Outcome.REPRODUCED : Outcome.NOT_REPRODUCED,
            (reproduced ? seen : notSeen) + " (" + name + " " + value + ", bound " + bound + ").");
    }
    static void end(Outcome how, String why) {
        outcome = how;
        reason = why;
    }
    static Outcome outcome() { return outcome; }
    static String reason() { return reason; }
}

/** Who has connected, and what went wrong? */
final class Listener implements Closeable {
    static final int BACKLOG = 128;
    interface Connection {
        void serve(Socket socket, int number) throws Exception;
    }
    private final String name;
    private final ServerSocket socket;
    private final Connection connection;
    private final Queue<Socket> open = new ConcurrentLinkedQueue<>();
    private final Queue<String> failures = new ConcurrentLinkedQueue<>();
    private final AtomicInteger connections = new AtomicInteger();
    Listener(String name, ServerSocket socket, Connection connection) {
        this.name = name; this.socket = socket; this.connection = connection;
    }
    void start() { TlsPeer.daemon(name + "-accept", this::acceptLoop).start(); }
    InetSocketAddress address() {
        return new InetSocketAddress(socket.getInetAddress(), socket.getLocalPort());
    }
    @Override public void close() throws IOException {
        socket.close();
        for (Socket accepted : open) { accepted.close(); }
    }
    private void acceptLoop() {
        while (!socket.isClosed()) {
            try {
                Socket accepted = socket.accept();
                accepted.setTcpNoDelay(true);
                open.add(accepted);
                int number = connections.incrementAndGet();
                TlsPeer.daemon(name + "-" + number, () -> serve(accepted, number)).start();
            } catch (IOException e) { fail("accept: " + e); }
        }
    }
    private void serve(Socket accepted, int number) {
        try (Socket closing = accepted) {
            connection.serve(closing, number);
        } catch (Exception e) {
            fail("connection " + number + ": " + e);
        } finally { open.remove(accepted); }
    }
    private void fail(String what) {
        if (!socket.isClosed()) {
            failures.add(what);
            System.err.println(name + ": " + what);
        }
    }
}

/** Does this runtime image have the module that a reproducer is about? */
final class Modules {
    static void need(String className, String module) {
        try {
            Class.forName(className);
        } catch (ClassNotFoundException e) {
            throw new CaseEnd(Outcome.NOT_APPLICABLE, "This runtime has no module " + module + ".");
        }
    }
}

/** The outcome of a run, with the exit code that git bisect run expects. */
enum Outcome {
    NOT_REPRODUCED(0, "not-reproduced"),
    REPRODUCED(1, "reproduced"),
    INCONCLUSIVE(125, "inconclusive"),
    NOT_APPLICABLE(125, "not-applicable"),
    ERROR(125, "error");
    final int exitCode;
    private final String word;
    Outcome(int exitCode, String word) {
        this.exitCode = exitCode; this.word = word;
    }
    @Override public String toString() { return word; }
}

/** By hand, the exit code says what was found; under jtreg all but "not reproduced" fails. */
final class Reproducer {
    interface Body {
        void measure() throws Exception;
    }
    static void run(Body body) throws Exception {
        System.out.println("# java: " + System.getProperty("java.runtime.version") + ", "
            + System.getProperty("java.vendor"));
        FutureTask<Void> subject = new FutureTask<>(() -> {
            body.measure();
            return null;
        });
        TlsPeer.daemon("subject", subject).start();
        try {
            subject.get(60, TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            Throwable cause = e.getCause();
            Findings.end(cause instanceof CaseEnd ? ((CaseEnd) cause).outcome : Outcome.ERROR,
                cause.toString());
        } catch (TimeoutException e) { Findings.end(Outcome.ERROR, "It was not over after 60 s."); }
        System.out.println(Findings.outcome() + ": " + Findings.reason());
        if (System.getProperty("test.src") == null) {
            System.exit(Findings.outcome().exitCode);
        } else if (Findings.outcome() != Outcome.NOT_REPRODUCED) {
            throw new RuntimeException(Findings.outcome() + ": " + Findings.reason());
        }
    }
}

/** Where does a request's head end? */
final class RequestHead {
    private static final String END = "\r\n\r\n";
    static String read(InputStream in) throws IOException {
        StringBuilder head = new StringBuilder();
        while (head.indexOf(END, head.length() - END.length()) < 0) {
            int next = in.read();
            if (next < 0) {
                if (head.length() > 0) {
                    throw new IOException("request ended in its head: " + head);
                }
                return null;
            }
            head.append((char) next);
        }
        return head.toString();
    }
}

/** What if a server answers with exactly these bytes? */
final class ScriptedPeer implements Closeable {
    interface Script {
        void answer(Exchange exchange) throws IOException, InterruptedException;
    }
    private final Script script;
    private final Listener listener;
    private final TreeSet<Integer> endedByClient = new TreeSet<>();
    private int requests;
    ScriptedPeer(String name, Script script) throws IOException {
        this.script = script;
        listener = new Listener(name + "-peer",
            new ServerSocket(0, Listener.BACKLOG, TlsPeer.loopback()), this::serve);
        listener.start();
    }
    InetSocketAddress address() { return listener.address(); }
    URL url(String path) throws IOException {
        return new URL("http", "127.0.0.1", address().getPort(), path);
    }
    synchronized int requests() { return requests; }
    @Override public void close() throws IOException { listener.close(); }
    private void serve(Socket socket, int connection) throws IOException, InterruptedException {
        Exchange exchange = Exchange.next(socket, 1);
        while (exchange != null) {
            countRequest();
            script.answer(exchange);
            if (exchange.ended()) { return; }
            exchange = Exchange.next(socket, exchange.ordinal + 1);
        }
        clientEnded(connection);
    }
    private synchronized void countRequest() { requests++; }
    private synchronized void clientEnded(int connection) {
        endedByClient.add(connection);
        notifyAll();
    }
}

/** What does the server answer, and over which connection? */
final class TlsPeer {
    static InetAddress loopback() throws IOException {
        return InetAddress.getByAddress(new byte[] {127, 0, 0, 1});
    }
    static Thread daemon(String threadName, Runnable task) {
        Thread thread = new Thread(task, threadName);
        thread.setDaemon(true);
        return thread;
    }
}
