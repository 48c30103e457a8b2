// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: Apache-2.0

package tls13kit.facts;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Enumeration;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Which properties does a JDK know? There is no list of them, so these are the string constants of
 * its classes (JVMS 4.4, constant pool) that look like the name of one. Whether the JDK reads it,
 * and its default, remain unknown.
 */
final class PropertyNames {

    private static final Pattern NAME = Pattern.compile(
        "(jdk\\.(tls|security|certpath|httpclient|https|http|httpserver|net|disabled|internal\\.net)"
        + "|networkaddress|sun\\.net|sun\\.security|com\\.sun\\.net|com\\.sun\\.security|javax\\.net"
        + "|https?)\\.[A-Za-z0-9.]*[A-Za-z0-9]");
    private static final String[] MODULES = {
        "java.base", "java.net.http", "jdk.httpserver", "java.naming",
    };
    /** rt.jar has 20,000 more classes, mostly of user interfaces. */
    private static final Pattern OF_NET_OR_SECURITY =
        Pattern.compile("(sun|java|javax|com/sun)/.*(net|security|ldap|ssl).*\\.class");
    private static final String[] JARS_OF_8 = {"lib/rt.jar", "lib/jsse.jar", "lib/jce.jar"};

    private static final int UTF8 = 1;
    private static final int LONG = 5;
    private static final int DOUBLE = 6;
    private static final int STRING = 8;

    private PropertyNames() {
    }

    /** The names, sorted. */
    static Set<String> read(File home) throws IOException {
        Set<String> names = new TreeSet<>();
        if (new File(home, JARS_OF_8[0]).isFile()) {
            for (String jar : JARS_OF_8) {
                readJar(new File(home, jar), names);
            }
            return names;
        }
        Path modules = FileSystems.getFileSystem(URI.create("jrt:/")).getPath("/modules");
        for (String module : MODULES) {
            Path root = modules.resolve(module);
            if (Files.isDirectory(root)) {
                for (Path file : classes(root)) {
                    readClass(Files.readAllBytes(file), names);
                }
            }
        }
        return names;
    }

    private static List<Path> classes(Path root) throws IOException {
        try (Stream<Path> files = Files.walk(root)) {
            // The list of all modules contains package names, which look like property names.
            return files.filter(file -> file.toString().endsWith(".class")
                    && !file.toString().contains("/jdk/internal/module/"))
                .collect(Collectors.toList());
        }
    }

    private static void readJar(File file, Set<String> names) throws IOException {
        try (JarFile jar = new JarFile(file)) {
            for (Enumeration<JarEntry> all = jar.entries(); all.hasMoreElements();) {
                JarEntry entry = all.nextElement();
                if (OF_NET_OR_SECURITY.matcher(entry.getName()).matches()) {
                    try (InputStream in = jar.getInputStream(entry)) {
                        readClass(bytes(in), names);
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

    /** Adds the strings that a class's code may load, but not names of classes and methods. */
    private static void readClass(byte[] file, Set<String> names) throws IOException {
        DataInputStream in = new DataInputStream(new ByteArrayInputStream(file));
        in.skipBytes(8);    // magic, version
        int count = in.readUnsignedShort();
        String[] texts = new String[count];
        int[] strings = new int[count];
        int found = 0;
        for (int index = 1; index < count; index++) {
            int tag = in.readUnsignedByte();
            if (tag == UTF8) {
                texts[index] = in.readUTF();
            } else if (tag == STRING) {
                strings[found++] = in.readUnsignedShort();
            } else {
                in.skipBytes(bytesOf(tag));
                index += tag == LONG || tag == DOUBLE ? 1 : 0;
            }
        }
        for (int i = 0; i < found; i++) {
            String text = texts[strings[i]];
            if (NAME.matcher(text).matches()) {
                names.add(text);
            }
        }
    }

    /** The size of a constant: JVMS table 4.4-A, and the tags of 9 and later. */
    private static int bytesOf(int tag) {
        switch (tag) {
            case 7: case 16: case 19: case 20:    // Class, MethodType, Module, Package
                return 2;
            case 15:    // MethodHandle
                return 3;
            case LONG: case DOUBLE:
                return 8;
            default:
                return 4;
        }
    }
}
