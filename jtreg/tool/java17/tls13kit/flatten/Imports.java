// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: Apache-2.0

package tls13kit.flatten;

import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import javax.lang.model.element.Element;
import javax.lang.model.element.QualifiedNameable;
import javax.lang.model.element.TypeElement;

/**
 * Which import lines do these classes need? Three or more of a package share one for all of it. A
 * class whose name two such packages have also gets its own line, which then decides (JLS 6.4.1).
 */
final class Imports {
    private static final int ALL_FROM = 3;

    private Imports() { }

    static String of(Collection<TypeElement> types) {
        Map<Element, List<TypeElement>> byPlace =
            types.stream().collect(Collectors.groupingBy(TypeElement::getEnclosingElement));
        Set<String> brought = new HashSet<>();
        Set<String> twice = new HashSet<>();
        TreeSet<String> lines = new TreeSet<>();
        byPlace.forEach((place, classes) -> {
            if (classes.size() >= ALL_FROM) {
                lines.add("import " + ((QualifiedNameable) place).getQualifiedName() + ".*;\n");
                for (Element member : place.getEnclosedElements()) {
                    String name = member.getSimpleName().toString();
                    if (!brought.add(name)) {
                        twice.add(name);
                    }
                }
            }
        });
        byPlace.forEach((place, classes) -> {
            for (TypeElement one : classes) {
                String name = one.getSimpleName().toString();
                if (classes.size() < ALL_FROM || twice.contains(name)) {
                    lines.add("import " + one.getQualifiedName() + ";\n");
                }
            }
        });
        return String.join("", lines);
    }
}
