// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

/*
 * @test
 * @summary Which peers does the JDK still reach as a client?
 * @library /lib /interop/lib
 * @build Peer
 * @run testng/othervm/timeout=300 -XX:TieredStopAtLevel=1 -XX:+UseSerialGC ClientRows
 */

import java.util.List;

/** The rows in which the JDK under test is the client. */
public class ClientRows extends RowSuite {
    @Override
    List<Row> rows() {
        return Rows.asClient();
    }
}
