// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

/*
 * @test
 * @summary A reproducer of tls13/ whose preconditions are not met never passes
 * @key selftest
 * @library /lib /tls13
 * @build CloseWaitsForSilentPeer FinalizerWaitsForSilentPeer ReadTimeoutBreaksConnection
 *        CloseInboundLosesSession CloseWhileReadingLosesSession SocketLockedWhileRecordIsAwaited
 *        CloseStuckBehindBlockedWriter HalfClosedPeerGetsUserCanceled ResumptionWithoutSessionId
 *        RetryWithoutChangeCipherSpec RetryForP256Server TicketKeysPileUp
 *        ParallelConnectionsDoNotResume DeclinedResumptionFailsHandshake SessionCacheReservesMemory
 *        CloseHangsDuringHandshake CloseDuringHandshakeNeverReturns SkipHangsAfterTwoCloses
 *        AlgorithmLookupLocksProvider FailedLookupLocksProvider CipherSuiteLookupCopiesTable
 *        ConstraintsCheckedForEachHandshake ApplicationProtocolNotNegotiated
 *        UnconnectedSocketLeaksDescriptor ResetComesWrapped MissingCertificateCalledBad
 *        HalfClosedEngineWrapsForEver
 *        ApplicationProtocolBytesChanged
 *        UnknownCertificateTypeThrowsNullPointer
 *        MalformedAuthorityThrowsIllegalArgument
 *        PlaintextAlertTakenForEncrypted
 *        MissingKeyShareAnswered
 *        PlainClientIsReset
 *        UnknownHandshakeTypeAwaited
 *        KeyPasswordAskedByWrongAlias
 *        KeyNotFoundWhileAnotherAsks
 *        ResumedSessionLosesPeerChain
 *        PreSharedKeySentTwice KeyDecryptedForEachHandshake
 * @run main/othervm/timeout=600 NoSilentPassTls13
 */

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;

public class NoSilentPassTls13 {
    private static final String TLS12_CLIENT = "-Djdk.tls.client.protocols=TLSv1.2";
    private static final String TLS12_SERVER = "-Djdk.tls.server.protocols=TLSv1.2";

    // A relay that passes everything, a peer that reads, two threads that do not meet.
    private static final String NO_HOLD = "-Drelay.hold=off";
    private static final String NO_DEAF_PEER = "-Dpeer.deaf=off";
    private static final String NO_MEETING = "-Dthreads.meet=off";

    // A peer that reads as soon as the close begins.
    private static final String PEER_WAKES = "-Dpeer.deaf=until-close";

    // A control whose client prefers a group that the server does not have.
    private static final String OTHER_GROUP = "-Dcontrol.groups=secp384r1,secp256r1";

    // A client that forgets each session as soon as it has all of it.
    private static final String NO_SESSIONS = "-Dsessions.kept=off";

    // A server that ignores ALPN. 8 and 11.0.13 do not heed the property.
    private static final boolean HEEDS_DISABLED_EXTENSIONS =
        !Arrays.asList("1.8", "11").contains(System.getProperty("java.specification.version"));
    private static final String NO_ALPN =
        "-Djdk.tls.server.disableExtensions=application_layer_protocol_negotiation";

    // A JVM that counts no allocation.
    private static final String NO_COUNT = "-Dallocation.counted=off";

    public static void main(String[] args) throws Exception {
        List<Callable<Void>> claims = new ArrayList<>(withoutTls13());
        claims.addAll(withoutTheMoment());
        for (String test : Arrays.asList("CloseWhileReadingLosesSession",
                "CloseInboundLosesSession", "ResumptionWithoutSessionId",
                "DeclinedResumptionFailsHandshake", "ResumedSessionLosesPeerChain")) {
            claims.add(ChildJvm.claim("inconclusive", "was not resumed", test, NO_SESSIONS));
        }
        claims.add(ChildJvm.claim("not-applicable", "makes no stateless tickets",
            "TicketKeysPileUp", "-Djdk.tls.server.enableSessionTicketExtension=false"));
        claims.add(ChildJvm.claim("inconclusive", "makes room for 16 sessions",
            "SessionCacheReservesMemory", "-Djavax.net.ssl.sessionCacheSize=16"));
        for (String test : Arrays.asList("CipherSuiteLookupCopiesTable",
                "ConstraintsCheckedForEachHandshake")) {
            claims.add(ChildJvm.claim("inconclusive", "counted 0 bytes", test, NO_COUNT));
        }
        if (HEEDS_DISABLED_EXTENSIONS) {
            claims.add(ChildJvm.claim("reproduced", "TLSv1.3 none, TLSv1.2 none",
                "ApplicationProtocolNotNegotiated", NO_ALPN));
        }
        claims.add(ChildJvm.claim("inconclusive", "An unconnected socket had no descriptor",
            "UnconnectedSocketLeaksDescriptor", "-Ddescriptors.counted=off"));
        claims.add(ChildJvm.claim("inconclusive", "names 0 application protocols",
            "ApplicationProtocolBytesChanged", "-Dalpn.named=off"));
        for (String test : Arrays.asList("UnknownCertificateTypeThrowsNullPointer",
                "MalformedAuthorityThrowsIllegalArgument")) {
            claims.add(ChildJvm.claim("inconclusive", "no CertificateRequest to change", test,
                "-Drequest.tampered=off"));
        }
        claims.add(ChildJvm.claim("inconclusive", "had more to read in 0 of 5",
            "PlainClientIsReset", "-Drequest.whole=off"));
        claims.add(ChildJvm.claim("inconclusive", "of type 1, which is known",
            "UnknownHandshakeTypeAwaited", "-Dhandshake.type=1"));
        claims.add(ChildJvm.claim("inconclusive", "Nobody asked for the password",
            "KeyPasswordAskedByWrongAlias", "-Dkey.wanted=off"));
        claims.add(ChildJvm.claim("inconclusive", "asked the key manager for 0 keys",
            "KeyDecryptedForEachHandshake", "-Dkey.wanted=off"));
        claims.add(ChildJvm.claim("inconclusive", "did not sort the attributes",
            "KeyNotFoundWhileAnotherAsks", "-Dattributes.collide=off"));
        claims.add(ChildJvm.claim("inconclusive", "carried 0 pre-shared keys",
            "PreSharedKeySentTwice", NO_SESSIONS));
        claims.addAll(withAnotherProviderFirst());
        ChildJvm.checkAll(claims);
    }

