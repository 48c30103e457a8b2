// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

/*
 * SSLSocket.close() never returns if it is called during the handshake, since JDK-8290005
 * (no report of this hang was found: the id is that of the change that brought it)
 *
 * What goes wrong: during the handshake close() drains the input, in
 * SSLSocketImpl$AppInputStream.deplete(). If the thread that shakes hands takes the bytes between
 * the question how many there are and the skipping, close() waits for as many that never come,
 * without a read timeout for ever. Until JDK-8290005, duplexCloseOutput() asked for the protocol
 * that the handshake has negotiated, and as long as there is none it took the way for TLS 1.2 and
 * earlier, which does not drain there. Since then it asks conContext.protocolVersion, which is the
 * highest version enabled until one is negotiated, and takes the way for TLS 1.3. The symptom is
 * that of JDK-8274524, whose fix bounds the drain in closeSocket() by a read timeout, and not this
 * one.
 *
 * What it takes: a close during the handshake, no read timeout, and the handshake's read between
 * two steps of the close. Here the plain socket below the TLS one lets the handshake read at that
 * very moment, and nothing more until the close has come by, so no luck is needed. In the control
 * the handshake gets the bytes before. With plain sockets, where the server sent the first 64 bytes
 * of a record within 0.4 ms after close() began, 129 of 300 closes did not return within 3 s on
 * 25.0.2, and all 1,500 returned on 21.0.8 (loopback, two busy cores, November 2026).
 *
 * Workaround: a read timeout bounds the wait (with setSoTimeout(2000) close() took 2,109 ms on
 * 25.0.2), and so does TLSv1.2 as the only protocol enabled on the socket (106 ms).
 *
 * How to run
 *     java CloseDuringHandshakeNeverReturns.java [CASE]              (JDK 11 or later)
 *     javac CloseDuringHandshakeNeverReturns.java
 *     java CloseDuringHandshakeNeverReturns [CASE]                   (any JDK from 8 on)
 * where CASE is control or subject (the default).
 *
 * On an affected build:
 *     # java: 25.0.2+10-LTS, Eclipse Adoptium
 *     seen_hanging_ms = 5014 ms (bound 5000)
 *       bytes_taken_meanwhile: 64
 *       close_ms: 7897
 *       looks: 170
 *       looks_that_saw_it: 170
 *       holder: closer
 *       holder_frames: Socket$SocketInputStream.implRead < Socket$SocketInputStream.read <
 *           SSLSocketInputRecord.deplete < SSLSocketImpl$AppInputStream.readLockedDeplete <
 *           SSLSocketImpl$AppInputStream.deplete < SSLSocketImpl.bruteForceCloseInput <
 *           SSLSocketImpl.duplexCloseOutput < SSLSocketImpl.close
 *       withheld_ms: 11360
 *       given_cpu_ms: 792
 *       cpu_pressure_percent: 99
 *     reproduced: A close during the handshake hung in
 *         SSLSocketImpl$AppInputStream.readLockedDeplete (seen_hanging_ms 5014, bound 5000).
 * On a build without it:
 *     # java: 21.0.8+9-LTS, Eclipse Adoptium
 *     seen_hanging_ms = 0 ms (bound 5000)
 *       bytes_taken_meanwhile: 64
 *       close_ms: 47
 *       looks: 1
 *       looks_that_saw_it: 0
 *       withheld_ms: 2164
 *       given_cpu_ms: 135
 *       cpu_pressure_percent: 89
 *     not-reproduced: A close during the handshake returned (seen_hanging_ms 0, bound 5000).
 */

/*
 * @test
 * @bug 8290005
 * @summary A close during the handshake must return, whichever way it drains the input
 * @run main/othervm CloseDuringHandshakeNeverReturns control
 * @run main/othervm CloseDuringHandshakeNeverReturns subject
 */

import java.io.*;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.net.*;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.security.*;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.util.*;
import java.util.concurrent.*;
import java.util.function.BooleanSupplier;
import javax.net.ssl.*;

public class CloseDuringHandshakeNeverReturns {
    public static void main(String[] args) throws Exception {
        Reproducer.run("CloseDuringHandshakeNeverReturns", "JDK-8290005", args,
            (which, findings) -> CloseInHandshake.measure(which, findings,
                CloseInHandshake.INPUT_DRAIN));
    }
}

