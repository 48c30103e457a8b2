// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.security.GeneralSecurityException;
import java.security.Security;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The other side of all rows, in a JVM of its own on the tool JDK, with nothing disabled. It reads
 * one command a line, and answers each with a line:
 *
 * <pre>
 *   serve ROW    port N, and listens; "end", once the client has ended, is answered by seen FACTS
 *   ask N ROW    seen FACTS, of a client that connects to port N
 * </pre>
 *
 * or with {@code failed WHAT}, or with {@code lacking WHAT} if it has no such peer.
 */
public final class Peer {
    private final Path identities;

    private Peer(Path identities) {
        this.identities = identities;
    }

    /** @param args the folder for the keys and certificates, which the first peer makes */
    public static void main(String[] args) throws IOException, GeneralSecurityException {
        for (String name : new String[] {"jdk.tls.disabledAlgorithms", "jdk.tls.legacyAlgorithms",
            "jdk.certpath.disabledAlgorithms"}) {
            Security.setProperty(name, "");
        }
        Revocation.allowStaples();
        PrintStream out = System.out;
        System.setOut(System.err);      // what a library prints is not an answer
        Path folder = Paths.get(args[0]);
        Path made = folder.resolve("made");
        if (!Files.exists(made)) {      // otherwise by an earlier peer, which died or hung
            Minter.mint(folder);
            Files.createFile(made);
        }
        answer(out, "ready");
        BufferedReader in =
            new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        Peer peer = new Peer(folder);
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            peer.obey(line, in, out);
        }
    }

    private void obey(String line, BufferedReader in, PrintStream out) throws IOException {
        String[] words = line.split(" ", 3);
        try {
            boolean serves = words[0].equals("serve");
            Row row = Row.decoded(words[serves ? 1 : 2]);
            if (NamedPeer.isOf(row)) {
                byName(row, serves ? -1 : Integer.parseInt(words[1]), in, out);
            } else if (serves) {
                Revocation.staple(row.get(Row.KEY));
                try (ServerSide server = new ServerSide(row,
                        PeerStack.of(row, identities, row.get(Row.KEY)))) {
                    answer(out, "port " + server.port());
                    in.readLine();
                    server.close();     // a client that has not connected by now will not
                    answer(out, "seen " + encoded(server.seen()));
                }
            } else {
                ClientSide client =
                    new ClientSide(row, identities,
                    PeerStack.of(row, identities, clientKey(row)), Integer.parseInt(words[1]));
                answer(out, "seen " + encoded(client.talk()));
            }
        } catch (Unsupported e) {
            answer(out, "lacking " + e.getMessage());
        } catch (Exception e) {
            answer(out, "failed " + Told.chain(e));
        }
    }

    private void byName(Row row, int port, BufferedReader in, PrintStream out) throws Exception {
        try (NamedPeer peer = NamedPeer.of(row, identities, port)) {
            if (port < 0) {
                answer(out, "port " + peer.port());
                in.readLine();
            }
            answer(out, "seen " + encoded(peer.seen()));
        }
    }

    /** The name of the client's key and certificate; empty if it has none. */
    static String clientKey(Row row) {
        String feature = row.get(Row.FEATURE);
        return feature.startsWith("client-cert") ? row.get(Row.KEY)
            : feature.startsWith("refuse-client-") && !feature.endsWith("none")
                ? feature.substring("refuse-client-".length()) : "";
    }

    private static String encoded(Map<String, String> facts) {
        Map<String, String> told = new LinkedHashMap<>(facts);
        told.put("end", "clean");
        return Row.of(told).encoded();
    }

    private static void answer(PrintStream out, String text) {
        out.println(text.replace('\n', ' '));
        out.flush();
    }
}
