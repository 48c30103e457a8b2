/*
 * Copyright (c) 2026, The TLS 1.3 regression kit contributors. All rights reserved.
 * DO NOT ALTER OR REMOVE COPYRIGHT NOTICES OR THIS FILE HEADER.
 *
 * This code is free software; you can redistribute it and/or modify it
 * under the terms of the GNU General Public License version 2 only, as
 * published by the Free Software Foundation.
 *
 * This code is distributed in the hope that it will be useful, but WITHOUT
 * ANY WARRANTY; without even the implied warranty of MERCHANTABILITY or
 * FITNESS FOR A PARTICULAR PURPOSE.  See the GNU General Public License
 * version 2 for more details (a copy is included in the LICENSE file that
 * accompanied this code).
 *
 * You should have received a copy of the GNU General Public License version
 * 2 along with this work; if not, write to the Free Software Foundation,
 * Inc., 51 Franklin St, Fifth Floor, Boston, MA 02110-1301 USA.
 *
 * Please contact Oracle, 500 Oracle Parkway, Redwood Shores, CA 94065 USA
 * or visit www.oracle.com if you need additional information or have any
 * questions.
 */

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
 * Control: the same chunks, without a trailer field.
 *
 * Judged by a count of requests failed.
 *
 * Without its precondition
 *     -Dpeer.script=off: inconclusive: sent 0 chunked replies
 *
 * How to run
 *     java ReplyWithTrailersRefused.java [CASE]              (JDK 11 or later)
 *     javac ReplyWithTrailersRefused.java
 *     java ReplyWithTrailersRefused [CASE]                   (any JDK from 8 on)
 * where CASE is one of control and subject (the default).
 *
 * On an affected build:
 *     # java: 17.0.21.1+2-1-deb12u1-Debian, Debian
 *     requests_failed = 1 requests (bound 1)
 *       trailer_fields: 1
 *       body:
 *       failure: java.net.ProtocolException: CR expected
 *       requests: 1
 *     reproduced: A reply with trailer fields was refused (requests_failed 1, bound 1).
 * On a build before it:
 *     # java: 17.0.20.1+1-1-deb11u1-Debian, Debian
 *     requests_failed = 0 requests (bound 1)
 *       trailer_fields: 1
 *       body: hello
 *       failure:
 *       requests: 1
 *     not-reproduced: The reply was returned (requests_failed 0, bound 1).
 */

/*
 * @test
 * @summary HttpClient must accept a chunked reply that has trailer fields
 * @requires jdk.version.major >= 11
 * @run main/othervm ReplyWithTrailersRefused control
 * @run main/othervm ReplyWithTrailersRefused subject
 */

import java.io.*;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.net.*;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.*;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import javax.management.JMException;
import javax.management.ObjectName;

public class ReplyWithTrailersRefused {
    private static final String BODY = "hello";
    private static final String TRAILER = "X-Sum: 1\r\n";

    private static final AtomicInteger CHUNKED_REPLIES = new AtomicInteger();

    public static void main(String[] args) throws Exception {
        Reproducer.run("ReplyWithTrailersRefused", "KIT-1", args,
            ReplyWithTrailersRefused::measure);
    }

    private static void measure(Case which, Findings findings) throws Exception {
        Modules.need("java.net.http.HttpClient", "java.net.http");
        try (ScriptedPeer peer = new ScriptedPeer("peer", exchange -> answer(which, exchange))) {
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
            findings.fact("trailer_fields", which == Case.SUBJECT ? 1 : 0);
            findings.fact("body", body);
            findings.fact("failure", failure);
            findings.fact("requests", peer.requests());
            findings.require(CHUNKED_REPLIES.get() > 0,
                "The peer had " + peer.requests() + " requests, and sent "
                + CHUNKED_REPLIES.get() + " chunked replies (bound 1).");
            findings.require(refused || body.equals(BODY), "The body was '" + body
                + "', and the request failed with '" + failure + "'.");
            findings.judgeCount("requests_failed", refused ? 1 : 0, 1, "requests",
                "A reply with trailer fields was refused", "The reply was returned");
        }
    }

