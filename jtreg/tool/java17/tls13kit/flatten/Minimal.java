// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: Apache-2.0

package tls13kit.flatten;

import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.Tree;
import com.sun.source.util.TreePath;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import javax.lang.model.element.Element;

/**
 * How short does one file become if only its subject is run? Code for the other cases is folded
 * away, then code that is no longer reached is cut, until nothing changes.
 */
final class Minimal {
    private static final int MOST_STEPS = 40;

    private static final int WIDTH = 100;

    private Minimal() { }

    /**
     * Rewrites {@code file}, which needs no library; its header comes from {@code original}.
     * Throws an IOException with javac's first error if the result does not compile.
     */
    static void shorten(Path file, Path original, int release) throws IOException {
        String before = Files.readString(file);
        for (int i = 0; i < MOST_STEPS; i++) {
            Program program = Program.of(List.of(file), List.of(), release);
            CompilationUnitTree unit = program.unit(file);
            String text = Subject.step(program, unit, false);
            text = text.equals(before)
                ? PlainVerdict.step(program, SourceFile.of(program, unit)) : text;
            text = text.equals(before) ? Subject.step(program, unit, true) : text;
            text = text.equals(before) ? needed(program, unit) : text;
            if (text.equals(before)) {
                break;
            }
            before = text;
            Files.writeString(file, text);
        }
        Program program = Program.of(List.of(file), List.of(), release);
        String source = Files.readString(original);
        String imports = before.substring(Parsed.of(before).codeStart(),
            program.start(program.unit(file), program.topClass(program.unit(file)).getLeaf()));
        String code = SubjectHeader.comment(source) + OneClass.text(program, program.unit(file));
        Files.writeString(file, SubjectHeader.of(source) + "\n" + imports
            + Narrow.lines(Layout.of(code), WIDTH));
        Program.of(List.of(file), List.of(), release);
    }

    private static String needed(Program program, CompilationUnitTree unit) throws IOException {
        String source = Program.source(unit);
        Reach reach = Reach.ofMain(program, program.topClass(unit));
        List<String> classes = new ArrayList<>();
        for (Tree tree : unit.getTypeDecls()) {
            TreePath path = program.trees().getPath(unit, tree);
            Element type = program.trees().getElement(path);
            if (tree instanceof ClassTree && reach.needs(type)) {
                LibraryClass one = new LibraryClass(program, reach, path, false);
                classes.add(classes.isEmpty() ? one.needed() : one.text());
            }
        }
        return source.substring(0, Parsed.of(source).codeStart()) + Imports.of(reach.imported())
            + "\n" + String.join("\n\n", classes) + "\n";
    }
}