// What follows is the reproducer's library, cut down to what it uses.

/**
 * Which case of a reproducer does this JVM run? Controls, in which the symptom must not show on any
 * build, and the subject. One JVM runs one case, as the JDK's caches are one for each JVM.
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
    SSLContext clientContext() throws GeneralSecurityException, IOException {
        return Identity.clientContext(contextAlgorithm);
    }
}

/** How does a case end early, or tell jtreg that it failed? By this, one line without a trace. */
final class CaseEnd extends RuntimeException {
    private static final long serialVersionUID = 1L;
    final transient Outcome outcome;
    CaseEnd(Outcome outcome, String reason) {
        super(reason, null, false, false);
        this.outcome = outcome;
    }
}

/**
 * How does an ordinary application ask? Over HttpsURLConnection, with a read timeout, reading each
 * body to its end. All requests share one SSLSocketFactory: the factory is part of the cache's key,
 * so with a new one for each request nothing would ever be reused.
 */
final class Client {
    static final int PATIENCE_MS = 20_000;
}

/**
 * Does close() return while another thread shakes hands? It skips the bytes that the socket has, in
 * one of two drains, and hangs if the handshake takes them between the question how many there are
 * and the skipping. Here that happens each time.
 */
final class CloseInHandshake {
    static final Sign.Place INPUT_DRAIN =
        Sign.Place.in("sun.security.ssl.SSLSocketImpl$AppInputStream", "deplete");
    static final Sign.Place ELSEWHERE = thread -> !INPUT_DRAIN.has(thread);
    private static final Sign.Place CLOSER = Sign.Place.thread("closer").and(Stacks.TLS_CLOSE);
    // Until a close returns it takes some ms; one that hangs never does, and is seen to the bound.
    private static final long BOUND_MS = 5_000;
    private static final long SENT_WITHIN_MS = 10_000;
    // Length of a record that never becomes whole: the handshake goes on waiting for the rest.
    private static final int ENDLESS_BYTES = 8_000;
    private static final int SENT_BYTES = 64;
    static void measure(Case which, Findings findings, Sign.Place there) throws Exception {
        try (ServerSocket listener = new ServerSocket(0, 1, TlsPeer.loopback());
                TakenByAnother plain = new TakenByAnother(new InetSocketAddress(
                    listener.getInetAddress(), listener.getLocalPort()));
                Socket server = listener.accept()) {
            SSLSocket socket = (SSLSocket) which.clientContext().getSocketFactory()
                .createSocket(plain, "127.0.0.1", plain.getPort(), true);
            new TimedCall("handshake", socket::startHandshake);
            TlsRecord hello = TlsRecord.read(server.getInputStream());
            findings.require(hello != null && hello.isHandshake(TlsRecord.CLIENT_HELLO),
                "The client did not begin with a ClientHello, but with " + hello + ".");
            sendHalf(server);
            findings.require(plain.awaitBytes(SENT_WITHIN_MS), "The server's bytes did not come.");
            if (which == Case.CONTROL || !PlainSocket.MEET) { plain.letHandshakeRead(); }
            Watch watch = new Watch(CloseInHandshake::hangs);
            TimedCall close = new TimedCall("closer", socket::close);
            watch.until(close::isOver, BOUND_MS);
            findings.fact("bytes_taken_meanwhile", plain.taken);
            findings.fact("close_ms", close.ms());
            if (which == Case.SUBJECT && plain.taken == 0 && watch.over()) {
                throw new CaseEnd(Outcome.NOT_APPLICABLE, "The threads did not meet: close() did"
                    + " not skip the socket's bytes.");
            }
            judge(findings, watch, there);
        }
    }
    private static void judge(Findings findings, Watch watch, Sign.Place there) {
        Sign.Seen seen = hangs(Stacks.now());
        String hung = "A close during the handshake hung in " + place(seen);
        findings.judge("seen_hanging_ms", watch, BOUND_MS, hung,
            "A close during the handshake returned");
        if (findings.outcome() == Outcome.REPRODUCED && !there.has(seen.waiter)) {
            findings.end(Outcome.NOT_REPRODUCED, hung + ", which is another bug.");
        }
    }
    private static Sign.Seen hangs(Stacks look) {
        for (ThreadInfo thread : look.threads()) {
            if (CLOSER.has(thread)) {
                ThreadInfo owner = look.owner(thread, any -> true);
                return owner != null ? new Sign.Seen(thread, owner)
                    : TimedCall.SOCKET_READ.has(thread) ? new Sign.Seen(thread, thread) : null;
            }
        }
        return null;
    }
    private static String place(Sign.Seen seen) {
        if (seen == null) { return "no place"; }
        String method = "close()";
        for (StackTraceElement frame : seen.waiter.getStackTrace()) {
            String type = frame.getClassName();
            if (type.startsWith("sun.security.ssl.SSLSocketImpl")) {
                method = type.substring(type.lastIndexOf('.') + 1) + "." + frame.getMethodName();
                break;
            }
        }
        return seen.waiter == seen.holder ? method
            : method + ", waiting for a lock of the thread " + seen.holder.getThreadName();
    }
    private static void sendHalf(Socket server) throws IOException {
        byte[] whole = TlsRecord.of(TlsRecord.HANDSHAKE, new byte[ENDLESS_BYTES]).bytes;
        server.getOutputStream().write(whole, 0, SENT_BYTES);
    }
    private static final class TakenByAnother extends PlainSocket {
        private static final long TAKEN_WITHIN_MS = 5_000;
        private final CountDownLatch mayRead = new CountDownLatch(1);
        private final CountDownLatch mayReadOn = new CountDownLatch(1);
        private volatile boolean taking;
        volatile int taken;
        TakenByAnother(InetSocketAddress address) throws IOException { super(address); }
        boolean awaitBytes(long timeoutMs) throws IOException { return await(true, timeoutMs); }
        void letHandshakeRead() throws IOException {
            mayRead.countDown();
            await(false, TAKEN_WITHIN_MS);
        }
        @Override void beforeRead() throws IOException {
            if (Thread.currentThread().getName().equals("handshake")) {
                await(mayRead);
                // One that waits for more holds a lock that the closer would then wait for as well.
                if (taking && getInputStream().available() == 0) { await(mayReadOn); }
            }
        }
        @Override void beforeSkip() throws IOException {
            if (mayRead.getCount() > 0) {
                taking = true;
                int before = getInputStream().available();
                letHandshakeRead();
                taken = before - getInputStream().available();
            }
        }
        @Override public void close() throws IOException {
            mayReadOn.countDown();
            super.close();
        }
        private static void await(CountDownLatch latch) throws IOException {
            try {
                latch.await();
            } catch (InterruptedException e) { throw new IOException(e); }
        }
        private boolean await(boolean some, long timeoutMs) throws IOException {
            long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(timeoutMs);
            while (getInputStream().available() > 0 != some && System.nanoTime() - end < 0) {
                Thread.yield();
            }
            return getInputStream().available() > 0 == some;
        }
    }
}

