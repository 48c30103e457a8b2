// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

/*
 * @test
 * @summary Does the JDK still talk to each peer, with each protocol, suite, key and feature?
 * @library /lib /interop/lib
 * @build Peer
 * @run testng/othervm/timeout=120 -XX:TieredStopAtLevel=1 -XX:+UseSerialGC QuickRows
 */

import java.util.List;

/** The rows of {@link ClientRows} and {@link ServerRows} that are the first with some value. */
public class QuickRows extends RowSuite {
    @Override
    List<Row> rows() {
        return Rows.quick();
    }
}
