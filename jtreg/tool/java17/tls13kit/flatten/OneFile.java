// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: Apache-2.0

package tls13kit.flatten;

import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.util.TreePath;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import javax.lang.model.element.Element;

/**
 * What is in the file that anybody can run with nothing but {@code java}? First the reproducer's
 * class unchanged, as {@code java File.java} (JEP 330) runs a file's first class; then what it
 * needs of the library.
 */
final class OneFile {
    private static final String MARK = "// What follows is the reproducer's library, cut down to"
        + " what it uses.\n\n";

    private static final Pattern BLANK_LINE = Pattern.compile("\n[ \t]*\n(?=[ \t])");

    /** A longer file has only one sentence on each class of the library. */
    private static final int ENOUGH_LINES = 1_000;

    private final Program program;
    private final CompilationUnitTree reproducer;
    private final boolean compact;

    /** @param compact whether to shorten the layout of the library's classes */
    OneFile(Program program, CompilationUnitTree reproducer, boolean compact) {
        this.program = program;
        this.reproducer = reproducer;
        this.compact = compact;
    }

    /** Removes the blank lines inside classes, so that a reader sees them whole. */
    static String dense(String classes) {
        return BLANK_LINE.matcher(classes).replaceAll("\n");
    }

    String text() throws IOException {
        String whole = text(false);
        return whole.lines().count() <= ENOUGH_LINES ? whole : text(true);
    }

    private String text(boolean brief) throws IOException {
        TreePath main = program.topClass(reproducer);
        Reach reach = Reach.ofClass(program, main);
        List<String> library = new ArrayList<>();
        for (CompilationUnitTree unit : program.units()) {
            Element type = program.trees().getElement(program.topClass(unit));
            if (unit != reproducer && reach.needs(type)) {
                String part =
                    new LibraryClass(program, reach, program.topClass(unit), brief).text();
                library.add(compact ? Compact.text(dense(part) + "\n", brief ? 2 : 1)
                    : part + "\n");
            }
        }
        String source = Program.source(reproducer);
        String name = program.trees().getElement(main).getSimpleName().toString();
        return Header.of(source.substring(0, Parsed.of(source).codeStart()), name)
            + Imports.of(reach.imported()) + "\n"
            + source.substring(program.start(reproducer, main.getLeaf())).stripTrailing()
            + "\n\n" + MARK + String.join("\n", library);
    }
}
