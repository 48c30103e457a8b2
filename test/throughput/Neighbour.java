// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

/*
 * @test
 * @summary Requests to a fast host, while connections to a slow one are closed
 * @key throughput
 * @library /lib /throughput/load /throughput/peer /throughput/hand
 * @build HttpsUrlConnectionClient BarePeer RelayProcess
 * @run main/othervm Neighbour
 * @run main/othervm Neighbour tls12
 * @run main/othervm Neighbour no-read-timeout
 * @run main/othervm Neighbour delay-0
 * @run main/othervm Neighbour brief
 */

/** By hand, one build at a time; {@code scenarios.yaml} has the parameters and their reasons. */
public class Neighbour {
    public static void main(String[] args) throws Exception {
        ByHand.run("neighbour", args);
    }
}
