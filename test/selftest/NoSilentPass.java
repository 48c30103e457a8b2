// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

/*
 * @test
 * @summary A reproducer whose preconditions are not met never passes
 * @key selftest
 * @library /lib /keepalive /http
 * @build RequestsBlockedWhileConnectionCloses RequestsQueueWhenCacheIsFull
 *        RequestAfterPauseWaitsForStaleConnections DisconnectWaitsForSilentPeer
 *        ExpectContinueRequestTimesOut InterimReplyTakenAsFinal HeadReplyGoesToNextRequest
 *        TruncatedReplyReadAsWhole KeepAliveTimePropertyIgnored NegativeKeepAliveTimeoutEndsReuse
 *        ZeroKeepAliveTimeoutIgnored ExceptionPerReplyWithoutLength
 *        IdleConnectionsStayOpenUnderTraffic KeepAliveTimerStartsAnew
 *        RequestWaitsWhileAnotherCloses EarlyClosedStreamsQueue
 * @run main/othervm NoSilentPass
 */

import java.io.File;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

public class NoSilentPass {
    private static final String BLOCKED = "RequestsBlockedWhileConnectionCloses";
    private static final String QUEUE = "RequestsQueueWhenCacheIsFull";
    private static final String STALE = "RequestAfterPauseWaitsForStaleConnections";
    private static final String DISCONNECT = "DisconnectWaitsForSilentPeer";

    // A peer that sends an ordinary reply, and a client that keeps no connection.
    private static final String NO_SCRIPT = "-Dpeer.script=off";
    private static final String NO_REUSE = "-Dhttp.keepAlive=false";

    // The children mostly start up and wait; more at once would only crowd a small machine.
    private static final int AT_ONCE = 3;

    public static void main(String[] args) throws Exception {
        List<Callable<Void>> claims = new ArrayList<>();
        for (String test : Arrays.asList(BLOCKED, QUEUE, STALE, DISCONNECT)) {
            claims.add(claim("not-applicable", "negotiated protocol TLSv1.2",
                test, "-Djdk.tls.client.protocols=TLSv1.2"));
        }
        // A relay that holds nothing: the peer answers each close at once.
        claims.add(claim("inconclusive", "held 0 FINs", BLOCKED, "-Drelay.hold=off"));
        // Without reuse nothing is idle, so nothing is closed from the cache.
        claims.add(claim("inconclusive", "0 was reused", DISCONNECT, NO_REUSE));
        claims.addAll(furtherClaims());
        claims.add(NoSilentPass::hangEndsAsError);
        ExecutorService pool =
            Executors.newFixedThreadPool(AT_ONCE, task -> TlsPeer.daemon("claim", task));
        for (Future<Void> done : pool.invokeAll(claims)) {
            done.get();
        }
    }

    private static List<Callable<Void>> furtherClaims() {
        List<Callable<Void>> claims = new ArrayList<>();
        claims.add(claim("error", "Server rejected operation",
            "ExpectContinueRequestTimesOut", NO_SCRIPT));
        claims.add(claim("inconclusive", "sent 0 replies with status 103",
            "InterimReplyTakenAsFinal", NO_SCRIPT));
        claims.add(claim("inconclusive", "The requests took 2 connections",
            "HeadReplyGoesToNextRequest", NO_REUSE));
        claims.add(claim("inconclusive", "announced 64 bytes",
            "TruncatedReplyReadAsWhole", NO_SCRIPT));
        claims.add(claim("inconclusive", "0 used the connection of the other",
            "KeepAliveTimePropertyIgnored", NO_REUSE));
        claims.add(claim("inconclusive", "had Keep-Alive: null",
            "NegativeKeepAliveTimeoutEndsReuse", NO_SCRIPT));
        claims.add(claim("inconclusive", "Without the header 0 of 4",
            "NegativeKeepAliveTimeoutEndsReuse", NO_REUSE));
        claims.add(claim("inconclusive", "had Keep-Alive: null",
            "ZeroKeepAliveTimeoutIgnored", NO_SCRIPT));
        claims.add(claim("inconclusive", "Without the header 0 of 4",
            "ZeroKeepAliveTimeoutIgnored", NO_REUSE));
        claims.add(claim("inconclusive", "Of 20 replies 0 had no Content-Length",
            "ExceptionPerReplyWithoutLength", NO_SCRIPT));
        claims.add(claim("inconclusive", "The traffic went over connections []",
            "IdleConnectionsStayOpenUnderTraffic", NO_REUSE));
        claims.add(claim("inconclusive", "There were 0 threads named Keep-Alive-Timer",
            "KeepAliveTimerStartsAnew", NO_REUSE));
        claims.add(claim("inconclusive", "Of 2 connections 3 were closed",
            "RequestWaitsWhileAnotherCloses", NO_REUSE));
        claims.add(claim("not-applicable", "negotiated protocol TLSv1.2",
            "EarlyClosedStreamsQueue", "-Djdk.tls.client.protocols=TLSv1.2"));
        claims.add(claim("inconclusive", "held 0 FINs",
            "EarlyClosedStreamsQueue", "-Drelay.hold=off"));
        return claims;
    }

    private static Void hangEndsAsError() throws Exception {
        Child child = new Child(Hang.class.getName());
        Check.that(child.status == 3, "a hung case ended with " + child.status);
        child.expectOutcome("error", "was not over after 1 s");
        Check.that(child.output.contains("Thread dump") && child.output.contains("Hang.main"),
            "the dump must show where it hung: " + child.output);
        return null;
    }

    private static Callable<Void> claim(String word, String reason, String test, String property) {
        return () -> {
            Child child = new Child(property, test);
            Check.that(child.status != 0, test + " passed with " + property + ": " + child.output);
            child.expectOutcome(word, reason);
            return null;
        };
    }

    /** A case that is never over. */
    public static final class Hang {
        public static void main(String[] args) throws Exception {
            Reproducer.run("Hang", "JDK-1", Case.SUBJECT,
                (which, findings) -> TimeUnit.HOURS.sleep(1), Paths.get(""), 1);
        }
    }

    /** One JVM with the class path of this one, in a directory of its own. */
    private static final class Child {
        final int status;
        final String output;
        private final Path directory;

        Child(String... arguments) throws Exception {
            directory = Files.createTempDirectory(Paths.get("").toAbsolutePath(), "child");
            List<String> command = new ArrayList<>();
            command.add(Paths.get(System.getProperty("java.home"), "bin", "java").toString());
            command.add("-cp");
            command.add(System.getProperty("test.class.path",
                System.getProperty("java.class.path")));
            command.addAll(Arrays.asList(arguments));
            File log = directory.resolve("log").toFile();
            Process process = new ProcessBuilder(command).directory(directory.toFile())
                .redirectErrorStream(true).redirectOutput(log).start();
            if (!process.waitFor(Deadline.SECONDS + 10, TimeUnit.SECONDS)) {
                process.destroyForcibly();
                throw new AssertionError("outlived its deadline: " + command);
            }
            status = process.exitValue();
            output = new String(Files.readAllBytes(log.toPath()), StandardCharsets.UTF_8);
        }

        void expectOutcome(String word, String reason) throws Exception {
            Path file = directory.resolve("outcome.json");
            Check.that(Files.exists(file), "no outcome: " + output);
            String text = new String(Files.readAllBytes(file), StandardCharsets.UTF_8);
            Check.that(text.contains("\"outcome\": \"" + word + "\""), "not " + word + ": " + text);
            Check.that(text.contains(reason), "no \"" + reason + "\": " + text);
        }
    }
}
