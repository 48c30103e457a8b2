// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: Apache-2.0

package tls13kit.facts;

import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Enumeration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Which properties does a JDK know? There is no list of them, so these are the string constants of
 * its classes (JVMS 4.4, constant pool) that look like the name of one. Whether the JDK reads it
 * remains unknown, and so does its default, unless it is a constant beside the name.
 */
final class PropertyNames {

    private static final Pattern NAME = Pattern.compile(
        "(jdk\\.(tls|security|certpath|httpclient|https|http|httpserver|net|disabled|internal\\.net)"
        + "|networkaddress|sun\\.net|sun\\.security|com\\.sun\\.net|com\\.sun\\.security|javax\\.net"
        + "|https?)\\.[A-Za-z0-9.]*[A-Za-z0-9]");
    /** The packages of RMI and JNDI have the same names: a class or package is no property. */
    private static final Pattern NAME_OF_SERVICE = Pattern.compile(
        "(java\\.rmi|jdk\\.rmi|sun\\.rmi|com\\.sun\\.jndi|jdk\\.jndi)(\\.[a-z][A-Za-z0-9]*)+");
    private static final String[] MODULES = {
        "java.base", "java.net.http", "jdk.httpserver", "java.naming", "java.rmi",
        "java.management.rmi", "jdk.naming.dns", "jdk.naming.rmi",
    };
    /** rt.jar has 20,000 more classes, mostly of user interfaces. */
    private static final Pattern OF_NET_OR_SECURITY =
        Pattern.compile("(sun|java|javax|com/sun)/.*(net|security|ldap|ssl|rmi|jndi).*\\.class");
    private static final String[] JARS_OF_8 = {"lib/rt.jar", "lib/jsse.jar", "lib/jce.jar"};

    private PropertyNames() {
    }

    /**
     * By module, the names, sorted, each with its default where that is a constant, else with "".
     * On 8, all are of the module "".
     */
    static Map<String, Map<String, String>> read(File home) throws IOException {
        Map<String, Map<String, String>> byModule = new LinkedHashMap<>();
        if (new File(home, JARS_OF_8[0]).isFile()) {
            Map<String, String> names = new TreeMap<>();
            for (String jar : JARS_OF_8) {
                readJar(new File(home, jar), names);
            }
            byModule.put("", names);
            return byModule;
        }
        Path modules = FileSystems.getFileSystem(URI.create("jrt:/")).getPath("/modules");
        for (String module : MODULES) {
            Path root = modules.resolve(module);
            if (Files.isDirectory(root)) {
                Map<String, String> names = new TreeMap<>();
                for (Path file : classes(root)) {
                    add(Files.readAllBytes(file), names);
                }
                byModule.put(module, names);
            }
        }
        return byModule;
    }

    private static List<Path> classes(Path root) throws IOException {
        try (Stream<Path> files = Files.walk(root)) {
            // The list of all modules contains package names, which look like property names.
            return files.filter(file -> file.toString().endsWith(".class")
                    && !file.toString().contains("/jdk/internal/module/"))
                .collect(Collectors.toList());
        }
    }

    private static void readJar(File file, Map<String, String> names) throws IOException {
        try (JarFile jar = new JarFile(file)) {
            for (Enumeration<JarEntry> all = jar.entries(); all.hasMoreElements();) {
                JarEntry entry = all.nextElement();
                if (OF_NET_OR_SECURITY.matcher(entry.getName()).matches()) {
                    try (InputStream in = jar.getInputStream(entry)) {
                        add(bytes(in), names);
                    }
                }
            }
        }
    }

    private static byte[] bytes(InputStream in) throws IOException {
        ByteArrayOutputStream read = new ByteArrayOutputStream();
        byte[] buffer = new byte[8192];
        for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
            read.write(buffer, 0, n);
        }
        return read.toByteArray();
    }

    private static void add(byte[] file, Map<String, String> names) throws IOException {
        PropertyReads.of(file, PropertyNames::isName).forEach((name, text) ->
            names.merge(name, text, PropertyReads::join));
    }

    private static boolean isName(String text) {
        return NAME.matcher(text).matches() || NAME_OF_SERVICE.matcher(text).matches();
    }
}
