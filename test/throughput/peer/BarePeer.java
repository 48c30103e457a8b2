// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

import java.io.IOException;
import java.net.ServerSocket;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;

/**
 * How fast can a JSSE peer be? A bare HTTPS/1.1 server, for rates that a full HTTP server does not
 * reach: a thread per connection (virtual if the JDK has them), no objects per request, replies
 * built once.
 *
 * <pre>java -cp CLASSES BarePeer [tickets=true] [keep_alive_s=0] [warm_up_ms=4000]</pre>
 *
 * {@code tickets=false}: no session can be resumed. {@code keep_alive_s=N}: replies say
 * {@code Keep-Alive: timeout=N}; with 0 they don't.
 * {@code warm_up_ms}: how long it sends itself requests before it is ready.
 */
public final class BarePeer implements PeerProcess.Program {
    private static final int BACKLOG = 1024;
    private static final int LONGEST_KEEP_ALIVE_S = 3600;

    private static final int LONGEST_WARM_UP_MS = 60_000;

    private final PeerCounters counters = new PeerCounters();
    private final KeyUse keyUse = new KeyUse();
    private boolean tickets;
    private BareReplies replies;

    public static void main(String[] args) throws IOException {
        PeerProcess.run(args, new BarePeer());
    }

    @Override
    public int start(Arguments arguments) throws Exception {
        tickets = arguments.flag("tickets", true);
        replies = new BareReplies(
            (int) arguments.number("keep_alive_s", 0, LONGEST_KEEP_ALIVE_S));
        long warmUpMs = arguments.number("warm_up_ms", 4000, LONGEST_WARM_UP_MS);
        arguments.end();
        SSLContext context = PeerContext.of(keyUse.watched(Identity.serverKeys()), tickets);
        ServerSocket listener = context.getServerSocketFactory()
            .createServerSocket(0, BACKLOG, TlsPeer.loopback());
        Executor threads = threads();
        AcceptLoop.start("accept", listener, socket -> serve((SSLSocket) socket, threads));
        PeerWarmUp.run(listener.getLocalPort(), warmUpMs);
        return listener.getLocalPort();
    }

    @Override
    public Map<String, Long> counters() {
        return counters.values();
    }

    private void serve(SSLSocket socket, Executor threads) throws IOException {
        socket.setTcpNoDelay(true);
        counters.connections.increment();
        threads.execute(new BareConnection(socket, tickets, keyUse, replies, counters));
    }

    /** By reflection, as virtual threads came with JDK 21 and this is compiled for 8. */
    private static Executor threads() {
        try {
            return (Executor) Executors.class
                .getMethod("newVirtualThreadPerTaskExecutor").invoke(null);
        } catch (ReflectiveOperationException notBefore21) {
            return task -> TlsPeer.daemon("connection", task).start();
        }
    }
}
