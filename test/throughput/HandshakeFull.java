// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

/*
 * @test
 * @summary A new connection for each request, with a full handshake
 * @key throughput
 * @library /lib /throughput/load /throughput/peer /throughput/hand
 * @build HttpsUrlConnectionClient BarePeer RelayProcess
 * @run main/othervm HandshakeFull
 * @run main/othervm HandshakeFull tls12
 * @run main/othervm HandshakeFull no-read-timeout
 * @run main/othervm HandshakeFull brief
 */

/** By hand, one build at a time; {@code scenarios.yaml} has the parameters and their reasons. */
public class HandshakeFull {
    public static void main(String[] args) throws Exception {
        ByHand.run("handshake-full", args);
    }
}