/**
 * What if a case hangs? After its deadline a thread dump goes to stderr, the outcome is written as
 * {@code error}, and the JVM is halted: a build that hangs is never taken for one that reproduces,
 * and no JVM of the suite outlives its parent for long. CPU that the machine withholds does not
 * count, as {@link Patience} has it.
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
                // Read now and then, because what a thread was denied goes when it ends.
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

/**
 * What has a case found so far? Facts (preconditions as measured), figures with their bounds, and
 * at last the judgement. Safe to read from the deadline's thread while the case is still running.
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
    synchronized void judge(String name, Watch watch, long bound, String seen, String notSeen) {
        long value = watch.seenMs();
        String reading = " (" + name + " " + value + ", bound " + bound + ").";
        watch.tell(this);
        if (value >= bound) {
            judged(Outcome.REPRODUCED, seen + reading);
        } else if (watch.over()) {
            judged(Outcome.NOT_REPRODUCED, notSeen + reading);
        } else {
            judged(Outcome.INCONCLUSIVE, "What was watched was not over after "
                + watch.patience().elapsedMs() + " ms, and what would hinder it was not seen for"
                + " long enough" + reading.replace(").", "); ") + watch.patience().withheld()
                + ".");
        }
        figures.add(0, entry(name, value, bound, "ms"));
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
 * Who is the peer, and whom does the client trust? One self-signed EC P-256 certificate for
 * localhost, 127.0.0.1 and ::1, valid from 2020 to 2099 and good for loopback tests alone. It is
 * carried as plain PKCS#8 and X.509, because older JDKs cannot read the PKCS#12 files that newer
 * keytools write.
 */
