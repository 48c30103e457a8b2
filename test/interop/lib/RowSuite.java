// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

import java.io.IOException;
import java.lang.reflect.Method;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.security.KeyFactory;
import java.security.NoSuchAlgorithmException;
import java.security.spec.InvalidKeySpecException;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.Pattern;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;
import org.testng.SkipException;
import org.testng.annotations.AfterClass;
import org.testng.annotations.BeforeClass;
import org.testng.annotations.DataProvider;
import org.testng.annotations.Test;

/**
 * Does the JDK under test still talk to the other side, row by row? A row that hangs costs its
 * thread and ten seconds (a minute if it loads code), not the JVM. {@code -Drows.only=PATTERN}
 * selects rows by id.
 */
public abstract class RowSuite {
    private final Path identities = Paths.get("identities").toAbsolutePath();
    private RowsFile file;
    private PeerProcess peer;
    private ServerSocket responder;

    /** The rows of this suite. */
    abstract List<Row> rows();

    /** Starts the peer, which makes the keys. */
    @BeforeClass
    public void start() throws IOException {
        Files.createDirectories(identities);
        file = new RowsFile();
        responder = Revocation.respond(identities);
        peer = new PeerProcess(identities);
    }

    /** Ends the peer. */
    @AfterClass(alwaysRun = true)
    public void end() throws IOException {
        if (peer != null) {
            peer.close();
        }
        file.end();
        responder.close();
    }

    /**
     * The rows, one argument each. Those of java.net.http come last: before 11.0.8, its workers may
     * spin for ever once a connection is half closed (JDK-8214418), and other rows need the cores.
     */
    @DataProvider(name = "rows")
    public Object[][] provided() {
        Pattern only = Pattern.compile(System.getProperty("rows.only", ".*"));
        return rows().stream().filter(row -> only.matcher(row.id()).find())
            .sorted(Comparator.comparing(row -> row.has(Row.API, "HttpClient")))
            .map(row -> new Object[] {row}).toArray(Object[][]::new);
    }

