// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: Apache-2.0

package tls13kit.flatten;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import javax.lang.model.element.TypeElement;

/** Which import lines bring these classes? From three of a package on, one for all of it. */
final class Imports {
    private static final int ALL_FROM = 3;

    private Imports() { }

    static String of(Collection<TypeElement> types) {
        Map<String, List<String>> byPackage = types.stream()
            .map(type -> type.getQualifiedName().toString())
            .collect(Collectors.groupingBy(
                name -> name.substring(0, name.lastIndexOf('.')), TreeMap::new,
                Collectors.toList()));
        TreeSet<String> lines = new TreeSet<>();
        byPackage.forEach((name, classes) -> {
            if (classes.size() < ALL_FROM) {
                classes.forEach(one -> lines.add("import " + one + ";\n"));
            } else {
                lines.add("import " + name + ".*;\n");
            }
        });
        return String.join("", lines);
    }
}