    /** Other failures, such as a broken connection, say nothing about the reply. */
    private static boolean isRefusal(Throwable thrown) {
        Throwable cause = thrown;
        while (cause != null && !(cause instanceof ProtocolException)) {
            cause = cause.getCause();
        }
        return cause != null;
    }

    private static void answer(Case which, Exchange exchange) throws IOException {
        CHUNKED_REPLIES.incrementAndGet();
        exchange.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
            + BODY.length() + "\r\n" + BODY + "\r\n0\r\n"
            + (which == Case.SUBJECT ? TRAILER : "") + "\r\n");
    }
}

// What follows is the reproducer's library, cut down to what it uses.

/**
 * Which case of a reproducer does this JVM run? A control, in which the symptom must not show on
 * any build, or the subject. One JVM runs one case, because the JDK's caches exist once per JVM.
 */
enum Case {
    TLS12("tls12", "TLSv1.2"), NO_READ_TIMEOUT("no-read-timeout", "TLS"), CONTROL("control", "TLS"),
    SUBJECT("subject", "TLS");
    final String word;
    private final String contextAlgorithm;
    Case(String word, String contextAlgorithm) {
        this.word = word; this.contextAlgorithm = contextAlgorithm;
    }
    static Case of(String[] args) {
        if (args.length == 0) { return SUBJECT; }
        for (Case which : values()) {
            if (args.length == 1 && which.word.equals(args[0])) { return which; }
        }
        throw new CaseEnd(Outcome.ERROR, "unknown case " + Arrays.toString(args)
            + ": give one of tls12, no-read-timeout, control, subject, or nothing for subject");
    }
}

/** How does a case end early, or tell jtreg that it failed? By this: one line, no stack trace. */
final class CaseEnd extends RuntimeException {
    private static final long serialVersionUID = 1L;
    final transient Outcome outcome;
    CaseEnd(Outcome outcome, String reason) {
        super(reason, null, false, false);
        this.outcome = outcome;
    }
}

/**
 * What if a case hangs? After its deadline a thread dump goes to stderr, the outcome is written as
 * {@code error}, and the JVM is halted: a hang is never taken for a reproduced bug, and no JVM of
 * the suite outlives its parent for long. CPU time that the machine withholds does not count, as in
 * {@link Patience}.
 */
final class Deadline {
    static final long SECONDS = 60;
    private static final long LOOK_EVERY_MS = 1_000;
    private static final int HALT_STATUS = 3;
    static void start(long seconds, Findings findings, OutcomeFile file) {
        Patience patience = new Patience(TimeUnit.SECONDS.toMillis(seconds));
        TlsPeer.daemon("deadline", () -> watch(seconds, patience, findings, file)).start();
    }
    private static void watch(long seconds, Patience patience, Findings findings,
            OutcomeFile file) {
        try {
            while (patience.left()) {
                Thread.sleep(LOOK_EVERY_MS);
                // Read now and then, because what a thread was denied is lost when it ends.
                patience.withheld().ms();
            }
            System.err.println(Stacks.dump());
            findings.end(Outcome.ERROR, "The case was not over after "
                + TimeUnit.MILLISECONDS.toSeconds(patience.elapsedMs()) + " s (deadline " + seconds
                + " s, and at most " + Patience.MOST * seconds + " s where CPU is withheld); "
                + patience.withheld() + "; a thread dump is on stderr.");
            file.writeHalted(findings);
            System.err.println("error: " + findings.reason());
        } catch (InterruptedException | IOException e) {
            System.err.println("error: the deadline could not write the outcome: " + e);
        } finally {
            System.err.flush();
            Runtime.getRuntime().halt(HALT_STATUS);
        }
    }
}

