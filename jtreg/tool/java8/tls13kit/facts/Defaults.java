// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: Apache-2.0

package tls13kit.facts;

import java.io.File;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.MessageDigest;
import java.security.Provider;
import java.security.SecureRandom;
import java.security.Security;
import java.security.cert.X509Certificate;
import java.text.SimpleDateFormat;
import java.util.Collections;
import java.util.Date;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.TimeZone;
import java.util.TreeMap;
import java.util.TreeSet;

import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLSessionContext;
import javax.net.ssl.TrustManagerFactory;

/**
 * Which defaults may an update have changed, beyond those that {@link Facts} reports for each run?
 * Opens no socket. Uses the public API of Java 8, and what {@link NameCache} does.
 *
 * <p>Prints a line {@code aspect<TAB>item<TAB>value} for each default; an item of a list or set has
 * an empty value. A line {@code unknown<TAB>aspect<TAB>why} says what cannot be determined.
 */
public final class Defaults {

    private static final String UNKNOWN = "unknown";
    private static final String[] LISTS_OF_ALGORITHMS = {
        "jdk.tls.disabledAlgorithms", "jdk.tls.legacyAlgorithms", "jdk.certpath.disabledAlgorithms",
        "jdk.jar.disabledAlgorithms", "jdk.security.legacyAlgorithms", "jdk.disabled.namedCurves",
        "jdk.security.caDistrustPolicies",
    };

    private Defaults() {
    }

    /** Prints the defaults. {@code args[0]}: where the roots of a JDK are that has none itself. */
    public static void main(String[] args) throws Exception {
        PrintStream out = new PrintStream(System.out, false, "UTF-8");
        nameCache(out);    // first, as a JVM reads its settings once
        handshake(out);
        defaultTypes(out);
        securityProperties(out);
        providers(out);
        File home = new File(System.getProperty("java.home"));
        File cacerts = new File(home, "lib/security/cacerts");
        if (!cacerts.exists() && args.length > 0) {
            cacerts = new File(args[0]);
            tell(out, "root-store", args[0]);
        }
        roots(out, cacerts);
        netProperties(out, home);
        knownProperties(out, home);
        out.flush();
    }

    private static void knownProperties(PrintStream out, File home) throws IOException {
        Map<String, String> defaults = new TreeMap<>();
        Map<String, String> modules = new TreeMap<>();
        PropertyNames.read(home).forEach((module, names) -> names.forEach((name, text) -> {
            defaults.merge(name, text, PropertyReads::join);
            modules.putIfAbsent(name, module);
        }));
        defaults.forEach((name, text) -> tellValue(out, "known-property", name, text));
        modules.forEach((name, module) -> tellValue(out, "property-module", name, module));
    }

    private static void handshake(PrintStream out) throws GeneralSecurityException, IOException {
        SSLContext context = Facts.context();
        SSLEngine client = engine(context, true);
        SSLEngine server = engine(context, false);
        tell(out, "client-protocol", client.getEnabledProtocols());
        tell(out, "server-protocol", server.getEnabledProtocols());
        tell(out, "client-cipher-suite", client.getEnabledCipherSuites());
        tell(out, "server-cipher-suite", server.getEnabledCipherSuites());
        tell(out, "supported-cipher-suite", client.getSupportedCipherSuites());
        ClientHello hello = ClientHello.of(client);
        tell(out, "named-group", hello.namedGroups());
        tell(out, "key-share", hello.keyShares());
        tell(out, "signature-scheme", hello.signatureSchemes());
        sessions(out, "client", context.getClientSessionContext());
        sessions(out, "server", context.getServerSessionContext());
    }

    /** What a program gets that names no type; security properties are one way to change it. */
    private static void defaultTypes(PrintStream out) throws GeneralSecurityException {
        SecureRandom random = new SecureRandom();
        SSLContext context = Facts.context();
        tellValue(out, "default-type", "KeyStore", KeyStore.getDefaultType());
        tellValue(out, "default-type", "KeyManagerFactory", KeyManagerFactory.getDefaultAlgorithm());
        tellValue(out, "default-type", "TrustManagerFactory",
            TrustManagerFactory.getDefaultAlgorithm());
        tellValue(out, "default-type", "SecureRandom",
            random.getProvider().getName() + " " + random.getAlgorithm());
        tellValue(out, "default-type", "SSLContext",
            context.getProvider().getName() + " " + context.getProtocol());
    }

    private static void nameCache(PrintStream out) {
        try {
            for (Map.Entry<String, String> setting : NameCache.read().entrySet()) {
                tellValue(out, "name-cache", setting.getKey(), setting.getValue());
            }
        } catch (ReflectiveOperationException | IOException | LinkageError e) {
            tellValue(out, UNKNOWN, "name-cache", "cannot be asked: " + e);
        }
    }

