// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

/*
 * @test
 * @summary The field report, 500 requests/s at a round trip of 2 ms
 * @key throughput
 * @library /lib /throughput/load /throughput/peer /throughput/hand
 * @build HttpsUrlConnectionClient BarePeer RelayProcess
 * @run main/othervm Azure500
 * @run main/othervm Azure500 tls12
 * @run main/othervm Azure500 no-read-timeout
 * @run main/othervm Azure500 delay-0
 * @run main/othervm Azure500 rtt-200
 */

/** By hand, one build at a time; {@code scenarios.yaml} has the parameters and their reasons. */
public class Azure500 {
    public static void main(String[] args) throws Exception {
        ByHand.run("azure-500", args);
    }
}
