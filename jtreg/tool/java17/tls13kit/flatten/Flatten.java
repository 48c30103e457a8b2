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
 * How do a reproducer and what it uses of its library become one Java file? The file is in Java 8,
 * unless the reproducer's {@code @requires} names a later release.
 */
public final class Flatten {
    private static final Pattern REQUIRES =
        Pattern.compile("@requires +jdk\\.version\\.major *>= *(\\d+)");
    private static final int OLDEST = 8;
    private static final String MINIMAL = "--minimal";

    private Flatten() { }

    /**
     * Writes two files for each reproducer, under its own name: one with its controls, and in a
     * folder {@code minimal} one with the subject alone, if wanted. If the second cannot be made, a
     * line on standard output has the file's name, a tab, and the reason.
     *
     * @param args {@code --minimal} and the folder of stand-ins for library classes in the second
     *     file, if that is wanted; the library's folder, the folder of stand-ins for some of its
     *     classes in any file, the folder to write into, then reproducers
     */
    public static void main(String[] args) {
        boolean both = args[0].equals(MINIMAL);
        List<Path> paths = files(List.of(args).subList(both ? 2 : 0, args.length));
        Path out = paths.get(2);
        List<Path> reproducers = paths.subList(3, paths.size());
        try {
            flatten(List.of(paths.get(1), paths.get(0)), out, reproducers, true);
            if (both) {
                List<Path> library = List.of(Path.of(args[1]), paths.get(1), paths.get(0));
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
            // Throws if anything needed was left out.
            Program.of(List.of(file), List.of(), release(reproducer));
        }
    }

    /** Only reports a failure: the long file exists all the same. */
    private static void minimize(List<Path> library, Path out, Path reproducer)
            throws IOException {
        Path file = out.resolve(reproducer.getFileName());
        // A reproducer, too, may have a shorter stand-in for its subject alone.
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
