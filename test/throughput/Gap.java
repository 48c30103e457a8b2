// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

/*
 * @test
 * @summary Connections to one host overflow the cache, and its FIN comes late
 * @key throughput
 * @library /lib /throughput/load /throughput/peer /throughput/hand
 * @build HttpsUrlConnectionClient BarePeer RelayProcess
 * @run main/othervm Gap
 * @run main/othervm Gap tls12
 * @run main/othervm Gap no-read-timeout
 * @run main/othervm Gap delay-0
 */

/** By hand, one build at a time; {@code scenarios.yaml} has the parameters and their reasons. */
public class Gap {
    public static void main(String[] args) throws Exception {
        ByHand.run("gap", args);
    }
}
