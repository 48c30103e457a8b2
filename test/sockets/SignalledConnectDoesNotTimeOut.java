// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

/*
 * JDK-8312065: Socket.connect does not timeout when profiling
 *
 * What goes wrong: a connect waits for a host that does not answer. A signal wakes its thread,
 * which then waits for the whole timeout again, not for the rest of it. If signals always come less
 * than the timeout apart, as with a profiler, the connect never times out.
 *
 * What it takes: a connect with a timeout, a host that does not answer (here a listener whose queue
 * is full), and signals to the connecting thread. Here they are SIGPIPE, which a JVM catches and
 * ignores. A shell sends them to the thread's number; Linux then delivers them to that thread, as
 * it does not block them.
 *
 * Control: no signals. So the subject without its signals (-Dsignals.sent=off) is inconclusive: the
 * connect times out, but nothing shows that it would with signals.
 *
 * The test counts the waits that the thread has begun (the kernel counts how often it stopped to
 * wait). Signals are 100 ms apart or more, so a thread that heeds a timeout of 2,000 ms begins some
 * 20 waits at most, however busy the machine. A connect that times out proves something only if no
 * pause between two signals was as long as the timeout; otherwise it is inconclusive.
 *
 * Judged by a count of waits that the thread begins beyond those that fit into the timeout.
 *
 * Without its precondition
 *     -Dsignals.sent=off: inconclusive: wait anew 0 times
 *
 * How to run
 *     jtreg -jdk:/path/to/jdk test/sockets/SignalledConnectDoesNotTimeOut.java
 * or without jtreg, in test/
 *     mkdir -p classes
 *     javac -d classes -sourcepath lib sockets/SignalledConnectDoesNotTimeOut.java
 *     java -cp classes SignalledConnectDoesNotTimeOut [CASE]
 * where CASE is one of control and subject (the default).
 *
 * On an affected build:
 *     # java: 11.0.13+8, Eclipse Adoptium
 *     waits_begun = 40 waits (bound 40)
 *       timeout_ms: 2000
 *       connections_queued: 2
 *       signals: 40
 *       longest_pause_ms: 424
 *       connector_frames: PlainSocketImpl.socketConnect <
 *           AbstractPlainSocketImpl.doConnect < AbstractPlainSocketImpl.connectToAddress <
 *           AbstractPlainSocketImpl.connect < SocksSocketImpl.connect < Socket.connect
 *       poll_timeout_ms: 2000
 *     reproduced: A connect did not time out while signals woke its thread (waits_begun
 *         40, bound 40).
 * On a fixed build:
 *     # java: 11.0.24+8-post-Debian-2deb11u1, Debian
 *     waits_begun = 9 waits (bound 40)
 *       timeout_ms: 2000
 *       connections_queued: 2
 *       signals: 10
 *       longest_pause_ms: 442
 *       connector_frames: PlainSocketImpl.socketConnect <
 *           AbstractPlainSocketImpl.doConnect < AbstractPlainSocketImpl.connectToAddress <
 *           AbstractPlainSocketImpl.connect < SocksSocketImpl.connect < Socket.connect
 *       poll_timeout_ms: 91
 *       thrown: java.net.SocketTimeoutException: connect timed out
 *     not-reproduced: A connect timed out while signals woke its thread (waits_begun 9,
 *         bound 40).
 *
 * Evidence: outcome.json beside the scratch files has the timeout last given to poll(), if the
 * system reports it.
 */

/*
 * @test
 * @bug 8312065
 * @summary A connect must time out, though signals wake its thread
 * @key waits
 * @library /lib
 * @run main/othervm SignalledConnectDoesNotTimeOut control
 * @run main/othervm SignalledConnectDoesNotTimeOut subject
 */

import java.io.BufferedReader;
import java.io.Closeable;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

public class SignalledConnectDoesNotTimeOut {
    /** For the kit's own tests: without signals each build times out. */
    private static final boolean SENT = !"off".equals(System.getProperty("signals.sent"));

    private static final int TIMEOUT_MS = 2_000;
    private static final int SIGNAL_EVERY_MS = 100;

    // Twice as many as fit into the timeout.
    private static final long BOUND = 2 * TIMEOUT_MS / SIGNAL_EVERY_MS;

    // One wait may have had another reason.
    private static final long FEWEST = 3;

