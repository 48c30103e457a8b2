// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

import java.io.Closeable;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.IntSupplier;

/** A peer that breaks a rule: {@code tls13kit.conformance.Attacker}, found by its name. */
final class Attackers implements Closeable {
    private final Object attacker;

    private Attackers(Object attacker) {
        this.attacker = attacker;
    }

    /** A server. */
    static Attackers listening(Row row, Path identities) throws Exception {
        return connected(row, identities, -1);
    }

    /** A client of the server at that port. */
    static Attackers connected(Row row, Path identities, int port) throws Exception {
        try {
            return new Attackers(Class.forName("tls13kit.conformance.Attacker")
                .getConstructor(String.class, Path.class, int.class)
                .newInstance(Musts.rule(row), identities, port));
        } catch (ClassNotFoundException e) {
            throw new Unsupported("no " + Musts.PEER, e);
        } catch (InvocationTargetException e) {
            throw e.getCause() instanceof Exception ? (Exception) e.getCause() : e;
        }
    }

    int port() {
        return ((IntSupplier) attacker).getAsInt();
    }

    /** How it was answered, once that is known. */
    @SuppressWarnings("unchecked")
    Map<String, String> seen() throws Exception {
        return ((Callable<Map<String, String>>) attacker).call();
    }

    @Override
    public void close() throws IOException {
        ((Closeable) attacker).close();
    }
}