final class Identity {
    private static final String CERTIFICATE =
        "MIIBnTCCAUOgAwIBAgIBATAKBggqhkjOPQQDAjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwIBcN"
        + "MjAwMTAxMDAwMDAwWhgPMjA5OTEyMzEyMzU5NTlaMBQxEjAQBgNVBAMMCWxvY2FsaG9zdDBZ"
        + "MBMGByqGSM49AgEGCCqGSM49AwEHA0IABDLrTKjnrCCYp+/os6iuTqGk8g+xnzagSuiOS/WJ"
        + "2ZJvwOkFrl/3xghn7A98poKLwnKXLIgHQrlUiURohhheqAyjgYMwgYAwDAYDVR0TAQH/BAIw"
        + "ADAOBgNVHQ8BAf8EBAMCB4AwEwYDVR0lBAwwCgYIKwYBBQUHAwEwLAYDVR0RBCUwI4IJbG9j"
        + "YWxob3N0hwR/AAABhxAAAAAAAAAAAAAAAAAAAAABMB0GA1UdDgQWBBSF12QG9iW6RRBjEFXt"
        + "cjk8S5yKyzAKBggqhkjOPQQDAgNIADBFAiA7sn0kZgfGsX6mHPSmdcECNybPn4IDqSXtJ3yD"
        + "PUiLVQIhALTruTlWrylErGHN99NhwGfZaZZWjMzxbHPkWyqT9e8F";
    private static final char[] IN_MEMORY_ONLY = "in memory only".toCharArray();
    static SSLContext clientContext(String algorithm)
            throws GeneralSecurityException, IOException {
        SSLContext context = SSLContext.getInstance(algorithm);
        context.init(null, clientTrust(), null);
        return context;
    }
    static TrustManager[] clientTrust() throws GeneralSecurityException, IOException {
        needEllipticCurves();
        KeyStore store = emptyStore();
        store.setCertificateEntry("peer", certificate());
        TrustManagerFactory trust =
            TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(store);
        return trust.getTrustManagers();
    }
    private static void needEllipticCurves() {
        if (Security.getProviders("KeyFactory.EC") == null) {
            throw new CaseEnd(Outcome.NOT_APPLICABLE,
                "The peer needs elliptic curves, and this runtime has no module jdk.crypto.ec.");
        }
    }
    private static Certificate certificate() throws GeneralSecurityException {
        byte[] der = Base64.getDecoder().decode(CERTIFICATE);
        return CertificateFactory.getInstance("X.509")
            .generateCertificate(new ByteArrayInputStream(der));
    }
    private static KeyStore emptyStore() throws GeneralSecurityException, IOException {
        KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
        store.load(null, null);
        return store;
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
    // As git bisect run wants it: 125 where nothing can be said. jtreg has its own way.
    void tellShell(Outcome outcome) {
        if (System.getProperty("test.src") == null) {
            System.exit(outcome == Outcome.REPRODUCED ? 1
                : outcome == Outcome.NOT_REPRODUCED ? 0 : 125);
        }
    }
    void forget() throws IOException { }
    void write(Findings findings) throws IOException { }
    void writeHalted(Findings findings) throws IOException { }
    // Without files a control has to fail by itself.
    boolean readBySubject() { return false; }
    List<String> controlsThatFail(Outcome subject) throws IOException {
        return Collections.emptyList();
    }
}

/**
 * Is there time left? For what should come soon, and is an error or inconclusive if it does not.
 * CPU that the machine withholds is not counted, so that a deadline is as long on a busy machine as
 * on an idle one, up to {@link #MOST} times as long by the clock.
 */
final class Patience {
    static final int MOST = 3;
    private final long ms;
    private final long beginNanos = System.nanoTime();
    private final Withheld withheld = new Withheld();
    Patience(long ms) { this.ms = ms; }
    boolean left() {
        long byTheClock = elapsedMs();
        // Asked each time: what a thread lacked that has ended since is known no more.
        long withheldMs = withheld.ms();
        return byTheClock < MOST * ms && byTheClock - withheldMs < ms;
    }
    long elapsedMs() { return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - beginNanos); }
    Withheld withheld() { return withheld; }
}