/** What does a client of a {@link ScriptedPeer} request, and what is it sent? */
final class Exchange {
    static final int BODY_BYTES = 64;
    final int connection;
    final int ordinal;
    final String method;
    final String path;
    private final String head;
    private final Socket socket;
    private boolean ended;
    private Exchange(Socket socket, int connection, int ordinal, String head) {
        this.socket = socket; this.connection = connection; this.ordinal = ordinal;
        this.head = head;
        String[] words = head.split(" ", 3);
        method = words[0];
        path = words[1];
    }
    static Exchange next(Socket socket, int connection, int ordinal) throws IOException {
        String head = RequestHead.read(socket.getInputStream());
        return head == null ? null : new Exchange(socket, connection, ordinal, head);
    }
    void send(String text) throws IOException {
        socket.getOutputStream().write(text.getBytes(StandardCharsets.ISO_8859_1));
    }
    void reply(String... headers) throws IOException { send(ok(headers)); }
    String ok(String... headers) {
        StringBuilder text = new StringBuilder("HTTP/1.1 200 OK\r\n")
            .append("Content-Length: ").append(BODY_BYTES).append("\r\n")
            .append("X-Connection: ").append(connection).append("\r\n")
            .append("X-Ordinal: ").append(ordinal).append("\r\n")
            .append("X-Path: ").append(path).append("\r\n");
        for (String header : headers) { text.append(header).append("\r\n"); }
        return text.append("\r\n").append("HEAD".equals(method) ? "" : body(BODY_BYTES)).toString();
    }
    static String body(int bytes) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < bytes; i++) { text.append('x'); }
        return text.toString();
    }
    boolean ended() { return ended; }
}

/**
 * What has a case found so far? Facts (preconditions as measured), figures with their bounds, and
 * finally the judgement. Safe to read from the deadline's thread while the case is still running.
 */
final class Findings {
    private final Map<String, Object> facts = new LinkedHashMap<>();
    private final List<Map<String, Object>> figures = new ArrayList<>();
    private Outcome outcome;
    private String reason;
    synchronized void fact(String name, Object value) {
        facts.put(name,
            value instanceof Collection ? new ArrayList<>((Collection<?>) value) : value);
    }
    void require(boolean met, String otherwise) {
        if (!met) { throw new CaseEnd(Outcome.INCONCLUSIVE, otherwise); }
    }
    synchronized void judgeCount(String name, long value, long bound, String unit, String seen,
            String notSeen) {
        judged(value < bound ? Outcome.NOT_REPRODUCED : Outcome.REPRODUCED,
            (value < bound ? notSeen : seen) + " (" + name + " " + value + ", bound " + bound
            + ").");
        figures.add(0, entry(name, value, bound, unit));
    }
    private void judged(Outcome how, String why) {
        if (outcome != null) { throw new IllegalStateException("judged twice"); }
        end(how, why);
    }
    synchronized void end(Outcome how, String why) {
        outcome = how;
        reason = why;
    }
    synchronized Outcome outcome() { return outcome; }
    synchronized String reason() { return reason; }
    synchronized Map<String, Object> facts() { return new LinkedHashMap<>(facts); }
    synchronized List<Map<String, Object>> figures() { return new ArrayList<>(figures); }
    private static Map<String, Object> entry(String name, long value, long bound, String unit) {
        Map<String, Object> entry = new LinkedHashMap<>();
        entry.put("name", name);
        entry.put("value", value);
        entry.put("bound", bound);
        entry.put("unit", unit);
        return entry;
    }
}

/**
 * Who has connected, and what went wrong? The part that all peers share: one thread accepts, and
 * each connection is served in a thread of its own. Once closed it reports no more failures,
 * because every connection then breaks.
 */
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

/** What can a case end with? The words are those of outcome.json. */
enum Outcome {
    REPRODUCED("reproduced"), NOT_REPRODUCED("not-reproduced"), INCONCLUSIVE("inconclusive"),
    NOT_APPLICABLE("not-applicable"), ERROR("error");
    final String word;
    Outcome(String word) { this.word = word; }
}

