// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: Apache-2.0

package tls13kit.facts;

import java.io.PrintStream;
import java.security.GeneralSecurityException;
import java.security.Provider;
import java.security.Security;
import java.util.ArrayList;
import java.util.List;

import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLException;
import javax.net.ssl.TrustManager;

/**
 * What does this JDK do by default, and what is in it? Uses only the public API of Java 8, so that
 * one class file runs on every JDK since; opens no socket.
 *
 * <p>Prints a line {@code name<TAB>value} for each fact; a list has a line for each of its members.
 */
public final class Facts {

    private Facts() {
    }

    /** Prints the facts. */
    public static void main(String[] args) throws Exception {
        PrintStream out = System.out;
        tell(out, "version", System.getProperty("java.runtime.version"));
        tell(out, "vendor", System.getProperty("java.vendor"));
        tell(out, "vm", System.getProperty("java.vm.name"));
        tell(out, "vm_mode", System.getProperty("java.vm.info"));
        tell(out, "debug_level", debugLevel());
        tell(out, "jfr", String.valueOf(hasFlightRecorder()));
        tell(out, "management", String.valueOf(has("com.sun.management.ThreadMXBean")));
        tell(out, "javac", String.valueOf(hasCompiler()));
        for (Provider provider : Security.getProviders()) {
            tell(out, "providers", provider.getName() + " " + version(provider));
        }
        SSLContext context = context();
        SSLEngine client = engine(context, true);
        SSLEngine server = engine(context, false);
        tell(out, "client_protocols", client.getEnabledProtocols());
        tell(out, "server_protocols", server.getEnabledProtocols());
        tell(out, "usable_protocols", usableProtocols(context));
        tell(out, "disabled_algorithms", disabledAlgorithms());
        tell(out, "client_cipher_suites", client.getEnabledCipherSuites());
        tell(out, "server_cipher_suites", server.getEnabledCipherSuites());
        ClientHello hello = ClientHello.of(client);
        tell(out, "named_groups", hello.namedGroups());
        tell(out, "key_shares", hello.keyShares());
    }

    /** The default context, or one that trusts nobody if cacerts exists but cannot be read. */
    static SSLContext context() throws GeneralSecurityException {
        try {
            return SSLContext.getDefault();
        } catch (GeneralSecurityException e) {
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, new TrustManager[0], null);
            return context;
        }
    }

    private static SSLEngine engine(SSLContext context, boolean isClient) {
        SSLEngine engine = context.createSSLEngine();
        engine.setUseClientMode(isClient);
        return engine;
    }

    /** The protocols that, enabled alone and with all suites, let a client begin a handshake. */
    private static String[] usableProtocols(SSLContext context) {
        List<String> usable = new ArrayList<>();
        for (String protocol : engine(context, true).getSupportedProtocols()) {
            SSLEngine client = engine(context, true);
            try {
                client.setEnabledCipherSuites(client.getSupportedCipherSuites());
                client.setEnabledProtocols(new String[] {protocol});
                ClientHello.of(client);
                usable.add(protocol);
            } catch (SSLException | IllegalArgumentException refused) {
                continue;    // SSLv2Hello alone is no protocol; others may be disabled
            }
        }
        return usable.toArray(new String[0]);
    }

    private static String[] disabledAlgorithms() {
        String disabled = Security.getProperty("jdk.tls.disabledAlgorithms");
        return disabled == null ? new String[0] : disabled.trim().split("\\s*,\\s*");
    }

    private static boolean has(String className) {
        try {
            Class.forName(className);
            return true;
        } catch (ClassNotFoundException | LinkageError absent) {
            return false;
        }
    }

    /** From the property in 9 and later; a debug VM of 8 has it in its version. */
    private static String debugLevel() {
        String level = System.getProperty("jdk.debug");
        if (level != null) {
            return level;
        }
        String vm = System.getProperty("java.vm.version");
        return vm.endsWith("-fastdebug") ? "fastdebug" : vm.endsWith("-debug") ? "slowdebug" : "release";
    }

    private static boolean hasFlightRecorder() {
        try {
            Class<?> recorder = Class.forName("jdk.jfr.FlightRecorder");
            return (Boolean) recorder.getMethod("isAvailable").invoke(null);
        } catch (ReflectiveOperationException | LinkageError absent) {
            return false;
        }
    }

    private static boolean hasCompiler() {
        try {
            Class<?> tools = Class.forName("javax.tools.ToolProvider");
            return tools.getMethod("getSystemJavaCompiler").invoke(null) != null;
        } catch (ReflectiveOperationException | LinkageError absent) {
            return false;
        }
    }

    /** Uses {@code getVersion}, as 8 does not have its replacement. */
    @SuppressWarnings("deprecation")
    private static double version(Provider provider) {
        return provider.getVersion();
    }

    private static void tell(PrintStream out, String name, String... values) {
        for (String value : values) {
            out.println(name + "\t" + value);
        }
    }
}
