// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

/*
 * JDK-8179502: Enhance OCSP, CRL and Certificate Fetch Timeouts
 *
 * What goes wrong: a certificate is checked by OCSP. The responder takes the request and stays
 * silent. Nothing bounds the wait, whatever com.sun.security.ocsp.timeout says: each handshake that
 * needs the check hangs for as long as the responder keeps the connection open.
 *
 * What it takes: a request short enough to go by GET, as most do since 17. A GET sets no timeout.
 *
 * Control: a responder with a long URL, so that the request goes by POST, which has the timeout.
 *
 * With a responder that answers (-Dpeer.script=off) either case is inconclusive.
 *
 * Judged by a sign: its thread is in a socket read in OCSP.getOCSPBytes, for six times its
 * time-out; watched until it ends.
 *
 * Without its precondition
 *     -Dpeer.script=off: inconclusive: was silent to no request
 *
 * How to run
 *     jtreg -jdk:/path/to/jdk test/certpath/OcspGetHasNoTimeout.java
 * or without jtreg, in test/
 *     mkdir -p classes
 *     javac -d classes -sourcepath lib certpath/OcspGetHasNoTimeout.java
 *     java -cp classes OcspGetHasNoTimeout [CASE]
 * where CASE is one of control and subject (the default).
 *
 * On an affected build:
 *     # java: 17.0.12+7-Debian-2deb11u1, Debian
 *     seen_waiting_ms = 6060 ms (bound 6000)
 *       request: GET
 *       timeout_s: 1
 *       check_ms: 26301
 *       end:
 *       looks: 117
 *       looks_that_saw_it: 96
 *       holder: validator
 *       holder_frames: Socket$SocketInputStream.read < HttpClient.parseHTTPHeader <
 *           HttpClient.parseHTTP < HttpURLConnection.getInputStream0 <
 *           HttpURLConnection.getInputStream < HttpURLConnection.getResponseCode <
 *           OCSP.getOCSPBytes < OCSP.check < RevocationChecker.checkOCSP <
 *           RevocationChecker.check < RevocationChecker.check <
 *           PKIXMasterCertPathValidator.validate < PKIXCertPathValidator.validate <
 *           PKIXCertPathValidator.validate < PKIXCertPathValidator.engineValidate <
 *           CertPathValidator.validate
 *       withheld_ms: 73639
 *       given_cpu_ms: 1327
 *       cpu_pressure_percent: 98
 *     reproduced: A check whose timeout is 1 s waited on for its OCSP responder
 *         (seen_waiting_ms 6060, bound 6000).
 * On a fixed build:
 *     # java: 17.0.19+10-1-deb12u2-Debian, Debian
 *     seen_waiting_ms = 324 ms (bound 6000)
 *       request: GET
 *       timeout_s: 1
 *       check_ms: 10248
 *       end: java.net.SocketTimeoutException: Read timed out
 *       looks: 31
 *       looks_that_saw_it: 7
 *       holder: validator
 *       holder_frames: Socket$SocketInputStream.read < HttpClient.parseHTTPHeader <
 *           HttpClient.parseHTTP < HttpURLConnection.getInputStream0 <
 *           HttpURLConnection.getInputStream < HttpURLConnection.getResponseCode <
 *           OCSP.getOCSPBytes < OCSP.check < RevocationChecker.checkOCSP <
 *           RevocationChecker.check < RevocationChecker.check <
 *           PKIXMasterCertPathValidator.validate < PKIXCertPathValidator.validate <
 *           PKIXCertPathValidator.validate < PKIXCertPathValidator.engineValidate <
 *           CertPathValidator.validate
 *       withheld_ms: 37850
 *       given_cpu_ms: 722
 *       cpu_pressure_percent: 98
 *     not-reproduced: A check whose timeout is 1 s gave its OCSP responder up
 *         (seen_waiting_ms 324, bound 6000).
 */

/*
 * @test
 * @bug 8179502
 * @summary A check by OCSP must end at its timeout, also where it asks by GET
 * @key waits
 * @library /lib
 * @run main/othervm OcspGetHasNoTimeout control
 * @run main/othervm OcspGetHasNoTimeout subject
 */

public class OcspGetHasNoTimeout {
    public static void main(String[] args) throws Exception {
        Reproducer.run("OcspGetHasNoTimeout", "JDK-8179502", args,
            OcspGetHasNoTimeout::measure);
    }

    private static void measure(Case which, Findings findings) throws Exception {
        // Some builds have a separate property for the read timeout: set it to the same value.
        System.setProperty("com.sun.security.ocsp.readtimeout", OcspCheck.TIMEOUT);
        OcspCheck.measure(findings, which == Case.CONTROL);
    }
}
