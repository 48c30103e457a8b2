// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

/*
 * JDK-8347506: Compatible OCSP readtimeout property with OCSP timeout
 *
 * What goes wrong: com.sun.security.ocsp.timeout used to bound both the connect and the read of an
 * OCSP check. In 21 the read got a property of its own, 15 s by default. An application that sets
 * only the old one waits for 15 s if the responder is silent.
 *
 * What it takes: the old property alone, and a responder that takes the request and stays silent.
 * The request goes by POST, because on 17 a GET has no timeout at all (JDK-8179502).
 *
 * Control: the new property is set as well.
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
 *     jtreg -jdk:/path/to/jdk test/certpath/OcspReadOutlastsTimeout.java
 * or without jtreg, in test/
 *     mkdir -p classes
 *     javac -d classes -sourcepath lib certpath/OcspReadOutlastsTimeout.java
 *     java -cp classes OcspReadOutlastsTimeout [CASE]
 * where CASE is one of control and subject (the default).
 *
 * On an affected build:
 *     # java: 21.0.4+7-LTS, Eclipse Adoptium
 *     seen_waiting_ms = 6013 ms (bound 6000)
 *       request: POST
 *       timeout_s: 1
 *       check_ms: 19358
 *       end:
 *       looks: 141
 *       looks_that_saw_it: 106
 *       holder: validator
 *       holder_frames: Socket$SocketInputStream.read < HttpClient.parseHTTPHeader <
 *           HttpClient.parseHTTP < HttpURLConnection.getInputStream0 <
 *           HttpURLConnection.getInputStream < HttpURLConnection.getResponseCode <
 *           OCSP.getOCSPBytes < OCSP.check < RevocationChecker.checkOCSP <
 *           RevocationChecker.check < RevocationChecker.check <
 *           PKIXMasterCertPathValidator.validate < PKIXCertPathValidator.validate <
 *           PKIXCertPathValidator.validate < PKIXCertPathValidator.engineValidate <
 *           CertPathValidator.validate
 *       withheld_ms: 51201
 *       given_cpu_ms: 1425
 *       cpu_pressure_percent: 98
 *     reproduced: A check whose timeout is 1 s waited on for its OCSP responder
 *         (seen_waiting_ms 6013, bound 6000).
 * On a fixed build:
 *     # java: 21.0.8+9-LTS, Eclipse Adoptium
 *     seen_waiting_ms = 432 ms (bound 6000)
 *       request: POST
 *       timeout_s: 1
 *       check_ms: 11594
 *       end: java.net.SocketTimeoutException: Read timed out
 *       looks: 37
 *       looks_that_saw_it: 8
 *       holder: validator
 *       holder_frames: Socket$SocketInputStream.read < HttpClient.parseHTTPHeader <
 *           HttpClient.parseHTTP < HttpURLConnection.getInputStream0 <
 *           HttpURLConnection.getInputStream < HttpURLConnection.getResponseCode <
 *           OCSP.getOCSPBytes < OCSP.check < RevocationChecker.checkOCSP <
 *           RevocationChecker.check < RevocationChecker.check <
 *           PKIXMasterCertPathValidator.validate < PKIXCertPathValidator.validate <
 *           PKIXCertPathValidator.validate < PKIXCertPathValidator.engineValidate <
 *           CertPathValidator.validate
 *       withheld_ms: 39753
 *       given_cpu_ms: 890
 *       cpu_pressure_percent: 99
 *     not-reproduced: A check whose timeout is 1 s gave its OCSP responder up
 *         (seen_waiting_ms 432, bound 6000).
 */

/*
 * @test
 * @bug 8347506
 * @summary The timeout of OCSP must bound the read as well
 * @key waits
 * @library /lib
 * @run main/othervm OcspReadOutlastsTimeout control
 * @run main/othervm OcspReadOutlastsTimeout subject
 */

public class OcspReadOutlastsTimeout {
    public static void main(String[] args) throws Exception {
        Reproducer.run("OcspReadOutlastsTimeout", "JDK-8347506", args,
            OcspReadOutlastsTimeout::measure);
    }

    private static void measure(Case which, Findings findings) throws Exception {
        if (which == Case.CONTROL) {
            System.setProperty("com.sun.security.ocsp.readtimeout", OcspCheck.TIMEOUT);
        }
        OcspCheck.measure(findings, true);
    }
}
