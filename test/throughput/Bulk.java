// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

/*
 * @test
 * @summary Bodies of 1 and 16 MiB, from the peer and to it
 * @key throughput
 * @library /lib /throughput/load /throughput/peer /throughput/hand
 * @build HttpsUrlConnectionClient BarePeer RelayProcess
 * @run main/othervm Bulk bulk-down-1mib
 * @run main/othervm Bulk bulk-up-1mib
 * @run main/othervm Bulk bulk-down-16mib
 * @run main/othervm Bulk bulk-up-16mib
 * @run main/othervm Bulk bulk-down-1mib tls12
 * @run main/othervm Bulk bulk-up-1mib tls12
 * @run main/othervm Bulk bulk-down-16mib tls12
 * @run main/othervm Bulk bulk-up-16mib tls12
 * @run main/othervm Bulk bulk-down-1mib no-read-timeout
 * @run main/othervm Bulk bulk-up-1mib no-read-timeout
 * @run main/othervm Bulk bulk-down-16mib no-read-timeout
 * @run main/othervm Bulk bulk-up-16mib no-read-timeout
 */

import java.util.Arrays;

/** By hand, one build at a time; {@code scenarios.yaml} has the parameters and their reasons. */
public class Bulk {
    public static void main(String[] args) throws Exception {
        ByHand.run(args[0], Arrays.copyOfRange(args, 1, args.length));
    }
}
