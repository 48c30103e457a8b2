// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

/*
 * @test
 * @summary Requests at a steady rate
 * @key throughput
 * @library /lib /throughput/load /throughput/peer /throughput/hand
 * @build HttpsUrlConnectionClient BarePeer RelayProcess
 * @run main/othervm Steady
 * @run main/othervm Steady tls12
 * @run main/othervm Steady no-read-timeout
 */

/** By hand, one build at a time; {@code scenarios.yaml} has the parameters and their reasons. */
public class Steady {
    public static void main(String[] args) throws Exception {
        ByHand.run("steady", args);
    }
}
