// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

import java.io.File;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.Provider;
import java.util.Collections;
import java.util.Map;
import javax.net.ssl.SSLEngine;

/**
 * Which TLS implementation does the peer use: the tool JDK's, Conscrypt, Netty's BoringSSL, or a
 * {@link ProgramStack}? Conscrypt and Netty are loaded by name, as a test that jtreg compiles has
 * no jars.
 */
final class PeerStack {
    static final String JSSE = "jsse";
    static final String CONSCRYPT = "conscrypt";
    static final String BORINGSSL = "boringssl";

    private static final String NETTY = "io.netty.handler.ssl.";

    private PeerStack() { }

    /**
     * The peer's stack for a row, with only the row's protocol and suite.
     *
     * @param key the name of its key and certificate; empty for none
     * @throws Unsupported if there is no such stack, or it lacks what the row is about
     */
    static Stack of(Row row, Path identities, String key)
            throws GeneralSecurityException, IOException {
        if (!key.isEmpty() && !Files.exists(Identities.key(identities, key))) {
            throw new Unsupported("no key " + key, null);
        }
        String name = row.get(Row.PEER);
        try {
            switch (name) {
                case JSSE:
                    return new Stack(identities, key, true);
                case CONSCRYPT:
                    Provider provider = conscrypt();
                    return new Stack(Identities.context(identities, key, provider), true, true);
                case BORINGSSL:
                    return new OfNetty(identities, key);
                case ProgramStack.OPENSSL:
                case ProgramStack.GNUTLS:
                    return new ProgramStack(row, identities, key);
                default:
                    throw new Unsupported("no peer " + name, null);
            }
        } catch (ReflectiveOperationException | LinkageError e) {
            throw new Unsupported("no peer " + name + ": " + Told.chain(cause(e)), e);
        }
    }

    /** The resolution of session times in the row's server: Conscrypt's has whole seconds. */
    static long stepOfSessionsMs(Row row) {
        return row.has(Row.PEER, CONSCRYPT) && !row.jdkIsServer() ? 1_000 : 1;
    }

    /** With its own trust managers: the JDK's do not know the authType that it has for TLS 1.3. */
    private static Provider conscrypt() throws ReflectiveOperationException {
        Class<?> library = Class.forName("org.conscrypt.Conscrypt");
        Object builder = library.getMethod("newProviderBuilder").invoke(null);
        Class<?> type = Class.forName("org.conscrypt.Conscrypt$ProviderBuilder");
        type.getMethod("provideTrustManager", boolean.class).invoke(builder, true);
        return (Provider) type.getMethod("build").invoke(builder);
    }

    private static Throwable cause(Throwable thrown) {
        return thrown instanceof InvocationTargetException ? thrown.getCause() : thrown;
    }

    /** BoringSSL, through Netty's engine. */
    private static final class OfNetty extends Stack {
        private final Path identities;
        private final String key;
        private Object context;     // kept for a second connection, which resumes the session

        OfNetty(Path identities, String key) throws ReflectiveOperationException {
            super(null, true, true);
            this.identities = identities;
            this.key = key;
            Class<?> library = Class.forName(NETTY + "OpenSsl");
            library.getMethod("ensureAvailability").invoke(null);
        }

        @Override
        Tls client(Row row, Socket tcp) throws IOException {
            SSLEngine engine = engine(row, "localhost", tcp.getPort());
            engine.setSSLParameters(ofClient(row, engine.getSSLParameters()));
            return tls(tcp, engine);
        }

        @Override
        Tls server(Row row, Socket tcp) throws IOException {
            SSLEngine engine = engine(row, "", 0);
            engine.setSSLParameters(ofServer(row, engine.getSSLParameters()));
            return tls(tcp, engine);
        }

