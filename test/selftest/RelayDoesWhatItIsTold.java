// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

/*
 * @test
 * @summary The relay passes, delays, holds, releases and counts as told
 * @key selftest
 * @library /lib
 * @run main/othervm RelayDoesWhatItIsTold
 */

import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.util.concurrent.TimeUnit;

public class RelayDoesWhatItIsTold {
    // A held byte never comes; if none comes for this long, none will.
    private static final int NEVER_MS = 300;

    // A released byte comes at once; only a broken relay needs this long.
    private static final int PATIENCE_MS = 10_000;

    public static void main(String[] args) throws Exception {
        try (ServerSocket echo = new ServerSocket(0, 16, TlsPeer.loopback())) {
            TlsPeer.daemon("echo-accept", () -> acceptLoop(echo)).start();
            passesAndCounts(echo);
            holdsUntilReleased(echo);
            laterConnectionsPassFreely(echo);
        }
    }

    private static void passesAndCounts(ServerSocket echo) throws Exception {
        try (Relay relay = relay(echo); Socket client = connect(relay)) {
            Check.that(exchange(client) < PATIENCE_MS, "a byte must pass");
            Check.that(relay.connections() == 1, "connections: " + relay.connections());
            Check.that(relay.clientFins() == 0, "no FIN yet: " + relay.clientFins());
            client.shutdownOutput();
            Check.that(client.getInputStream().read() == -1, "the peer's FIN must pass");
            Check.that(relay.awaitClientFins(1, PATIENCE_MS), "the client's FIN must be counted");
            Check.that(!relay.awaitClientFins(2, NEVER_MS), "one FIN must not be counted twice");
            Check.that(relay.heldFins() == 0, "nothing was held");
            Check.that(relay.failures().isEmpty(), "failures: " + relay.failures());
        }
    }

    private static void holdsUntilReleased(ServerSocket echo) throws Exception {
        try (Relay relay = relay(echo); Socket client = connect(relay)) {
            exchange(client);
            relay.hold();
            client.getOutputStream().write(7);
            client.shutdownOutput();
            Check.that(relay.awaitHeldFins(1, PATIENCE_MS),
                "the peer's FIN must be counted as held, though bytes before it are held too");
            Check.that(silent(client), "a held byte came through");
            relay.release();
            InputStream in = client.getInputStream();
            Check.that(in.read() == 7 && in.read() == -1, "released: the byte, then the FIN");
        }
    }

    private static void laterConnectionsPassFreely(ServerSocket echo) throws Exception {
        try (Relay relay = relay(echo); Socket first = connect(relay)) {
            exchange(first);
            relay.hold();
            try (Socket second = connect(relay)) {
                exchange(second);
            }
            Check.that(silent(first), "the first is held");
        }
    }

    private static Relay relay(ServerSocket echo) throws IOException {
        return new Relay(new InetSocketAddress(echo.getInetAddress(), echo.getLocalPort()));
    }

    private static Socket connect(Relay relay) throws IOException {
        Socket client = new Socket(TlsPeer.loopback(), relay.address().getPort());
        client.setSoTimeout(PATIENCE_MS);
        return client;
    }

    private static long exchange(Socket client) throws IOException {
        long begin = System.nanoTime();
        client.getOutputStream().write(42);
        Check.that(client.getInputStream().read() == 42, "the echo must come back");
        return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begin);
    }

    private static boolean silent(Socket client) throws IOException {
        client.setSoTimeout(NEVER_MS);
        try {
            client.getInputStream().read();
            return false;
        } catch (SocketTimeoutException expected) {
            return true;
        } finally {
            client.setSoTimeout(PATIENCE_MS);
        }
    }

    private static void acceptLoop(ServerSocket echo) {
        while (!echo.isClosed()) {
            try {
                Socket socket = echo.accept();
                TlsPeer.daemon("echo", () -> echo(socket)).start();
            } catch (IOException e) {
                if (!echo.isClosed()) {
                    e.printStackTrace();
                }
            }
        }
    }

    private static void echo(Socket socket) {
        try (Socket closing = socket) {
            InputStream in = closing.getInputStream();
            for (int next = in.read(); next >= 0; next = in.read()) {
                closing.getOutputStream().write(next);
            }
        } catch (IOException e) {
            System.err.println("echo: " + e);
        }
    }
}
