// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

/*
 * @test
 * @summary What does the JDK answer to a peer that breaks a rule of RFC 8446?
 * @library /lib /interop/lib
 * @build Peer
 * @run testng/othervm/timeout=300 -Djdk.tls.namedGroups=secp256r1,x25519
 *     -XX:TieredStopAtLevel=1 -XX:+UseSerialGC ConformanceRows
 */

import java.util.List;

/**
 * The rows of {@link Musts}. Some are about a share of secp256r1, which clients of 27 and later
 * send only if configured to.
 */
public class ConformanceRows extends RowSuite {
    @Override
    List<Row> rows() {
        return Musts.rows();
    }
}
