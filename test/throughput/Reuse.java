// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

/*
 * @test
 * @summary Connections stay, so a request costs what a request costs
 * @key throughput
 * @library /lib /throughput/load /throughput/peer /throughput/hand
 * @build HttpsUrlConnectionClient BarePeer RelayProcess
 * @run main/othervm Reuse
 * @run main/othervm Reuse tls12
 * @run main/othervm Reuse no-read-timeout
 * @run main/othervm Reuse relay
 * @run main/othervm Reuse brief
 */

/** By hand, one build at a time; {@code scenarios.yaml} has the parameters and their reasons. */
public class Reuse {
    public static void main(String[] args) throws Exception {
        ByHand.run("reuse", args);
    }
}
