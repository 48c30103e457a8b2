// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

/*
 * @test
 * @summary A reproducer whose preconditions are not met never passes
 * @key selftest
 * @library /lib /keepalive /http /httpserver /sockets /certpath
 * @build RequestsBlockedWhileConnectionCloses RequestsQueueWhenCacheIsFull
 *        RequestAfterPauseWaitsForStaleConnections DisconnectWaitsForSilentPeer
 *        ExpectContinueRequestTimesOut InterimReplyTakenAsFinal HeadReplyGoesToNextRequest
 *        TruncatedReplyReadAsWhole KeepAliveTimePropertyIgnored NegativeKeepAliveTimeoutEndsReuse
 *        ZeroKeepAliveTimeoutIgnored ExceptionPerReplyWithoutLength
 *        IdleConnectionsStayOpenUnderTraffic KeepAliveTimerStartsAnew
 *        RequestWaitsWhileAnotherCloses EarlyClosedStreamsQueue
 *        RejectedExpectContinueSentTwice SmallReplyWaitsForAcknowledgement
 *        TimedReadWaitsForOtherReader FailedLdapsLeavesSocketOpen
 *        SignalledConnectDoesNotTimeOut
 *        HeaderValuesInWrongOrder CookieOutlivesItsMaxAge
 *        OcspGetHasNoTimeout OcspReadOutlastsTimeout CrlFetchPinsCarrier
 * @run main/othervm NoSilentPass
 */

import java.nio.file.Files;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;

public class NoSilentPass {
    private static final String BLOCKED = "RequestsBlockedWhileConnectionCloses";
    private static final String QUEUE = "RequestsQueueWhenCacheIsFull";
    private static final String STALE = "RequestAfterPauseWaitsForStaleConnections";
    private static final String DISCONNECT = "DisconnectWaitsForSilentPeer";

    // A peer that sends an ordinary reply, and a client that keeps no connection.
    private static final String NO_SCRIPT = "-Dpeer.script=off";
    private static final String NO_REUSE = "-Dhttp.keepAlive=false";

    public static void main(String[] args) throws Exception {
        List<Callable<Void>> claims = new ArrayList<>();
        for (String test : Arrays.asList(BLOCKED, QUEUE, STALE, DISCONNECT)) {
            claims.add(ChildJvm.claim("not-applicable", "negotiated protocol TLSv1.2",
                test, "-Djdk.tls.client.protocols=TLSv1.2"));
        }
        // A relay that holds nothing: the peer answers each close at once.
        claims.add(ChildJvm.claim("inconclusive", "held 0 FINs", BLOCKED, "-Drelay.hold=off"));
        // Without reuse nothing is idle, so nothing is closed from the cache.
        claims.add(ChildJvm.claim("inconclusive", "0 was reused", DISCONNECT, NO_REUSE));
        claims.addAll(furtherClaims());
        claims.addAll(claimsOfServersAndSockets());
        claims.add(() -> hangEndsAsError(Case.SUBJECT));
        claims.add(() -> hangEndsAsError(Case.TLS12));
        claims.add(NoSilentPass::deadlineIsStretched);
        ChildJvm.checkAll(claims);
    }

    private static List<Callable<Void>> claimsOfServersAndSockets() {
        List<Callable<Void>> claims = new ArrayList<>();
        claims.add(ChildJvm.claim("inconclusive", "returned status 200",
            "RejectedExpectContinueSentTwice", NO_SCRIPT));
        claims.add(ChildJvm.claim("inconclusive", "The field had the values null",
            "HeaderValuesInWrongOrder", NO_SCRIPT));
        claims.add(ChildJvm.claim("inconclusive", "did not say the cookie",
            "CookieOutlivesItsMaxAge", NO_SCRIPT));
        claims.add(ChildJvm.claim(hasServer() ? "inconclusive" : "not-applicable",
            hasServer() ? "Of 100 replies 0 had a body" : "no module jdk.httpserver",
            "SmallReplyWaitsForAcknowledgement", "-Dserver.bodies=off"));
        claims.add(ChildJvm.claim("inconclusive", "did not come to read",
            "TimedReadWaitsForOtherReader", "-Dthreads.meet=off"));
        claims.add(ChildJvm.claim("inconclusive", "Of 5 sockets 0 were connected",
            "FailedLdapsLeavesSocketOpen", "-Dpeer.listens=off"));
        claims.add(ChildJvm.claim("inconclusive", "wait anew 0 times",
            "SignalledConnectDoesNotTimeOut", "-Dsignals.sent=off"));
        claims.add(ChildJvm.claim("inconclusive", "was silent to no request",
            "OcspGetHasNoTimeout", NO_SCRIPT));
        claims.add(ChildJvm.claim("inconclusive", "was silent to no request",
            "OcspReadOutlastsTimeout", NO_SCRIPT));
        claims.add(ChildJvm.claim(hasVirtualThreads() ? "inconclusive" : "not-applicable",
            hasVirtualThreads() ? "did not wait for the" : "no virtual threads",
            "CrlFetchPinsCarrier", "-Dpeer.listens=off"));
        return claims;
    }

