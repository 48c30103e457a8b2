// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: Apache-2.0

package tls13kit.overlay;

import java.io.IOException;
import java.net.URI;
import java.nio.file.DirectoryStream;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/** Which module of a JDK (9+) contains a package, and which of its classes? */
public final class PackageClasses {
    private PackageClasses() {
    }

    /**
     * Prints {@code package module} for each package found, and copies its classes.
     *
     * @param args the JDK's home, the folder to copy the classes to (with a folder for each
     *     module), then packages: {@code java.net}
     */
    public static void main(String[] args) throws IOException {
        Map<String, String> home = Map.of("java.home", args[0]);
        try (FileSystem image = FileSystems.newFileSystem(URI.create("jrt:/"), home)) {
            for (int n = 2; n < args.length; n++) {
                copy(image, args[n], Path.of(args[1]));
            }
        }
    }

    private static void copy(FileSystem image, String name, Path target) throws IOException {
        Path links = image.getPath("/packages", name);
        if (!Files.isDirectory(links)) {
            return;
        }
        try (DirectoryStream<Path> modules = Files.newDirectoryStream(links)) {
            for (Path link : modules) {
                String module = link.getFileName().toString();
                Path from = image.getPath("/modules", module, name.replace('.', '/'));
                if (Files.isDirectory(from) && copyClasses(from, target.resolve(module))) {
                    System.out.println(name + " " + module);
                }
            }
        }
    }

    private static boolean copyClasses(Path from, Path module) throws IOException {
        Path to = module.resolve(from.subpath(2, from.getNameCount()).toString());
        boolean any = false;
        try (DirectoryStream<Path> classes = Files.newDirectoryStream(from, "*.class")) {
            for (Path file : classes) {
                Files.createDirectories(to);
                Files.write(to.resolve(file.getFileName().toString()), Files.readAllBytes(file));
                any = true;
            }
        }
        return any;
    }
}
