// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

/*
 * @test
 * @summary The longest wait for a fast host, while the timer closes connections to another
 * @key throughput
 * @library /lib /throughput/load /throughput/peer /throughput/hand
 * @build HttpsUrlConnectionClient BarePeer RelayProcess
 * @run main/othervm CrossHost
 * @run main/othervm CrossHost tls12
 * @run main/othervm CrossHost no-read-timeout
 * @run main/othervm CrossHost delay-0
 */

/** By hand, one build at a time; {@code scenarios.yaml} has the parameters and their reasons. */
public class CrossHost {
    public static void main(String[] args) throws Exception {
        ByHand.run("cross-host", args);
    }
}