/**
 * What if two threads meet at the worst moment? A plain socket, to put TLS upon, that brings that
 * moment about each time: it does nothing that a socket may not do, it only waits for the other
 * thread first.
 */
class PlainSocket extends Socket {
    static final boolean MEET = !"off".equals(System.getProperty("threads.meet"));
    PlainSocket(InetSocketAddress address) throws IOException {
        super(TlsPeer.loopback(), address.getPort());
        setTcpNoDelay(true);
    }
    void beforeRead() throws IOException { }
    void beforeSkip() throws IOException { }
    @Override public InputStream getInputStream() throws IOException {
        return new FilterInputStream(super.getInputStream()) {
            @Override public int read() throws IOException {
                beforeRead();
                return super.read();
            }
            @Override public int read(byte[] bytes, int offset, int length) throws IOException {
                beforeRead();
                return super.read(bytes, offset, length);
            }
            @Override public long skip(long count) throws IOException {
                beforeSkip();
                return super.skip(count);
            }
        };
    }
}

/**
 * How does a reproducer run? It measures, and this class does the rest: case, deadline, outcome
 * file, what is printed, and the exception that tells jtreg. Nothing that goes wrong can end as a
 * pass, because without a judgement the outcome is an error.
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

/**
 * What tells, in one look at all threads, that a bug is at work? A duration alone tells nothing on
 * a machine that is short of CPU; a sign is what the threads do meanwhile.
 */
interface Sign {
    Seen in(Stacks look);
    interface Place {
        boolean has(ThreadInfo thread);
        default Place and(Place other) { return thread -> has(thread) && other.has(thread); }
        static Place thread(String name) { return thread -> name.equals(thread.getThreadName()); }
        static Place in(String type, String method) {
            return thread -> Arrays.stream(thread.getStackTrace()).anyMatch(frame ->
                type.equals(frame.getClassName()) && method.equals(frame.getMethodName()));
        }
    }
    final class Seen {
        final ThreadInfo waiter;
        final ThreadInfo holder;
        Seen(ThreadInfo waiter, ThreadInfo holder) {
            this.waiter = waiter; this.holder = holder;
        }
        boolean sameAs(Seen before) {
            return before != null && holder.getThreadId() == before.holder.getThreadId();
        }
    }
}

/**
 * How does a test tell jtreg that it does not apply here? By throwing an exception of exactly this
 * name. jtreg then counts the test as passed; whoever must know better reads outcome.json.
 */
final class SkippedException extends RuntimeException {
    private static final long serialVersionUID = 1L;
    public SkippedException(String reason) { super(reason, null, false, false); }
}

/**
 * What does each thread do, and who owns what it waits for? One look at all threads, taken while
 * all of them stand still (at a safepoint), so that waiter and owner belong together. The lock may
 * be a monitor, as in 8 and 11, or a ReentrantLock, as in 17: either names its owner.
 */
