// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

/*
 * @test
 * @summary A reproducer of httpclient/ whose preconditions are not met never passes
 * @key selftest
 * @requires jdk.version.major >= 11
 * @library /lib /httpclient
 * @build GetCarriesContentLength EmptyBodyHasByteAvailable TimerOfRedirectAbortsNextRequest
 *        RefusedByGoawayNotRetried
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
            "RefusedByGoawayNotRetried", "-Dpeer.goaway=off"));
        ChildJvm.checkAll(claims);
    }
}