    /** Runs one row. */
    @Test(dataProvider = "rows")
    public void row(Row row) throws Throwable {
        long begun = System.nanoTime();
        String status = "passed";
        String said = "";
        String alert;
        try {
            said = inTime(row);
            alert = Told.alertSent(said);
            if (row.mustFail()) {
                status = "failed";
                said = "accepted, and must be refused: " + said;
            }
        } catch (PeerProcess.Lacking e) {
            alert = "";
            String[] ended = withoutPeer(row, e.getMessage());
            status = ended[0];
            said = ended[1];
        } catch (Unsupported e) {
            alert = "";
            status = "unsupported";
            said = Told.chain(e);
        } catch (Exception | Error e) {
            said = Told.chain(e);
            alert = Told.alertSent(said);   // of what happened, not of what must happen
            status = row.mustFail() && e instanceof Refused && ((Refused) e).isFor(row)
                ? "passed" : "failed";
            if (row.mustFail() && status.equals("failed")) {
                said = "not refused for " + row.refusal() + ": " + said;
            }
        }
        long ms = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begun);
        file.add(row, status, said, alert, ms);
        if (status.equals("failed")) {
            throw new AssertionError(row + ": " + said);
        } else if (!status.equals("passed")) {
            throw new SkipException(status + ": " + said);
        }
    }

    /**
     * The status of a row without its peer, and the reason. The kit says why it could not bring a
     * peer or an API ({@code interop.error.NAME}), or why nobody can on this machine
     * ({@code interop.lacking.NAME}). What it brought has to run. Under jtreg alone, without the
     * kit's property {@code interop.peer.jdk}, any peer may be missing.
     */
    private static String[] withoutPeer(Row row, String message) {
        for (String name : new String[] {row.get(Row.PEER), row.get(Row.API)}) {
            for (String status : new String[] {"error", "lacking"}) {
                String reason = System.getProperty("interop." + status + "." + name);
                if (reason != null) {
                    return new String[] {status, reason};
                }
            }
        }
        boolean isByKit = System.getProperty("interop.peer.jdk") != null;
        return new String[] {isByKit ? "error" : "lacking", message};
    }

    private String inTime(Row row) throws Throwable {
        if (row.mustFail() ? !isEnabled(row) : !isSupported(row)) {
            throw new Unsupported("no such protocol, suite or key", null);
        }
        if (!peer.isAlive()) {
            peer.close();
            peer = new PeerProcess(identities);
        }
        FutureTask<String> task =
            new FutureTask<>(() -> row.jdkIsServer() ? asServer(row) : asClient(row));
        Thread thread = TlsPeer.daemon(row.id(), task);
        thread.start();
        Patience patience = new Patience(peer.loads(row) ? Conversation.LOADING_TIMEOUT_MS
            : Conversation.TIMEOUT_MS);
        while (patience.left()) {
            try {
                return task.get(100, TimeUnit.MILLISECONDS);
            } catch (TimeoutException e) {
                continue;
            } catch (ExecutionException e) {
                throw e.getCause();
            }
        }
        StackTraceElement[] stack = thread.getStackTrace();
        peer.close();       // which ends whatever the row waits for
        throw new IOException("hangs: " + (stack.length > 0 ? stack[0] : "ended"));
    }

    private String asClient(Row row) throws Exception {
        int port = peer.serve(row);
        Map<String, String> own;
        try {
            own = new ClientSide(row, identities,
                stack(row, Peer.clientKey(row), row.get(Row.KEY)), port).talk();
        } catch (Exception e) {
            throw ofBoth(row, e, this::served);
        } catch (Error e) {
            try {
                peer.served();      // otherwise, it takes the next row for the end of this one
            } catch (IOException | PeerProcess.Lacking others) {
                e.addSuppressed(others);
            }
            throw e;
        }
        return checked(row, own, peer.served());
    }

    private Map<String, String> served() throws IOException {
        return peer.served();
    }

    private String asServer(Row row) throws Exception {
        try (ServerSide server = new ServerSide(row,
                stack(row, row.get(Row.KEY), Peer.clientKey(row)))) {
            Map<String, String> others = Collections.emptyMap();
            PeerProcess.PeerFailure failure = null;
            try {
                others = peer.ask(row, server.port());
            } catch (PeerProcess.PeerFailure e) {
                failure = e;
                server.close();     // a client that has not connected by now will not
            }
            Map<String, String> own;
            try {
                own = server.seen();
            } catch (IOException e) {
                throw new Refused(e, failure == null ? "seen " + others : failure.getMessage());
            }
            if (failure != null) {
                throw failure;
            }
            return checked(row, own, others);
        }
    }

    /** The failure of the JDK under test, with what the other side reports of it. */
    private static Exception ofBoth(Row row, Exception own, PeerWord word) {
        String others;
        try {
            others = "seen " + word.get();
        } catch (PeerProcess.Lacking e) {
            return e;
        } catch (IOException e) {
            others = e.getMessage();
        }
        return own instanceof Unsupported || own instanceof PeerProcess.Lacking ? own
            : new Refused(own, others);
    }

    private Stack stack(Row row, String key, String othersKey) throws Exception {
        boolean isOf8 = System.getProperty("java.specification.version").startsWith("1.");
        if (isOf8 && othersKey.equals(Revocation.BY_STAPLE)) {
            throw new Unsupported("8 does not ask for staples by default", null);
        }
        try {
            return Arrays.asList(Revocation.KEYS).contains(othersKey)
                ? new Stack(Identities.askingContext(identities, key, othersKey), false, false)
                : new Stack(identities, key, false);
        } catch (NoSuchAlgorithmException | InvalidKeySpecException e) {
            throw new Unsupported("no keys of " + row.get(Row.KEY), e);
        }
    }

    /** Returns what was negotiated; throws if that is not what the row is about. */
    private static String checked(Row row, Map<String, String> own, Map<String, String> others)
            throws IOException {
        Map<String, String> seen = new LinkedHashMap<>(others);
        seen.putAll(own);
        seen.remove("end");
        need(row, Row.PROTOCOL, row.get(Row.PROTOCOL), seen);
        need(row, Row.SUITE, row.get(Row.SUITE), seen);
        if (row.has(Row.PEER, NamedPeer.WIREMOCK) || row.has(Row.PEER, NamedPeer.WIREMOCK_H2)) {
            need(row, "http", row.has(Row.PEER, NamedPeer.WIREMOCK) ? "HTTP/1.1" : "HTTP/2.0", seen);
        }
        switch (row.get(Row.FEATURE)) {
            case "resumed":
                need(row, "resumed", "true", seen);
                break;
            case "sni":
                need(row, "sni", Minter.HOST, seen);
                break;
            case "alpn":
                need(row, "alpn", Stack.PROTOCOL_SPOKEN, seen);
                break;
            case "keyupdate":
                need(row, "updated", "both", seen);
                break;
            case "hrr":
                if (!ClientSide.isHttp(row.get(Row.API))) {     // their sockets are not watched
                    need(row, "retried", "true", seen);
                }
                break;
            case "client-cert":
                need(row, "client", "CN=" + row.get(Row.KEY), seen);
                break;
            default:
                break;
        }
        return seen.toString();
    }

    private static void need(Row row, String fact, String wanted, Map<String, String> seen)
            throws IOException {
        if (!wanted.equals(Row.ANY) && !wanted.equals(seen.get(fact))) {
            throw new IOException(fact + " is " + seen.get(fact) + ", not " + wanted + ": " + seen);
        }
    }

    /** Does the JDK under test support the row's protocol, suite and key, enabled or not? */
    private static boolean isSupported(Row row) throws NoSuchAlgorithmException {
        try {
            KeyFactory.getInstance(Identities.algorithm(row.get(Row.KEY)));
        } catch (NoSuchAlgorithmException e) {
            return false;
        }
        SSLParameters supported = SSLContext.getDefault().getSupportedSSLParameters();
        return has(row.get(Row.PROTOCOL), supported.getProtocols())
            && has(row.get(Row.SUITE), supported.getCipherSuites());
    }

    /** Without the row's protocol, the JDK refuses any peer, but not for the row's reason. */
    private static boolean isEnabled(Row row) throws NoSuchAlgorithmException {
        SSLEngine engine = SSLContext.getDefault().createSSLEngine();
        engine.setUseClientMode(!row.jdkIsServer());
        return has(row.get(Row.PROTOCOL), engine.getEnabledProtocols());
    }

    private static boolean has(String wanted, String... supported) {
        return wanted.equals(Row.ANY) || Arrays.asList(supported).contains(wanted);
    }

    private interface PeerWord {
        Map<String, String> get() throws IOException;
    }

    /** The JDK under test has ended a row; the message has its exceptions and the peer's report. */
    private static final class Refused extends Exception {
        private static final long serialVersionUID = 1;

        private final String own;

        Refused(Exception own, String others) {
            super(Told.chain(own) + Told.PEER + others);
            this.own = Told.chain(own);
        }

        /** By the JDK's own exceptions; in a row of a rule, the peer reports the answer it got. */
        boolean isFor(Row row) {
            return Pattern.compile(row.refusal()).matcher(row.isOfRule() ? getMessage() : own).find();
        }
    }
}