final class Stacks {
    static final String TIMER = "Keep-Alive-Timer";
    static final Sign.Place CACHE = thread -> !TIMER.equals(thread.getThreadName())
        && Arrays.stream(thread.getStackTrace()).anyMatch(frame ->
            frame.getClassName().equals("sun.net.www.http.KeepAliveCache")
            || frame.getMethodName().equals("queueForCleanup"));
    static final Sign.Place TLS_CLOSE = Sign.Place.in("sun.security.ssl.SSLSocketImpl", "close");
    // A chain of owners that is longer goes in a circle.
    private static final int LONGEST_CHAIN = 8;
    private final Map<Long, ThreadInfo> threads = new LinkedHashMap<>();
    private Stacks() { }
    static Stacks now() {
        Stacks stacks = new Stacks();
        // Not the locks that each thread owns: they cost a walk through the heap.
        for (ThreadInfo thread
                : ManagementFactory.getThreadMXBean().dumpAllThreads(false, false)) {
            if (thread != null) { stacks.threads.put(thread.getThreadId(), thread); }
        }
        return stacks;
    }
    Iterable<ThreadInfo> threads() { return threads.values(); }
    ThreadInfo owner(ThreadInfo waiter, Sign.Place there) {
        ThreadInfo owner = threads.get(waiter.getLockOwnerId());
        for (int i = 0; i < LONGEST_CHAIN && owner != null; i++) {
            if (there.has(owner)) { return owner; }
            owner = threads.get(owner.getLockOwnerId());
        }
        return null;
    }
    static String dump() {
        StringBuilder out = new StringBuilder("Thread dump of all threads:\n");
        for (ThreadInfo thread : now().threads()) {
            // Its first line: name, state, lock and owner. It has a few of the frames only.
            out.append(thread.toString().split("\n", 2)[0]).append('\n');
            for (StackTraceElement frame : thread.getStackTrace()) {
                out.append("    at ").append(frame).append('\n');
            }
        }
        return out.toString();
    }
    static String frames(StackTraceElement[] stack) {
        StringBuilder out = new StringBuilder();
        for (StackTraceElement frame : stack) {
            String type = frame.getClassName();
            if (type.startsWith("sun.security.") || type.startsWith("sun.net.www.")
                    || type.startsWith("java.net.") || type.startsWith("java.security.")
                    || type.endsWith("ReentrantLock")) {
                out.append(out.length() == 0 ? "" : " < ")
                    .append(type.substring(type.lastIndexOf('.') + 1))
                    .append('.').append(frame.getMethodName());
            }
        }
        return out.toString();
    }
}

/** How long does a call take that may never return? It runs in a daemon thread of its own. */
final class TimedCall {
    interface Call {
        void run() throws Exception;
    }
    static final Sign.Place SOCKET_READ =
        thread -> isIn(thread.getStackTrace(), "SocketInputStream");
    static final Sign.Place SOCKET_WRITE =
        thread -> isIn(thread.getStackTrace(), "SocketOutputStream");
    private final CountDownLatch over = new CountDownLatch(1);
    private final FutureTask<Long> task;
    private final Thread thread;
    private final long beginNanos = System.nanoTime();
    TimedCall(String threadName, Call call) {
        task = new FutureTask<>(() -> {
            long begin = System.nanoTime();
            try {
                call.run();
            } finally { over.countDown(); }
            return System.nanoTime() - begin;
        });
        thread = TlsPeer.daemon(threadName, task);
        thread.start();
    }
    private static boolean isIn(StackTraceElement[] stack, String stream) {
        // 8 and 11 wait in a native method of the stream, 13 and later in one beneath it.
        boolean inStream = false;
        for (StackTraceElement frame : stack) {
            String type = frame.getClassName();
            inStream |= type.startsWith("java.net.") && type.endsWith(stream);
        }
        return inStream && stack[0].isNativeMethod();
    }
    boolean isOver() { return over.getCount() == 0; }
    long ms() throws Exception {
        if (!isOver()) { return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - beginNanos); }
        try {
            return TimeUnit.NANOSECONDS.toMillis(task.get());
        } catch (ExecutionException e) {
            throw e.getCause() instanceof Exception ? (Exception) e.getCause() : e;
        }
    }
}

/**
 * What does the server answer, and over which connection? A small HTTPS/1.1 server with keep-alive
 * on an ephemeral port of 127.0.0.1. Each reply says, from the server's side, on which connection
 * it went, the how-manieth it is there, and which protocol and cipher were negotiated: so the
 * client needs no listener or wrapper, either of which would change what is under test.
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

/**
 * What goes over the wire? One TLS record, as it lies there: a header of type, version and length,
 * and a body (RFC 8446 section 5.1). In TLS 1.3 all that is encrypted has the outer type
 * application_data, alerts too.
 */
