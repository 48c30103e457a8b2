// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

/*
 * JDK-8256818: SSLSocket that is never bound or connected leaks socket resources
 *
 * What goes wrong: an application makes an SSLSocket, sets an option, and then finds that it need
 * not, or cannot, connect. It closes the socket, but the descriptor stays open. A client that tries
 * host after host runs out of descriptors.
 *
 * What it takes: an SSLSocket without a connection, one option (which makes the descriptor), and a
 * close.
 *
 * Control: plain sockets.
 *
 * Judged by a count of open descriptors.
 *
 * Without its precondition
 *     -Ddescriptors.counted=off: inconclusive: An unconnected socket had no descriptor
 *
 * How to run
 *     jtreg -jdk:/path/to/jdk test/tls13/UnconnectedSocketLeaksDescriptor.java
 * or without jtreg, in test/
 *     mkdir -p classes
 *     javac -d classes -sourcepath lib tls13/UnconnectedSocketLeaksDescriptor.java
 *     java -cp classes UnconnectedSocketLeaksDescriptor [CASE]
 * where CASE is one of control and subject (the default).
 *
 * On an affected build:
 *     # java: 11.0.10+9, AdoptOpenJDK
 *     descriptors_left = 100 descriptors (bound 50)
 *       sockets: 100
 *       descriptors_before: 9
 *       descriptors_after: 109
 *     reproduced: Closed sockets that had never been connected left their descriptors
 *         behind (descriptors_left 100, bound 50).
 * On a fixed build:
 *     # java: 11.0.13+8, Eclipse Adoptium
 *     descriptors_left = 0 descriptors (bound 50)
 *       sockets: 100
 *       descriptors_before: 8
 *       descriptors_after: 8
 *     not-reproduced: Closed sockets left no descriptors behind (descriptors_left 0,
 *         bound 50).
 *
 * Evidence: outcome.json beside the scratch files has the number of descriptors before and after.
 */

/*
 * @test
 * @bug 8256818
 * @summary close() must let go of the descriptor of an SSLSocket that has never been connected
 * @key waits
 * @library /lib
 * @run main/othervm UnconnectedSocketLeaksDescriptor control
 * @run main/othervm UnconnectedSocketLeaksDescriptor subject
 */

import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import javax.net.SocketFactory;
import javax.net.ssl.SSLContext;

public class UnconnectedSocketLeaksDescriptor {
    private static final int SOCKETS = 100;

    // The JVM opens only a few others meanwhile, such as class files.
    private static final long BOUND = SOCKETS / 2;

    public static void main(String[] args) throws Exception {
        Reproducer.run("UnconnectedSocketLeaksDescriptor", "JDK-8256818", args,
            UnconnectedSocketLeaksDescriptor::measure);
    }

    private static void measure(Case which, Findings findings) throws Exception {
        SocketFactory factory = which == Case.SUBJECT
            ? SSLContext.getDefault().getSocketFactory() : SocketFactory.getDefault();
        closed(factory);  // loads the classes
        // Kept: the collector may close the descriptor of a socket that nothing refers to.
        List<Socket> kept = new ArrayList<>();
        final long before = Descriptors.open();
        kept.add(factory.createSocket());
        kept.get(0).setTcpNoDelay(true);
        final long withOne = Descriptors.open();
        kept.get(0).close();
        for (int i = 1; i < SOCKETS; i++) {
            kept.add(closed(factory));
        }
        long after = Descriptors.open();
        findings.fact("sockets", kept.size());
        findings.fact("descriptors_before", before);
        findings.fact("descriptors_after", after);
        findings.require(withOne > before, "An unconnected socket had no descriptor: "
            + withOne + " were open with it, " + before + " before.");
        findings.judgeCount("descriptors_left", Math.max(0, after - before), BOUND, "descriptors",
            "Closed sockets that had never been connected left their descriptors behind",
            "Closed sockets left no descriptors behind");
    }

    private static Socket closed(SocketFactory factory) throws Exception {
        Socket socket = factory.createSocket();
        socket.setTcpNoDelay(true);
        socket.close();
        return socket;
    }
}
