// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

import java.io.Closeable;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.IntSupplier;

/**
 * A peer that is more than a stack: one that breaks a rule, or a server of its own. Loaded by class
 * name, as a test that jtreg compiles has no jars.
 */
final class NamedPeer implements Closeable {
    /** WireMock over HTTP/1.1. */
    static final String WIREMOCK = "wiremock";

    /** WireMock over HTTP/2. */
    static final String WIREMOCK_H2 = "wiremock-h2";

    private static final Map<String, String> CLASSES = new HashMap<>();

    static {
        CLASSES.put(Musts.PEER, "tls13kit.conformance.Attacker");
        CLASSES.put(WIREMOCK, "tls13kit.interop.WireMockPeer");
        CLASSES.put(WIREMOCK_H2, "tls13kit.interop.WireMockPeer");
    }

    private final Object peer;

    private NamedPeer(Object peer) {
        this.peer = peer;
    }

    static boolean isOf(Row row) {
        return CLASSES.containsKey(row.get(Row.PEER));
    }

    /** @param port of the server to connect to; negative if the peer is the server */
    static NamedPeer of(Row row, Path identities, int port) throws Exception {
        try {
            return new NamedPeer(Class.forName(CLASSES.get(row.get(Row.PEER)))
                .getConstructor(Map.class, Path.class, int.class)
                .newInstance(row.values(), identities, port));
        } catch (ClassNotFoundException e) {
            throw new Unsupported("no " + row.get(Row.PEER), e);
        } catch (InvocationTargetException e) {
            throw e.getCause() instanceof Exception ? (Exception) e.getCause() : e;
        }
    }

    int port() {
        return ((IntSupplier) peer).getAsInt();
    }

    /** What it has seen, or the answer that it got, once that is known. */
    @SuppressWarnings("unchecked")
    Map<String, String> seen() throws Exception {
        return ((Callable<Map<String, String>>) peer).call();
    }

    @Override
    public void close() throws IOException {
        ((Closeable) peer).close();
    }
}