final class TlsRecord {
    static final int HEADER_BYTES = 5;
    static final int CHANGE_CIPHER_SPEC = 20;
    static final int HANDSHAKE = 22;
    static final int CLIENT_HELLO = 1;
    final byte[] bytes;
    private TlsRecord(byte[] bytes) { this.bytes = bytes; }
    static TlsRecord of(int type, byte[] body) {
        byte[] bytes = new byte[HEADER_BYTES + body.length];
        bytes[0] = (byte) type;
        bytes[1] = 3;
        bytes[2] = 3;
        bytes[3] = (byte) (body.length >> 8);
        bytes[4] = (byte) body.length;
        System.arraycopy(body, 0, bytes, HEADER_BYTES, body.length);
        return new TlsRecord(bytes);
    }
    static TlsRecord read(InputStream in) throws IOException {
        int type = in.read();
        if (type < 0) { return null; }
        DataInputStream data = new DataInputStream(in);
        final int version = data.readUnsignedShort();
        byte[] body = new byte[data.readUnsignedShort()];
        data.readFully(body);
        TlsRecord read = of(type, body);
        read.bytes[1] = (byte) (version >> 8);
        read.bytes[2] = (byte) version;
        return read;
    }
    int type() { return bytes[0] & 0xff; }
    int bodyBytes() { return bytes.length - HEADER_BYTES; }
    boolean isHandshake(int handshakeType) {
        return type() == HANDSHAKE && bodyBytes() > 0 && bytes[HEADER_BYTES] == handshakeType;
    }
    @Override public String toString() {
        String[] names = {"change_cipher_spec", "alert", "handshake", "application_data"};
        int index = type() - CHANGE_CIPHER_SPEC;
        String name = index >= 0 && index < names.length ? names[index] : "type " + type();
        String which = type() == HANDSHAKE && bodyBytes() > 0 ? " " + bytes[HEADER_BYTES] : "";
        return name + which + ", " + bodyBytes() + " bytes";
    }
}

/**
 * For how long was a sign seen? Look after look at all threads, until what is watched is over, or
 * the sign was seen for long enough.
 */
final class Watch {
    private static final long LOOK_EVERY_MS = 25;
    private static final long MOST_MS = 4 * LOOK_EVERY_MS;
    private final Sign sign;
    private final Patience patience;
    private int looks;
    private int looksSeen;
    private long seenNanos;
    private long lastNanos;
    private Sign.Seen last;
    private Sign.Seen shown;
    private boolean over;
    Watch(Sign sign) { this(sign, new Patience(Client.PATIENCE_MS)); }
    Watch(Sign sign, Patience patience) {
        this.sign = sign; this.patience = patience;
    }
    boolean until(BooleanSupplier isOver, long boundMs) throws InterruptedException {
        over = isOver.getAsBoolean();
        while (!over && seenMs() < boundMs && patience.left()) {
            look();
            Thread.sleep(LOOK_EVERY_MS);
            over = isOver.getAsBoolean();
        }
        return over;
    }
    long seenMs() { return TimeUnit.NANOSECONDS.toMillis(seenNanos); }
    boolean over() { return over; }
    Patience patience() { return patience; }
    void tell(Findings findings) {
        findings.fact("looks", looks);
        findings.fact("looks_that_saw_it", looksSeen);
        if (shown != null) {
            if (shown.waiter != shown.holder) {
                findings.fact("waiter", shown.waiter.getThreadName());
                findings.fact("waiter_frames", Stacks.frames(shown.waiter.getStackTrace()));
            }
            findings.fact("holder", shown.holder.getThreadName());
            findings.fact("holder_frames", Stacks.frames(shown.holder.getStackTrace()));
        }
        patience.withheld().tell(findings);
    }
    private void look() {
        long before = System.nanoTime();
        Sign.Seen seen = sign.in(Stacks.now());
        looks++;
        if (seen != null) {
            looksSeen++;
            shown = seen;
            seenNanos += seen.sameAs(last)
                ? Math.min(before - lastNanos, TimeUnit.MILLISECONDS.toNanos(MOST_MS)) : 0;
        }
        last = seen;
        lastNanos = System.nanoTime();
    }
}

/** What CPU did the machine withhold? The kit asks Linux; by hand nobody is asked. */
final class Withheld {
    long ms() { return 0; }
    void tell(Findings findings) { }
    @Override public String toString() { return "what CPU the machine withheld is not known"; }
}