    private static List<Callable<Void>> withoutTls13() {
        List<Callable<Void>> claims = new ArrayList<>();
        for (String test : Arrays.asList("CloseWaitsForSilentPeer", "FinalizerWaitsForSilentPeer",
                "HalfClosedPeerGetsUserCanceled", "ResumptionWithoutSessionId", "TicketKeysPileUp",
                "ParallelConnectionsDoNotResume", "DeclinedResumptionFailsHandshake",
                "ResetComesWrapped", "HalfClosedEngineWrapsForEver",
                "PlaintextAlertTakenForEncrypted")) {
            claims.add(ChildJvm.claim("not-applicable", "negotiated protocol TLSv1.2",
                test, TLS12_CLIENT));
        }
        claims.add(ChildJvm.claim("error", "The reproducer broke with",
            "MissingCertificateCalledBad", TLS12_CLIENT));
        claims.add(ChildJvm.claim("not-applicable", "do not offer protocol TLSv1.3",
            "RetryForP256Server", TLS12_CLIENT));
        claims.add(ChildJvm.claimOf(Case.CONTROL, "reproduced",
            "had to ask for a retry", "RetryForP256Server", OTHER_GROUP));
        claims.add(ChildJvm.claim("inconclusive", "which is not the HelloRetryRequest",
            "RetryWithoutChangeCipherSpec", TLS12_SERVER));
        claims.add(ChildJvm.claim("inconclusive", "neither ServerHello nor missing_extension",
            "MissingKeyShareAnswered", TLS12_SERVER));
        return claims;
    }

    private static List<Callable<Void>> withoutTheMoment() {
        List<Callable<Void>> claims = new ArrayList<>();
        for (String test : Arrays.asList("CloseWaitsForSilentPeer",
                "FinalizerWaitsForSilentPeer")) {
            claims.add(ChildJvm.claim("inconclusive", "held 0 FINs", test, NO_HOLD));
        }
        for (String test : Arrays.asList("ReadTimeoutBreaksConnection",
                "SocketLockedWhileRecordIsAwaited")) {
            claims.add(ChildJvm.claim("inconclusive", "The relay did not stop", test, NO_HOLD));
        }
        claims.add(ChildJvm.claim("inconclusive", "The writer was not blocked",
            "CloseStuckBehindBlockedWriter", NO_DEAF_PEER));
        claims.add(ChildJvm.claim("inconclusive", "The writer went on",
            "CloseStuckBehindBlockedWriter", PEER_WAKES));
        for (String test : Arrays.asList("CloseHangsDuringHandshake",
                "CloseDuringHandshakeNeverReturns", "SkipHangsAfterTwoCloses")) {
            claims.add(ChildJvm.claim("not-applicable", "The threads did not meet",
                test, NO_MEETING));
        }
        return claims;
    }

    /** A provider with ciphers and no digests in the place of one that must have digests. */
    private static List<Callable<Void>> withAnotherProviderFirst() throws Exception {
        Path order = Paths.get("order.security").toAbsolutePath();
        // JDK 8 takes only a class name; later ones take it, too.
        Files.write(order, "security.provider.1=com.sun.crypto.provider.SunJCE\n"
            .getBytes(StandardCharsets.ISO_8859_1));
        List<Callable<Void>> claims = new ArrayList<>();
        for (String test : Arrays.asList("AlgorithmLookupLocksProvider",
                "FailedLookupLocksProvider")) {
            claims.add(ChildJvm.claim("inconclusive", "SunJCE ", test,
                "-Djava.security.properties=" + order));
        }
        return claims;
    }
}