/** Where does the outcome go? To standard output and the exit status; the kit has a file too. */
final class OutcomeFile {
    OutcomeFile(Path directory, String test, String bug, Case which) { }
    // The exit code that git bisect run expects: 125 if nothing can be said. Not under jtreg.
    void tellShell(Outcome outcome) {
        if (System.getProperty("test.src") == null) {
            System.exit(outcome == Outcome.REPRODUCED ? 1
                : outcome == Outcome.NOT_REPRODUCED ? 0 : 125);
        }
    }
    void forget() throws IOException { }
    void write(Findings findings) throws IOException { }
    void writeHalted(Findings findings) throws IOException { }
    // Without files, a control must fail by itself.
    boolean readBySubject() { return false; }
    List<String> controlsThatFail(Outcome subject) throws IOException {
        return Collections.emptyList();
    }
}

/**
 * Is there time left? For waits that should end soon; if one does not, the case is an error or
 * inconclusive. CPU time that the machine withholds does not count, so that a deadline is as long
 * on a busy machine as on an idle one, up to {@link #MOST} times as long by the clock.
 */
final class Patience {
    static final int MOST = 3;
    private final long ms;
    private final long beginNanos = System.nanoTime();
    private final Withheld withheld = new Withheld();
    Patience(long ms) { this.ms = ms; }
    boolean left() {
        long byTheClock = elapsedMs();
        // Read each time, because what a thread was denied is lost when it ends.
        long withheldMs = withheld.ms();
        return byTheClock < MOST * ms && byTheClock - withheldMs < ms;
    }
    long elapsedMs() { return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - beginNanos); }
    Withheld withheld() { return withheld; }
}

/**
 * How does a reproducer run? It measures, and this class does the rest: case, deadline, outcome
 * file, printed report, and the exception for jtreg. A failure of any kind cannot end as a pass,
 * because without a judgement the outcome is an error.
 */