    private static SSLEngine engine(SSLContext context, boolean isClient) {
        SSLEngine engine = context.createSSLEngine();
        engine.setUseClientMode(isClient);
        return engine;
    }

    private static void sessions(PrintStream out, String side, SSLSessionContext sessions) {
        tellValue(out, "session", side + " timeout, s", sessions.getSessionTimeout());
        tellValue(out, "session", side + " cache, sessions", sessions.getSessionCacheSize());
    }

    /** The properties named in the JDK's own java.security, with the values in force. */
    private static void securityProperties(PrintStream out) throws IOException {
        File home = new File(System.getProperty("java.home"));
        File file = new File(home, "conf/security/java.security");
        if (!file.isFile()) {
            file = new File(home, "lib/security/java.security");    // JDK 8
        }
        Properties named = new Properties();
        try (InputStream in = new FileInputStream(file)) {
            named.load(in);
        } catch (IOException e) {
            tellValue(out, UNKNOWN, "security-property", "java.security cannot be read: " + e);
            return;
        }
        Set<String> lists = new TreeSet<>();
        Collections.addAll(lists, LISTS_OF_ALGORITHMS);
        for (String name : new TreeSet<>(named.stringPropertyNames())) {
            String value = Security.getProperty(name);
            if (lists.contains(name)) {
                for (String algorithm : value.trim().split("\\s*,\\s*")) {
                    if (!algorithm.isEmpty()) {
                        tell(out, name, algorithm.replaceAll("\\s+", " "));
                    }
                }
            } else if (!name.startsWith("security.provider.")) {
                tellValue(out, "security-property", name, value);
            }
        }
    }

    private static void providers(PrintStream out) {
        Set<String> services = new TreeSet<>();
        for (Provider provider : Security.getProviders()) {
            tellValue(out, "provider", provider.getName(), moduleOf(provider.getClass()));
            for (Provider.Service service : provider.getServices()) {
                services.add(provider.getName() + " " + service.getType() + " "
                    + service.getAlgorithm());
            }
        }
        tell(out, "service", services.toArray(new String[0]));
    }

    /** The name of a class's module; empty on 8, and without one. */
    private static String moduleOf(Class<?> of) {
        try {
            Object module = Class.class.getMethod("getModule").invoke(of);
            Object name = module.getClass().getMethod("getName").invoke(module);
            return name == null ? "" : String.valueOf(name);
        } catch (ReflectiveOperationException absent) {
            return "";
        }
    }

    /** What the JDK's own net.properties sets. */
    private static void netProperties(PrintStream out, File home) {
        File file = new File(home, "conf/net.properties");
        if (!file.isFile()) {
            file = new File(home, "lib/net.properties");    // JDK 8
        }
        Properties settings = new Properties();
        try (InputStream in = new FileInputStream(file)) {
            settings.load(in);
        } catch (IOException e) {
            tellValue(out, UNKNOWN, "net-property", "net.properties cannot be read: " + e);
            return;
        }
        for (String name : new TreeSet<>(settings.stringPropertyNames())) {
            tellValue(out, "net-property", name, settings.getProperty(name));
        }
    }

    private static void roots(PrintStream out, File cacerts) {
        SimpleDateFormat day = new SimpleDateFormat("yyyy-MM-dd");
        day.setTimeZone(TimeZone.getTimeZone("UTC"));
        if (!cacerts.isFile()) {
            tellValue(out, UNKNOWN, "root", "lib/security/cacerts is not there");
            return;
        }
        try (InputStream in = new FileInputStream(cacerts)) {
            KeyStore store = KeyStore.getInstance("JKS");    // it reads PKCS12, too
            store.load(in, null);
            for (String alias : Collections.list(store.aliases())) {
                X509Certificate root = (X509Certificate) store.getCertificate(alias);
                if (root == null) {
                    tellValue(out, UNKNOWN, "root", "lib/security/cacerts needs a password");
                    return;
                }
                Date end = root.getNotAfter();
                tellValue(out, "root", sha256(root.getEncoded()),
                    root.getSubjectX500Principal().getName() + ", ends " + day.format(end));
            }
        } catch (IOException | GeneralSecurityException | ClassCastException e) {
            tellValue(out, UNKNOWN, "root", "lib/security/cacerts cannot be read: " + e);
        }
    }

    private static String sha256(byte[] bytes) throws GeneralSecurityException {
        StringBuilder text = new StringBuilder();
        for (byte one : MessageDigest.getInstance("SHA-256").digest(bytes)) {
            text.append(String.format("%02x", one));
        }
        return text.toString();
    }

    private static void tell(PrintStream out, String aspect, String... items) {
        for (String item : items) {
            out.println(aspect + "\t" + item + "\t");
        }
    }

    private static void tellValue(PrintStream out, String aspect, String item, Object value) {
        out.println(aspect + "\t" + item + "\t" + String.valueOf(value).replaceAll("\\s+", " "));
    }
}