    // A queue of length 1 takes 2.
    private static final int MOST_QUEUED = 8;

    private static final Sign CONNECTS = Sign.at(Sign.Place.thread("connector")
        .and(Sign.Place.in("java.net.Socket", "connect"))
        .and(thread -> thread.getStackTrace()[0].isNativeMethod()));

    public static void main(String[] args) throws Exception {
        Reproducer.run("SignalledConnectDoesNotTimeOut", "JDK-8312065", args,
            SignalledConnectDoesNotTimeOut::measure);
    }

    private static void measure(Case which, Findings findings) throws Exception {
        if (!KernelThread.known()) {
            throw new CaseEnd(Outcome.NOT_APPLICABLE,
                "This system does not tell how often a thread has waited.");
        }
        List<Socket> queued = new ArrayList<>();
        try (ServerSocket full = new ServerSocket(0, 1, TlsPeer.loopback())) {
            InetSocketAddress address =
                new InetSocketAddress(TlsPeer.loopback(), full.getLocalPort());
            while (queued.size() < MOST_QUEUED && connects(address, queued)) { }
            findings.fact("timeout_ms", TIMEOUT_MS);
            findings.fact("connections_queued", queued.size());
            findings.require(queued.size() < MOST_QUEUED,
                "The listener's queue was not full with " + queued.size() + " connections.");
            judge(which, connect(address, which == Case.SUBJECT && SENT, findings), findings);
        } finally {
            for (Socket socket : queued) {
                socket.close();
            }
        }
    }

    /** @return whether it connected before its timeout */
    private static boolean connects(InetSocketAddress address, List<Socket> into)
            throws IOException {
        Socket socket = new Socket();
        try {
            socket.connect(address, TIMEOUT_MS);
            into.add(socket);
            return true;
        } catch (SocketTimeoutException e) {
            socket.close();
            return false;
        }
    }

    /** Connects, until that is over or the thread has waited too often. */
    private static Connector connect(InetSocketAddress address, boolean sends, Findings findings)
            throws Exception {
        CONNECTS.in(Stacks.now());  // loads the classes
        try (Signals signals = new Signals()) {
            Connector connector = new Connector(address);
            signals.pauseBegins();
            findings.require(connector.waits(), "The thread did not come to connect.");
            Patience patience = new Patience(Client.PATIENCE_MS);
            while (!connector.call.isOver() && connector.look() < BOUND && patience.left()) {
                if (sends) {
                    signals.send(connector.thread.number());
                }
                connector.call.over(SIGNAL_EVERY_MS);
            }
            connector.pauseMs = signals.longestPauseMs();
            findings.fact("signals", signals.sent);
            return connector;
        }
    }

    private static void judge(Case which, Connector connector, Findings findings) {
        findings.fact("longest_pause_ms", connector.pauseMs);
        findings.fact("connector_frames", connector.frames);
        if (connector.pollMs >= 0) {
            findings.fact("poll_timeout_ms", connector.pollMs);
        }
        boolean over = connector.call.isOver();
        if (over) {
            findings.fact("thrown", String.valueOf(connector.thrown));
        }
        findings.require(over || connector.waited >= BOUND, "The connect was under way when"
            + " patience ended, and had waited " + connector.waited + " times only.");
        findings.require(!over || connector.thrown instanceof SocketTimeoutException,
            "The connect to a listener whose queue was full did not wait.");
        findings.require(which == Case.CONTROL || connector.waited >= FEWEST,
            "Signals made the thread wait anew " + connector.waited + " times (bound " + FEWEST
            + ").");
        findings.require(which == Case.CONTROL || !over || connector.pauseMs < TIMEOUT_MS,
            "No signal came for " + connector.pauseMs + " ms, as long as the timeout.");
        findings.judgeCount("waits_begun", connector.waited, BOUND, "waits",
            "A connect did not time out while signals woke its thread",
            which == Case.SUBJECT ? "A connect timed out while signals woke its thread"
                : "A connect timed out");
    }

    /** A connecting thread, and what the kernel knows about it. */
    private static final class Connector {
        final TimedCall call;
        volatile KernelThread thread;
        volatile Exception thrown;
        String frames = "";
        long waited;
        long pollMs = -1;
        long pauseMs;
        private long waitedBefore;

