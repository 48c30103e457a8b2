// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

import java.io.BufferedReader;
import java.io.Closeable;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * The JVM of {@link Peer}: on the JDK of the property {@code interop.peer.jdk}, otherwise on the
 * one that compiles jtreg's tests, otherwise on the JDK under test itself. The stacks that are not
 * the JDK's come from {@code interop.peer.jars}.
 */
final class PeerProcess implements Closeable {
    /**
     * The optimizing compiler compiles only what is ten times as hot as by default. Otherwise, it
     * takes 15 of the 31 s of CPU time of 622 rows; without it, RSA takes as much again.
     */
    private static final List<String> JVM_OPTIONS = Collections.unmodifiableList(Arrays.asList(
        "-XX:Tier4InvocationThreshold=50000", "-XX:Tier4MinInvocationThreshold=6000",
        "-XX:Tier4CompileThreshold=150000", "-XX:Tier4BackEdgeThreshold=400000",
        "-XX:+UseSerialGC"));

    private static final int STARTS_WITHIN_MS = Conversation.LOADING_TIMEOUT_MS;
    private static final int ANSWERS_WITHIN_MS = Conversation.READ_TIMEOUT_MS;

    private final Process process;
    private final Writer in;
    private final Set<String> loaded = new HashSet<>();
    private volatile boolean isClosed;
    private final BlockingQueue<String> answers = new ArrayBlockingQueue<>(100);

    /** @throws Lacking if it does not start, perhaps because the machine has no room for it */
    PeerProcess(Path identities) {
        String home = System.getProperty("interop.peer.jdk",
            System.getProperty("compile.jdk", System.getProperty("java.home")));
        String jars = System.getProperty("interop.peer.jars", "");
        List<String> command = new ArrayList<>();
        command.add(home + "/bin/java");
        command.addAll(JVM_OPTIONS);
        for (String name : System.getProperties().stringPropertyNames()) {
            if (name.startsWith("interop.")) {
                command.add("-D" + name + "=" + System.getProperty(name));
            }
        }
        command.add("-cp");
        command.add(System.getProperty("test.class.path", System.getProperty("java.class.path"))
            + (jars.isEmpty() ? "" : File.pathSeparator + jars));
        command.add("Peer");
        command.add(identities.toString());
        try {
            process = new ProcessBuilder(command).redirectError(new File("peer.log")).start();
        } catch (IOException e) {
            throw new Lacking("the peer does not run: " + e.getMessage());
        }
        Withheld.countToo(process);
        in = new OutputStreamWriter(process.getOutputStream(), StandardCharsets.UTF_8);
        TlsPeer.daemon("answers of the peer", this::read).start();
        if (!isReady()) {
            close();
            throw new Lacking("the peer on " + home + " did not start");
        }
    }

    private boolean isReady() {
        try {
            return "ready".equals(next(STARTS_WITHIN_MS));
        } catch (IOException hangs) {
            return false;
        }
    }

    boolean isAlive() {
        return process.isAlive() && !isClosed;
    }

    /** Does this row load code, as the first of its peer or its API? Call this once a row. */
    boolean loads(Row row) {
        return loaded.addAll(Arrays.asList(row.get(Row.PEER), row.get(Row.API)));
    }

    /** Makes the peer listen for a client of the row; returns the port. */
    int serve(Row row) throws IOException {
        return Integer.parseInt(told("port", say("serve " + row.encoded())));
    }

    /** What the server has seen, now that its client has ended. */
    Map<String, String> served() throws IOException {
        return Row.decoded(told("seen", say("end"))).values();
    }

    /** Makes the peer connect to that port; returns what its client has seen. */
    Map<String, String> ask(Row row, int port) throws IOException {
        return Row.decoded(told("seen", say("ask " + port + " " + row.encoded()))).values();
    }

    @Override
    public void close() {
        isClosed = true;
        process.destroyForcibly();
    }

    private String say(String line) throws IOException {
        try {
            in.write(line + "\n");
            in.flush();
        } catch (IOException died) {
            // there will be no answer, either
        }
        return next(ANSWERS_WITHIN_MS);
    }

    private static String told(String what, String answer) throws IOException {
        if (answer.startsWith(what + " ")) {
            return answer.substring(what.length() + 1);
        }
        if (answer.startsWith("lacking ")) {
            throw new Lacking(answer.substring("lacking ".length()));
        }
        throw new PeerFailure(answer.replaceFirst("^failed ", ""));
    }

    /** The next answer; a peer that gives none is ended, so that the next row gets a new one. */
    private String next(int withinMs) throws IOException {
        try {
            Patience patience = new Patience(withinMs);
            for (String answer = null; patience.left();) {
                answer = answers.poll(100, TimeUnit.MILLISECONDS);
                if (answer != null) {
                    return answer;
                }
                if (!process.isAlive() && answers.isEmpty()) {
                    break;
                }
            }
        } catch (InterruptedException e) {
            close();
            throw new IOException("interrupted", e);
        }
        boolean died = !process.isAlive();
        close();
        if (died) {
            throw new Lacking("the peer's JVM died: see peer.log");
        }
        throw new IOException("the peer hangs");
    }

    private void read() {
        try (BufferedReader out = new BufferedReader(
                new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            for (String line = out.readLine(); line != null; line = out.readLine()) {
                answers.add(line);
            }
        } catch (IOException e) {
            // it has ended
        }
    }

    /** There is no such peer here, or no longer. */
    static final class Lacking extends RuntimeException {
        private static final long serialVersionUID = 1;

        Lacking(String what) {
            super(what);
        }
    }

    /** The peer reports that something went wrong on its side. */
    static final class PeerFailure extends IOException {
        private static final long serialVersionUID = 1;

        PeerFailure(String what) {
            super(what);
        }
    }
}
