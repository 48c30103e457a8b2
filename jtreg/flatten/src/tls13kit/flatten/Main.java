// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: Apache-2.0

package tls13kit.flatten;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

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
     * Writes one file for each reproducer, under its own name.
     *
     * @param args the library's folder, that of the classes that stand in for some of its own, the
     *     folder to write into, then reproducers
     */
    public static void main(String[] args) {
        try {
            List<Path> paths = files(List.of(args));
            flatten(paths.get(0), paths.get(1), paths.get(2), paths.subList(3, paths.size()));
        } catch (IOException e) {
            System.err.println(e.getMessage());
            System.exit(1);
        }
    }

    private static void flatten(Path library, Path alone, Path out, List<Path> reproducers)
            throws IOException {
        Map<Path, Path> classes = sources(library);
        sources(alone).forEach(classes::replace);
        List<Path> all = new ArrayList<>(reproducers);
        all.addAll(classes.values());
        int latest = OLDEST;
        for (Path reproducer : reproducers) {
            latest = Math.max(latest, release(reproducer));
        }
        Program program = Program.of(all, latest);
        Files.createDirectories(out);
        for (Path reproducer : reproducers) {
            String text = new OneFile(program, program.unit(reproducer)).text();
            Path file = Files.writeString(out.resolve(reproducer.getFileName()), text);
            Program.of(List.of(file), release(reproducer));  // what was left out is not missed
        }
    }

    private static int release(Path reproducer) throws IOException {
        Matcher needed = REQUIRES.matcher(Files.readString(reproducer));
        return needed.find() ? Integer.parseInt(needed.group(1)) : OLDEST;
    }

    private static Map<Path, Path> sources(Path folder) throws IOException {
        try (Stream<Path> found = Files.walk(folder)) {
            return found.filter(file -> file.toString().endsWith(".java"))
                .collect(Collectors.toMap(Path::getFileName, file -> file, (a, b) -> a,
                    TreeMap::new));
        }
    }

    private static List<Path> files(List<String> names) {
        return names.stream().map(Path::of).toList();
    }
}
