// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: Apache-2.0

package tls13kit.flatten;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * How do a reproducer and what it uses of its library become one Java file? One of Java 8, unless
 * its {@code @requires} says that it is for later ones.
 */
public final class Main {
    private static final Pattern REQUIRES =
        Pattern.compile("@requires +jdk\\.version\\.major *>= *(\\d+)");
    private static final int OLDEST = 8;

    private Main() { }

    /**
     * Writes two files for each reproducer, under its own name: one with its controls, and below
     * {@code minimal} one of the subject alone. The property {@code minimal} has the folder of the
     * classes that stand in for the library's there; without it no such file is made. Where it does
     * not come about, a line on standard output has the file's name, a tab, and the reason.
     *
     * @param args the library's folder, that of the classes that stand in for some of its own, the
     *     folder to write into, then reproducers
     */
    public static void main(String[] args) {
        List<Path> paths = files(List.of(args));
        Path out = paths.get(2);
        List<Path> reproducers = paths.subList(3, paths.size());
        String slim = System.getProperty("minimal");
        try {
            flatten(List.of(paths.get(1), paths.get(0)), out, reproducers, true);
            if (slim != null) {
                List<Path> library = List.of(Path.of(slim), paths.get(1), paths.get(0));
                for (Path reproducer : reproducers) {
                    minimize(library, out.resolve("minimal"), reproducer);
                }
            }
        } catch (IOException e) {
            System.err.println(e.getMessage());
            System.exit(1);
        }
    }

    private static void flatten(List<Path> library, Path out, List<Path> reproducers,
            boolean compact) throws IOException {
        int latest = OLDEST;
        for (Path reproducer : reproducers) {
            latest = Math.max(latest, release(reproducer));
        }
        Program program = Program.of(reproducers, library, latest);
        Files.createDirectories(out);
        for (Path reproducer : reproducers) {
            String text = new OneFile(program, program.unit(reproducer), compact).text();
            Path file = Files.writeString(out.resolve(reproducer.getFileName()), text);
            // What was left out is not missed.
            Program.of(List.of(file), List.of(), release(reproducer));
        }
    }

    /** What cannot be cut down has its long file all the same. */
    private static void minimize(List<Path> library, Path out, Path reproducer)
            throws IOException {
        Path file = out.resolve(reproducer.getFileName());
        // Of a reproducer, too, a shorter one may stand where the subject is alone.
        Path shorter = library.get(0).resolve(reproducer.getFileName());
        try {
            flatten(library, out, List.of(Files.exists(shorter) ? shorter : reproducer), false);
            Minimal.shorten(file, reproducer, release(reproducer));
        } catch (IOException | RuntimeException e) {
            Files.deleteIfExists(file);
            String first = e.toString().lines().findFirst().orElse("");
            System.out.println(file.getFileName() + "\t"
                + first.replaceFirst("^java\\.io\\.IOException: .*/(?=\\w+\\.java:)", ""));
        }
    }

    private static int release(Path reproducer) throws IOException {
        Matcher needed = REQUIRES.matcher(Files.readString(reproducer));
        return needed.find() ? Integer.parseInt(needed.group(1)) : OLDEST;
    }

    private static List<Path> files(List<String> names) {
        return names.stream().map(Path::of).toList();
    }
}
