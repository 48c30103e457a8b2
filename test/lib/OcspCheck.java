// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

import java.io.IOException;
import java.net.URI;
import java.security.cert.CertPathValidator;
import java.security.cert.CertPathValidatorException;
import java.security.cert.CertificateFactory;
import java.security.cert.PKIXParameters;
import java.security.cert.PKIXRevocationChecker;
import java.security.cert.TrustAnchor;
import java.security.cert.X509Certificate;
import java.util.Collections;
import java.util.EnumSet;
import java.util.concurrent.CountDownLatch;

/**
 * When does a certificate check give up if its OCSP responder takes the request and stays silent?
 * It should after {@link #TIMEOUT}. The request is a GET, or a POST if the GET's URL would be long.
 */
final class OcspCheck {
    /** In seconds, the unit of the property on every release. */
    static final String TIMEOUT = "1";

    // Six times the timeout, and less than the 15 s that are the default.
    private static final long BOUND_MS = 6_000;

    // The JDK sends no GET whose URL would have more than 255 characters.
    private static final int LONG_PATH = 300;

    private static final Sign READS_REPLY = Sign.at(Sign.Place.thread("validator")
        .and(Sign.Place.in("sun.security.provider.certpath.OCSP", "getOCSPBytes"))
        .and(TimedCall.SOCKET_READ));

    private static volatile String method = "";
    private static volatile String end = "";

    private OcspCheck() { }

    /**
     * Judges by how long the check was seen to wait for the reply.
     *
     * @param longUrl whether the URL of a GET would be too long
     */
    static void measure(Findings findings, boolean longUrl) throws Exception {
        System.setProperty("com.sun.security.ocsp.timeout", TIMEOUT);
        CountDownLatch never = new CountDownLatch(1);
        try (ScriptedPeer responder = new ScriptedPeer("responder", exchange -> {
            method = exchange.method;
            never.await();
        })) {
            URI uri = responder.url("/" + Exchange.body(longUrl ? LONG_PATH : 0)).toURI();
            Watch watch = new Watch(READS_REPLY);
            TimedCall check = new TimedCall("validator", () -> validate(uri));
            watch.until(check::isOver, BOUND_MS);
            findings.fact("request", method);
            findings.fact("timeout_s", TIMEOUT);
            findings.fact("check_ms", check.ms());
            findings.fact("end", end);
            boolean asItMay = !check.isOver() || end.contains("SocketTimeoutException");
            findings.require(!method.isEmpty() && asItMay, "The responder was silent to "
                + (method.isEmpty() ? "no" : "a " + method) + " request, and the check ended with: "
                + end + ".");
            findings.judge("seen_waiting_ms", watch, BOUND_MS,
                "A check whose timeout is " + TIMEOUT + " s waited on for its OCSP responder",
                "A check whose timeout is " + TIMEOUT + " s gave its OCSP responder up");
            // A read that outlasts the timeout also ends, after the default.
            if (findings.outcome() == Outcome.NOT_REPRODUCED && check.ms() >= BOUND_MS) {
                findings.end(Outcome.INCONCLUSIVE, "The check took " + check.ms() + " ms (bound "
                    + BOUND_MS + "), and was seen to wait for " + watch.seenMs() + " of them.");
            }
        }
    }

    private static void validate(URI responder) throws Exception {
        X509Certificate certificate = (X509Certificate) Identity.certificate();
        CertPathValidator validator = CertPathValidator.getInstance("PKIX");
        PKIXRevocationChecker checker = (PKIXRevocationChecker) validator.getRevocationChecker();
        checker.setOcspResponder(responder);
        checker.setOptions(EnumSet.of(PKIXRevocationChecker.Option.NO_FALLBACK));
        PKIXParameters parameters =
            new PKIXParameters(Collections.singleton(new TrustAnchor(certificate, null)));
        parameters.addCertPathChecker(checker);
        try {
            validator.validate(CertificateFactory.getInstance("X.509")
                .generateCertPath(Collections.singletonList(certificate)), parameters);
            end = "valid";
        } catch (CertPathValidatorException e) {
            end = String.valueOf(e.getCause() == null ? e : e.getCause());
        }
    }
}