        Connector(InetSocketAddress address) {
            call = new TimedCall("connector", () -> {
                thread = KernelThread.current();
                try (Socket socket = new Socket()) {
                    socket.connect(address, TIMEOUT_MS);
                } catch (IOException e) {
                    thrown = e;
                }
            });
        }

        /** @return whether it has begun to wait */
        boolean waits() throws InterruptedException {
            Patience patience = new Patience(Client.PATIENCE_MS);
            while (patience.left() && !call.over(SIGNAL_EVERY_MS)) {
                Sign.Seen seen = CONNECTS.in(Stacks.now());
                if (seen != null) {
                    frames = Stacks.frames(seen.holder.getStackTrace());
                    waitedBefore = thread.waits();
                    return true;
                }
            }
            return false;
        }

        /** @return how often it has begun to wait since {@link #waits} */
        long look() {
            long now = thread.waits();
            long poll = thread.pollTimeoutMs();
            waited = now < 0 ? waited : now - waitedBefore;
            pollMs = poll < 0 ? pollMs : poll;
            return waited;
        }
    }

    /** Sends signals through a shell, as Java has no call for it. */
    private static final class Signals implements Closeable {
        int sent;
        private final Process shell;
        private final BufferedReader answers;
        private long longestNanos;
        private long lastNanos;

        Signals() throws IOException {
            shell = new ProcessBuilder("/bin/sh", "-c",
                "echo; while read thread; do kill -PIPE $thread; echo; done")
                .redirectErrorStream(true).start();
            answers = new BufferedReader(new InputStreamReader(shell.getInputStream(),
                StandardCharsets.US_ASCII));
            awaitAnswer();  // it has started
        }

        /** Returns once the signal is sent, so that no two come at once. */
        void send(String thread) throws IOException {
            long before = System.nanoTime();
            shell.getOutputStream().write((thread + "\n").getBytes(StandardCharsets.US_ASCII));
            shell.getOutputStream().flush();
            awaitAnswer();
            pauseEnds();
            lastNanos = before;
            sent++;
        }

        void pauseBegins() {
            lastNanos = System.nanoTime();
        }

        private void pauseEnds() {
            longestNanos = Math.max(longestNanos, System.nanoTime() - lastNanos);
        }

        /** @return the longest time without a signal so far, or somewhat more */
        long longestPauseMs() {
            pauseEnds();
            return TimeUnit.NANOSECONDS.toMillis(longestNanos);
        }

        private void awaitAnswer() throws IOException {
            for (String line = answers.readLine(); line != null && !line.isEmpty();
                    line = answers.readLine()) {
                System.out.println("# " + line);
            }
        }

        @Override
        public void close() throws IOException {
            shell.getOutputStream().close();
            answers.close();
        }
    }

    /** What Linux reports about a thread. */
    private static final class KernelThread {
        private static final Path CURRENT = new File("/proc/thread-self").toPath();
        private static final String WAITS = "voluntary_ctxt_switches:";

        // The system call number of poll(descriptors, count, timeout) on amd64.
        private static final String POLL = "7";
        private static final boolean TELLS_POLL = "amd64".equals(System.getProperty("os.arch"));

        private final Path task;

        private KernelThread(Path task) {
            this.task = task;
        }

        static boolean known() {
            return Files.exists(CURRENT);
        }

        static KernelThread current() throws IOException {
            return new KernelThread(CURRENT.resolveSibling(Files.readSymbolicLink(CURRENT)));
        }

        String number() {
            return task.getFileName().toString();
        }

        /** @return how often it has stopped to wait; -1 if it has ended */
        long waits() {
            for (String line : lines("status")) {
                if (line.startsWith(WAITS)) {
                    return Long.parseLong(line.substring(WAITS.length()).trim());
                }
            }
            return -1;
        }

        /** @return the timeout of the poll() that it is in; -1 if it is in none, or unknown */
        long pollTimeoutMs() {
            for (String line : lines("syscall")) {
                String[] words = line.split(" ");
                if (TELLS_POLL && words.length > 3 && words[0].equals(POLL)) {
                    return Long.decode(words[3]);
                }
            }
            return -1;
        }

        private List<String> lines(String file) {
            try {
                return Files.readAllLines(task.resolve(file), StandardCharsets.UTF_8);
            } catch (IOException e) {
                return new ArrayList<>();
            }
        }
    }
}
