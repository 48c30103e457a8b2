// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: Apache-2.0

package tls13kit;

import java.lang.reflect.InvocationTargetException;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;

/**
 * What does the kit itself do in Java? Runs one of its subcommands. Those of {@code java8} run on
 * every JDK; the others, of {@code java17}, need the tool JDK, and classes that an older JDK
 * cannot load, so they are only named here.
 */
public final class Tool {
    private static final int EXIT_USAGE = 4;
    private static final Map<String, String> MAIN_CLASSES = new TreeMap<>();

    static {
        MAIN_CLASSES.put("facts", "facts.Facts");
        MAIN_CLASSES.put("defaults", "facts.Defaults");
        MAIN_CLASSES.put("digest", "digest.Digest");
        MAIN_CLASSES.put("flatten", "flatten.Flatten");
        MAIN_CLASSES.put("package-classes", "overlay.PackageClasses");
        MAIN_CLASSES.put("trust-store", "trust.TrustStore");
    }

    private Tool() {
    }

    /**
     * Runs {@code args[0]} with the other arguments; exit code 4 if it is no subcommand.
     *
     * @throws Throwable what the subcommand throws
     */
    public static void main(String[] args) throws Throwable {
        String name = args.length > 0 ? MAIN_CLASSES.get(args[0]) : null;
        if (name == null) {
            System.err.println("usage: java tls13kit.Tool "
                + String.join("|", MAIN_CLASSES.keySet()) + " ARGUMENTS...");
            System.exit(EXIT_USAGE);
        }
        try {
            Class.forName("tls13kit." + name).getMethod("main", String[].class)
                .invoke(null, (Object) Arrays.copyOfRange(args, 1, args.length));
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }
}
