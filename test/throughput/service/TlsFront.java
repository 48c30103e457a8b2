// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.Base64;
import javax.net.ssl.X509ExtendedKeyManager;

/**
 * What ends TLS in front of a service that has none? An HAProxy, which passes the bytes on (mode
 * tcp). It ends with this JVM, however that ends: its shell waits for the end of a pipe.
 */
final class TlsFront {
    private static final long READY_TIMEOUT_MS = 10_000;
    private static final long LOOK_EVERY_MS = 20;
    private static final String ALIAS = "peer";
    private static final String UNTIL_THE_PIPE_ENDS =
        "\"$0\" -db -f \"$1\" </dev/null >&2 & echo $!; cat; kill $! 2>/dev/null";

    final int port;
    final long pid;
    private final Process shell;

    /**
     * @param program haproxy
     * @param target where the service listens: {@code 127.0.0.1:PORT}, {@code unix@PATH}
     * @param alpn what it offers: {@code h2,http/1.1}
     * @throws IOException if it does not answer in time
     */
    TlsFront(String program, String target, String alpn, ServiceSettings tls)
            throws Exception {
        File folder = Files.createTempDirectory("tls-front").toFile();
        port = freePort();
        File keys = new File(folder, "keys.pem");
        Files.write(keys.toPath(), pem(tls.key).getBytes(StandardCharsets.US_ASCII));
        File settings = new File(folder, "haproxy.cfg");
        Files.write(settings.toPath(), settings(keys, target, alpn, tls.tickets)
            .getBytes(StandardCharsets.US_ASCII));
        shell = new ProcessBuilder("sh", "-c", UNTIL_THE_PIPE_ENDS, program, settings.getPath())
            .redirectError(ProcessBuilder.Redirect.INHERIT).start();
        BufferedReader said = new BufferedReader(
            new InputStreamReader(shell.getInputStream(), StandardCharsets.US_ASCII));
        pid = Long.parseLong(said.readLine().trim());
        try {
            awaitPort();
        } finally {
            for (File file : new File[] {keys, settings, folder}) {
                Files.delete(file.toPath());
            }
        }
    }

    /** Whether it is still running; samples of the service are void if not. */
    boolean isAlive() {
        return new File("/proc/" + pid).exists();
    }

    private String settings(File keys, String target, String alpn, boolean tickets) {
        return "global\n  nbthread 1\n" + (tickets ? "" : "  tune.ssl.cachesize 0\n")
            + "defaults\n  mode tcp\n  timeout connect 5s\n  timeout client 1h\n"
            + "  timeout server 1h\n"
            + "listen service\n  bind 127.0.0.1:" + port + " ssl crt " + keys
            + " alpn " + alpn + " ssl-min-ver TLSv1.2" + (tickets ? "" : " no-tls-tickets") + "\n"
            + "  server jetty " + target + "\n";
    }

    private static String pem(X509ExtendedKeyManager keys) throws Exception {
        return pem("CERTIFICATE", keys.getCertificateChain(ALIAS)[0].getEncoded())
            + pem("PRIVATE KEY", keys.getPrivateKey(ALIAS).getEncoded());
    }

    private static String pem(String what, byte[] der) {
        return "-----BEGIN " + what + "-----\n"
            + Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(der)
            + "\n-----END " + what + "-----\n";
    }

    /** HAProxy does not report which port it got, so it is given one. */
    private static int freePort() throws IOException {
        try (ServerSocket free = new ServerSocket(0, 1, TlsPeer.loopback())) {
            return free.getLocalPort();
        }
    }

    /** Waits until HAProxy accepts: right after its start, it refuses connections. */
    private void awaitPort() throws IOException, InterruptedException {
        long endNanos = System.nanoTime() + READY_TIMEOUT_MS * 1_000_000;
        while (true) {
            try (Socket socket = new Socket()) {
                socket.connect(new InetSocketAddress(TlsPeer.loopback(), port));
                return;
            } catch (ConnectException refused) {
                if (!isAlive() || System.nanoTime() - endNanos > 0) {
                    throw new IOException("haproxy does not answer on port " + port, refused);
                }
                Thread.sleep(LOOK_EVERY_MS);
            }
        }
    }
}