    private static boolean hasVirtualThreads() {
        try {
            return Thread.class.getMethod("startVirtualThread", Runnable.class) != null;
        } catch (NoSuchMethodException e) {
            return false;
        }
    }

    /** Not every runtime image has the module jdk.httpserver. */
    private static boolean hasServer() {
        try {
            Class.forName("com.sun.net.httpserver.HttpServer");
            return true;
        } catch (ClassNotFoundException e) {
            return false;
        }
    }

    private static List<Callable<Void>> furtherClaims() {
        List<Callable<Void>> claims = new ArrayList<>();
        claims.add(ChildJvm.claim("error", "Server rejected operation",
            "ExpectContinueRequestTimesOut", NO_SCRIPT));
        claims.add(ChildJvm.claim("inconclusive", "sent 0 replies with status 103",
            "InterimReplyTakenAsFinal", NO_SCRIPT));
        claims.add(ChildJvm.claim("inconclusive", "The requests took 2 connections",
            "HeadReplyGoesToNextRequest", NO_REUSE));
        claims.add(ChildJvm.claim("inconclusive", "announced 64 bytes",
            "TruncatedReplyReadAsWhole", NO_SCRIPT));
        claims.add(ChildJvm.claim("inconclusive", "0 used the connection of the other",
            "KeepAliveTimePropertyIgnored", NO_REUSE));
        claims.add(ChildJvm.claim("inconclusive", "had Keep-Alive: null",
            "NegativeKeepAliveTimeoutEndsReuse", NO_SCRIPT));
        claims.add(ChildJvm.claim("inconclusive", "Without the header 0 of 4",
            "NegativeKeepAliveTimeoutEndsReuse", NO_REUSE));
        claims.add(ChildJvm.claim("inconclusive", "had Keep-Alive: null",
            "ZeroKeepAliveTimeoutIgnored", NO_SCRIPT));
        claims.add(ChildJvm.claim("inconclusive", "Without the header 0 of 4",
            "ZeroKeepAliveTimeoutIgnored", NO_REUSE));
        claims.add(ChildJvm.claim("inconclusive", "Of 20 replies 0 had no Content-Length",
            "ExceptionPerReplyWithoutLength", NO_SCRIPT));
        claims.add(ChildJvm.claim("inconclusive", "There were 0 threads named Keep-Alive-Timer",
            "IdleConnectionsStayOpenUnderTraffic", NO_REUSE));
        // Only the control can show this: a cache that never gives a connection back.
        claims.add(ChildJvm.claimOf(Case.CONTROL, "reproduced", "Connections were not reused",
            "NegativeKeepAliveTimeoutEndsReuse", NO_REUSE));
        claims.add(ChildJvm.claim("inconclusive", "There were 0 threads named Keep-Alive-Timer",
            "KeepAliveTimerStartsAnew", NO_REUSE));
        claims.add(ChildJvm.claim("inconclusive", "Of 2 connections 3 were closed",
            "RequestWaitsWhileAnotherCloses", NO_REUSE));
        claims.add(ChildJvm.claim("not-applicable", "negotiated protocol TLSv1.2",
            "EarlyClosedStreamsQueue", "-Djdk.tls.client.protocols=TLSv1.2"));
        claims.add(ChildJvm.claim("inconclusive", "held 0 FINs",
            "EarlyClosedStreamsQueue", "-Drelay.hold=off"));
        return claims;
    }

    /** No subject runs after a control that hangs, so the control writes the verdict, too. */
    private static Void hangEndsAsError(Case which) throws Exception {
        ChildJvm child = new ChildJvm(Hang.class.getName(), which.word, "0");
        Check.that(child.status == 3, "a hung case ended with " + child.status);
        child.expectOutcome("error", "was not over after");
        Check.that(child.output.contains("Full thread dump ") && child.output.contains("Hang.main"),
            "the dump must show where it hung: " + child.output);
        return null;
    }

    /** Four times as many busy threads as CPUs are denied three quarters of what they want. */
    private static Void deadlineIsStretched() throws Exception {
        if (Files.exists(Paths.get("/proc/self/schedstat"))) {
            int threads = 4 * Runtime.getRuntime().availableProcessors();
            ChildJvm child = new ChildJvm(Hang.class.getName(), Case.SUBJECT.word,
                Integer.toString(threads));
            Check.that(!child.output.contains("not over after 1 s"), child.output);
            child.expectOutcome("error", "(deadline 1 s, and at most 3 s where CPU is withheld);"
                + " the machine gave the JVM's threads");
        }
        return null;
    }

    /** A case that never ends, with threads that use CPU meanwhile. */
    public static final class Hang {
        static final long DEADLINE_S = 1;

        public static void main(String[] args) throws Exception {
            for (int i = 0; i < Integer.parseInt(args[1]); i++) {
                TlsPeer.daemon("spinner", () -> {
                    while (true) { }
                }).start();
            }
            Reproducer.run("Hang", "JDK-1", Case.of(new String[] {args[0]}),
                (which, findings) -> TimeUnit.HOURS.sleep(1), Paths.get(""), DEADLINE_S);
        }
    }
}
