// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: Apache-2.0

package tls13kit.flatten;

import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.Tree;
import com.sun.source.util.TreePath;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import javax.lang.model.element.Element;

/**
 * What does the file look like that anybody can run with nothing but {@code java}? First the
 * reproducer as it stands, for {@code java File.java} (JEP 330) runs a file's first class; then
 * what it needs of the library.
 */
final class OneFile {
    private static final String MARK = "// What follows is the reproducer's library, cut down to"
        + " what it uses.\n\n";

    /** Beyond this a reader has enough with a sentence on each class of the library. */
    private static final int ENOUGH_LINES = 1_000;

    private final Program program;
    private final CompilationUnitTree reproducer;

    OneFile(Program program, CompilationUnitTree reproducer) {
        this.program = program;
        this.reproducer = reproducer;
    }

    String text() throws IOException {
        String whole = text(false);
        return whole.lines().count() <= ENOUGH_LINES ? whole : text(true);
    }

    private String text(boolean brief) throws IOException {
        TreePath main = program.topClass(reproducer);
        Reach reach = new Reach(program, main);
        List<String> library = new ArrayList<>();
        for (CompilationUnitTree unit : program.units()) {
            Element type = program.trees().getElement(program.topClass(unit));
            if (unit != reproducer && reach.needs(type)) {
                String part = new LibraryClass(program, reach, unit, brief).text();
                library.add(Compact.text(part + "\n", brief ? 2 : 1));
            }
        }
        String source = Program.source(reproducer);
        String name = program.trees().getElement(main).getSimpleName().toString();
        return Header.of(source.substring(0, head()), name)
            + Imports.of(reach.imported()) + "\n"
            + source.substring(program.start(reproducer, main.getLeaf())).stripTrailing()
            + "\n\n" + MARK + String.join("\n", library);
    }

    private int head() {
        int first = program.start(reproducer, main());
        return reproducer.getImports().stream().mapToInt(one -> program.start(reproducer, one))
            .min().orElse(first);
    }

    private Tree main() {
        return program.topClass(reproducer).getLeaf();
    }
}