final class Reproducer {
    interface Body {
        void measure(Case which, Findings findings) throws Exception;
    }
    static void run(String test, String bug, String[] args, Body body) throws IOException {
        run(test, bug, Case.of(args), body, Paths.get(""), Deadline.SECONDS);
    }
    static void run(String test, String bug, Case which, Body body, Path directory, long deadlineS)
            throws IOException {
        OutcomeFile file = new OutcomeFile(directory, test, bug, which);
        file.forget();
        System.out.println("# test: " + test + ", " + bug + ", case " + which.word);
        System.out.println("# java: " + System.getProperty("java.runtime.version") + ", "
            + System.getProperty("java.vendor"));
        Findings findings = new Findings();
        Deadline.start(deadlineS, findings, file);
        measure(which, body, findings);
        file.write(findings);
        print(findings);
        file.tellShell(findings.outcome());
        tellJtreg(which, findings, file);
    }
    private static void measure(Case which, Body body, Findings findings) {
        try {
            body.measure(which, findings);
            if (findings.outcome() == null) {
                findings.end(Outcome.ERROR, "The reproducer ended without a judgement.");
            }
        } catch (CaseEnd e) {
            findings.end(e.outcome, e.getMessage());
        } catch (Throwable e) {
            e.printStackTrace();
            findings.end(Outcome.ERROR, "The reproducer broke with " + e + ".");
        }
    }
    private static void print(Findings findings) {
        for (Map<String, Object> figure : findings.figures()) {
            System.out.println(figure.get("name") + " = " + figure.get("value") + " "
                + figure.get("unit") + " (bound " + figure.get("bound") + ")");
        }
        for (Map.Entry<String, Object> fact : findings.facts().entrySet()) {
            System.out.println("  " + fact.getKey() + ": " + fact.getValue());
        }
        System.out.println(findings.outcome().word + ": " + findings.reason());
    }
    private static void tellJtreg(Case which, Findings findings, OutcomeFile file)
            throws IOException {
        Outcome outcome = findings.outcome();
        if (which != Case.SUBJECT && outcome != Outcome.NOT_APPLICABLE && file.readBySubject()) {
            return;
        }
        String failing = which == Case.SUBJECT
            ? String.join(" And ", file.controlsThatFail(outcome)) : "";
        if (outcome == Outcome.NOT_APPLICABLE && failing.isEmpty()) {
            throw new SkippedException(findings.reason());
        }
        if (outcome != Outcome.NOT_REPRODUCED || !failing.isEmpty()) {
            throw new CaseEnd(outcome, outcome.word + " (" + which.word + "): "
                + findings.reason() + (failing.isEmpty() ? "" : " But " + failing));
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

/**
 * What if a server answers with exactly these bytes? A plain-HTTP server on an ephemeral port of
 * 127.0.0.1: a script answers each request, in as many segments as it likes, correctly or not. It
 * counts connections, requests, and the connections that the client has ended.
 */
final class ScriptedPeer implements Closeable {
    interface Script {
        void answer(Exchange exchange) throws IOException, InterruptedException;
    }
    private static final boolean DISARMED = "off".equals(System.getProperty("peer.script"));
    private final Script script;
    private final Listener listener;
    private final TreeSet<Integer> endedByClient = new TreeSet<>();
    private int requests;
    ScriptedPeer(String name, Script script) throws IOException {
        this.script = DISARMED ? exchange -> exchange.reply() : script;
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
        Exchange exchange = Exchange.next(socket, connection, 1);
        while (exchange != null) {
            countRequest();
            script.answer(exchange);
            if (exchange.ended()) { return; }
            exchange = Exchange.next(socket, connection, exchange.ordinal + 1);
        }
        clientEnded(connection);
    }
    private synchronized void countRequest() { requests++; }
    private synchronized void clientEnded(int connection) {
        endedByClient.add(connection);
        notifyAll();
    }
}

/**
 * What shows, in one look at all threads, that a bug is at work? A duration alone says nothing on a
 * machine that is short of CPU; a sign is what the threads do meanwhile.
 */
interface Sign {
    Seen in(Stacks look);
    interface Place {
        boolean has(ThreadInfo thread);
        static Place in(String type, String method) {
            return thread -> Arrays.stream(thread.getStackTrace()).anyMatch(frame ->
                type.equals(frame.getClassName()) && method.equals(frame.getMethodName()));
        }
    }
    final class Seen {
    }
}

/**
 * How does a test tell jtreg that it does not apply here? By throwing an exception of exactly this
 * name. jtreg then counts the test as passed; only outcome.json says otherwise.
 */
final class SkippedException extends RuntimeException {
    private static final long serialVersionUID = 1L;
    public SkippedException(String reason) { super(reason, null, false, false); }
}

/**
 * What does each thread do, and which thread owns the lock it waits for? One look at all threads,
 * taken at a safepoint, so that waiter and owner belong together. The lock may be a monitor, as in
 * 8 and 11, or a ReentrantLock, as in 17: both name their owner.
 */
final class Stacks {
    static final String TIMER = "Keep-Alive-Timer";
    static final Sign.Place CACHE = thread -> !TIMER.equals(thread.getThreadName())
        && Arrays.stream(thread.getStackTrace()).anyMatch(frame ->
            frame.getClassName().equals("sun.net.www.http.KeepAliveCache")
            || frame.getMethodName().equals("queueForCleanup"));
    static final Sign.Place TLS_CLOSE = Sign.Place.in("sun.security.ssl.SSLSocketImpl", "close");
    static String dump() {
        try {
            return (String) ManagementFactory.getPlatformMBeanServer().invoke(
                new ObjectName("com.sun.management:type=DiagnosticCommand"), "threadPrint",
                new Object[] {new String[] {"-l"}}, new String[] {String[].class.getName()});
        } catch (JMException e) { // a runtime image without jdk.management
            return "no thread dump: " + e;
        }
    }
}

/**
 * What does the server answer, and over which connection? A small HTTP/1.1 server with keep-alive
 * over TLS, on an ephemeral port of 127.0.0.1. Each reply says, as the server sees it, its
 * connection, its position there, and the protocol and cipher negotiated. So the client needs no
 * listener or wrapper, either of which would change what is under test.
 */
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

/** How much CPU did the machine withhold? The kit asks Linux; in this file it is not known. */
final class Withheld {
    long ms() { return 0; }
    @Override public String toString() { return "what CPU the machine withheld is not known"; }
}
