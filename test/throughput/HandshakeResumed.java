// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

/*
 * @test
 * @summary A new connection for each request, with a resumed session
 * @key throughput
 * @library /lib /throughput/load /throughput/peer /throughput/hand
 * @build HttpsUrlConnectionClient BarePeer RelayProcess
 * @run main/othervm HandshakeResumed
 * @run main/othervm HandshakeResumed tls12
 * @run main/othervm HandshakeResumed no-read-timeout
 */

/** By hand, one build at a time; {@code scenarios.yaml} has the parameters and their reasons. */
public class HandshakeResumed {
    public static void main(String[] args) throws Exception {
        ByHand.run("handshake-resumed", args);
    }
}
