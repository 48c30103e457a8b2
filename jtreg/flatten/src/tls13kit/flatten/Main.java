// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: Apache-2.0

package tls13kit.flatten;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/** How do a reproducer and what it uses of its library become one Java 8 file? */
public final class Main {
    private Main() { }

    /**
     * Writes one file for each reproducer, under its own name.
     *
     * @param args the library's folders as a path, of which the first that has a class gives it;
     *     the folder to write into; then reproducers
     */
    public static void main(String[] args) {
        try {
            flatten(args[0], Path.of(args[1]), files(List.of(args).subList(2, args.length)));
        } catch (IOException e) {
            System.err.println(e.getMessage());
            System.exit(1);
        }
    }

    private static void flatten(String libraries, Path out, List<Path> reproducers)
            throws IOException {
        Map<Path, Path> library = new TreeMap<>();
        for (String folder : libraries.split(File.pathSeparator)) {
            try (Stream<Path> found = Files.walk(Path.of(folder))) {
                found.filter(file -> file.toString().endsWith(".java"))
                    .forEach(file -> library.putIfAbsent(file.getFileName(), file));
            }
        }
        List<Path> all = new ArrayList<>(reproducers);
        all.addAll(library.values());
        Program program = Program.of(all);
        Files.createDirectories(out);
        for (Path reproducer : reproducers) {
            String text = new OneFile(program, program.unit(reproducer)).text();
            Path file = Files.writeString(out.resolve(reproducer.getFileName()), text);
            Program.of(List.of(file));  // what was left out must not be missed
        }
    }

    private static List<Path> files(List<String> names) {
        return names.stream().map(Path::of).toList();
    }
}