        /** A session resumed in TLS 1.3 has a new creation time, so this asks the engine. */
        private static Tls tls(Socket tcp, SSLEngine engine) {
            return new EngineTls(tcp, engine) {
                private boolean reused;     // a closed engine does not report it

                @Override
                public void handshake() throws IOException {
                    super.handshake();
                    reused = isReused(engine);
                }

                @Override
                public Map<String, String> facts(long begunMs) {
                    Map<String, String> facts = super.facts(begunMs);
                    facts.put("resumed", Boolean.toString(reused));
                    return facts;
                }
            };
        }

        private static boolean isReused(SSLEngine engine) {
            try {
                Object pointer = engine.getClass().getMethod("sslPointer").invoke(engine);
                return (boolean) Class.forName("io.netty.internal.tcnative.SSL")
                    .getMethod("isSessionReused", long.class).invoke(null, pointer);
            } catch (ReflectiveOperationException e) {
                throw new IllegalStateException("netty-tcnative tells no resumption", e);
            }
        }

        private SSLEngine engine(Row row, String host, int port) throws IOException {
            try {
                context = context == null ? context(row, host.isEmpty()) : context;
                Class<?> type = Class.forName(NETTY + "SslContext");
                Class<?> allocators = Class.forName("io.netty.buffer.ByteBufAllocator");
                Object allocator = allocators.getField("DEFAULT").get(null);
                return (SSLEngine) (host.isEmpty()
                    ? type.getMethod("newEngine", allocators).invoke(context, allocator)
                    : type.getMethod("newEngine", allocators, String.class, int.class)
                        .invoke(context, allocator, host, port));
            } catch (ReflectiveOperationException e) {
                Throwable cause = cause(e);
                if (cause instanceof IllegalArgumentException) {
                    throw new Unsupported(Told.chain(cause), e);
                }
                throw new IOException(Told.chain(cause), e);
            }
        }

        private Object context(Row row, boolean isServer) throws ReflectiveOperationException {
            File certificate = Identities.certificate(identities, key).toFile();
            File secret = Identities.key(identities, key).toFile();
            Class<?> type = Class.forName(NETTY + "SslContextBuilder");
            Object builder = isServer
                ? type.getMethod("forServer", File.class, File.class).invoke(null, certificate, secret)
                : type.getMethod("forClient").invoke(null);
            if (!isServer && !key.isEmpty()) {
                type.getMethod("keyManager", File.class, File.class)
                    .invoke(builder, certificate, secret);
            }
            type.getMethod("trustManager", File.class).invoke(builder,
                Identities.certificate(identities, Identities.AUTHORITY).toFile());
            Class<?> providers = Class.forName(NETTY + "SslProvider");
            type.getMethod("sslProvider", providers)
                .invoke(builder, providers.getField("OPENSSL").get(null));
            if (!row.has(Row.SUITE, Row.ANY)) {
                type.getMethod("ciphers", Iterable.class)
                    .invoke(builder, Collections.singletonList(row.get(Row.SUITE)));
            }
            type.getMethod("protocols", String[].class)
                .invoke(builder, (Object) new String[] {row.get(Row.PROTOCOL)});
            if (row.get(Row.FEATURE).endsWith("alpn")) {
                type.getMethod("applicationProtocolConfig", Class.forName(NETTY
                    + "ApplicationProtocolConfig")).invoke(builder, alpn(row, isServer));
            }
            return type.getMethod("build").invoke(builder);
        }

        private static Object alpn(Row row, boolean isServer) throws ReflectiveOperationException {
            String type = NETTY + "ApplicationProtocolConfig";
            Class<?> protocol = Class.forName(type + "$Protocol");
            Class<?> selector = Class.forName(type + "$SelectorFailureBehavior");
            Class<?> selected = Class.forName(type + "$SelectedListenerFailureBehavior");
            return Class.forName(type).getConstructor(protocol, selector, selected, Iterable.class)
                .newInstance(protocol.getField("ALPN").get(null),
                    selector.getField("NO_ADVERTISE").get(null),
                    selected.getField("ACCEPT").get(null),
                    isServer ? protocolsOfServer() : protocolsOfClient(row));
        }
    }
}
