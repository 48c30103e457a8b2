// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

/*
 * @test
 * @summary A reproducer of httpclient/ whose preconditions are not met never passes
 * @key selftest
 * @requires jdk.version.major >= 11
 * @library /lib /httpclient
 * @build GetCarriesContentLength EmptyBodyHasByteAvailable TimerOfRedirectAbortsNextRequest
 *        RefusedByGoawayNotRetried InterimReplyTakenAsReply StreamOf204IsNotGivenBack
 *        MalformedHeadAccepted TimeoutEndsWithTheHead ConnectionOf204IsNotReused
 *        LengthOf204Refused OnlyFirstChallengeIsHeard EmptyChallengeThrows
 *        RefusedWebSocketHasNoBody UnreadBodyIsBuffered
 *        BodyUntilCloseLeavesSocketOpen DroppedClientLeavesSocketsOpen
 *        RequestBeyondStreamsFails RecordBehindReplyClosesConnection
 * @run main/othervm NoSilentPassHttpClient
 */

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;

public class NoSilentPassHttpClient {
    // A peer that sends an ordinary reply.
    private static final String NO_SCRIPT = "-Dpeer.script=off";

    public static void main(String[] args) throws Exception {
        List<Callable<Void>> claims = new ArrayList<>();
        claims.add(ChildJvm.claim("inconclusive", "The peer looked at 0 requests",
            "GetCarriesContentLength", NO_SCRIPT));
        claims.add(ChildJvm.claim("inconclusive", "The body had 64 bytes",
            "EmptyBodyHasByteAvailable", NO_SCRIPT));
        claims.add(ChildJvm.claim("inconclusive", "was redirected 0 times",
            "TimerOfRedirectAbortsNextRequest", NO_SCRIPT));
        claims.add(ChildJvm.claim("inconclusive", "GOAWAY refused 0 requests",
            "RefusedByGoawayNotRetried", NO_SCRIPT));
        claims.add(ChildJvm.claim("inconclusive", "sent 0 interim replies",
            "InterimReplyTakenAsReply", NO_SCRIPT));
        claims.add(ChildJvm.claim("inconclusive", "0 requests had the status",
            "StreamOf204IsNotGivenBack", NO_SCRIPT));
        claims.add(ChildJvm.claim("inconclusive", "The field did not come",
            "MalformedHeadAccepted", NO_SCRIPT));
        claims.add(ChildJvm.claim("inconclusive", "the client ended with: reply",
            "TimeoutEndsWithTheHead", NO_SCRIPT));
        claims.add(ChildJvm.claim("inconclusive", "The peer answered 200 (bound 204)",
            "ConnectionOf204IsNotReused", NO_SCRIPT));
        claims.add(ChildJvm.claim("inconclusive", "and answered 200",
            "LengthOf204Refused", NO_SCRIPT));
        claims.add(ChildJvm.claim("inconclusive", "The peer challenged 0 requests",
            "OnlyFirstChallengeIsHeard", NO_SCRIPT));
        claims.add(ChildJvm.claim("inconclusive", "The request ended with status 200",
            "EmptyChallengeThrows", NO_SCRIPT));
        claims.add(ChildJvm.claim("inconclusive", "The handshake was answered with 200",
            "RefusedWebSocketHasNoBody", NO_SCRIPT));
        claims.add(ChildJvm.claim("inconclusive", "and the server did not wait for it",
            "UnreadBodyIsBuffered", "-Dbody.sent=off"));
        claims.add(ChildJvm.claim("inconclusive", "0 records of TLSv1.3 followed a reply",
            "RecordBehindReplyClosesConnection", "-Drecord.sent=off"));
        claims.add(ChildJvm.claim("inconclusive", "The peer ended 0 connections",
            "BodyUntilCloseLeavesSocketOpen", NO_SCRIPT));
        claims.add(ChildJvm.claim("inconclusive", "3 clients were not collected",
            "DroppedClientLeavesSocketsOpen", "-Dclients.dropped=off"));
        claims.add(ChildJvm.claim("inconclusive", "No request was under way at the server",
            "RequestBeyondStreamsFails", NO_SCRIPT));
        ChildJvm.checkAll(claims);
    }
}
