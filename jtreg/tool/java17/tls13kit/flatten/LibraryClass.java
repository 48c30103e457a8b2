// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: Apache-2.0

package tls13kit.flatten;

import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.Tree;
import com.sun.source.util.TreePath;
import java.io.IOException;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.lang.model.element.Element;
import javax.lang.model.element.TypeElement;

/**
 * What is left of a library class in the one file? The members that are needed, without their
 * Javadoc. Line comments stay, and so does the first paragraph of the class's Javadoc.
 */
final class LibraryClass {
    private static final int WIDTH = 100;
    private static final Pattern CLASS_JAVADOC =
        Pattern.compile("/\\*\\*.*?\\*/\n", Pattern.DOTALL);
    private static final Pattern FURTHER_PARAGRAPHS =
        Pattern.compile("\n \\*\n.*?(?=\n \\*/)", Pattern.DOTALL);
    private static final Pattern JAVADOC =
        Pattern.compile("[ \t]*/\\*\\*.*?\\*/[ \t]*\n", Pattern.DOTALL);
    private static final Pattern SUPERTYPES =
        Pattern.compile("\\s+(extends|implements)\\s[^{]*\\{", Pattern.DOTALL);

    private final Program program;
    private final Reach reach;
    private final TreePath path;
    private final CompilationUnitTree unit;
    private final boolean brief;
    private final String source;

    /** @param brief whether only the first sentence of the class's Javadoc stays */
    LibraryClass(Program program, Reach reach, TreePath path, boolean brief) throws IOException {
        this.program = program;
        this.reach = reach;
        this.path = path;
        unit = path.getCompilationUnit();
        this.brief = brief;
        source = Program.source(unit);
    }

    /** The class with its Javadoc, not public, in its own layout. */
    String text() {
        String hidden = needed().replaceFirst("\\Apublic ", "");
        return javadoc(program.start(unit, path.getLeaf())) + hidden;
    }

    /** The class as it is, but with only the members that are needed. */
    String needed() {
        Edits edits = new Edits();
        cut(path, edits);
        return edits.apply(source, program.start(unit, path.getLeaf()),
            program.end(unit, path.getLeaf()));
    }

    private String javadoc(int classStart) {
        String above = source.substring(0, classStart);
        int start = above.lastIndexOf("/**");
        Matcher found = CLASS_JAVADOC.matcher(above);
        if (start < 0 || !found.find(start) || found.end() != above.length()) {
            return "";
        }
        String first = FURTHER_PARAGRAPHS.matcher(found.group()).replaceFirst("");
        return brief ? wrapped(sentence(first)) : first;
    }

    private static String sentence(String javadoc) {
        String text = javadoc.replaceAll("(?m)^ *(/\\*\\*|\\*/|\\*) ?|\\*/\n", "");
        return text.replaceAll("\\s+", " ").trim().replaceFirst("(?<=[.?]) [A-Z].*", "");
    }

    private static String wrapped(String sentence) {
        if (sentence.length() <= WIDTH - 7) {
            return "/** " + sentence + " */\n";
        }
        String lines = sentence.replaceAll("(.{1," + (WIDTH - 3) + "})(?: |$)", " * $1\n");
        return "/**\n" + lines + " */\n";
    }

    private void cut(TreePath type, Edits edits) {
        ClassTree tree = (ClassTree) type.getLeaf();
        int head = Math.max(program.start(unit, tree), program.end(unit, tree.getModifiers()));
        int gap = source.indexOf('{', afterHead(tree)) + 1;
        if (!reach.isMade((TypeElement) program.trees().getElement(type))) {
            String alone = SUPERTYPES.matcher(source.substring(head, gap)).replaceFirst(" {");
            edits.replace(head, gap, alone);
        }
        List<? extends Tree> members = tree.getMembers().stream()
            .filter(member -> program.end(unit, member) >= 0)
            .sorted(Comparator.comparingInt(member -> program.start(unit, member))).toList();
        for (Tree member : members) {
            int start = program.start(unit, member);
            int end = program.end(unit, member);
            int next = source.indexOf('\n', end) + 1;
            TreePath place = new TreePath(type, member);
            Element element = program.trees().getElement(place);
            if (element != null && !reach.needs(element)) {
                edits.replace(gap, next - 1, "");
            } else {
                String before = source.substring(gap, start);
                edits.replace(gap, start, JAVADOC.matcher(before).replaceAll(""));
                if (member instanceof ClassTree) {
                    cut(place, edits);
                }
            }
            gap = Math.max(gap, next - 1);
        }
    }

    private int afterHead(ClassTree tree) {
        int end = Math.max(program.start(unit, tree), program.end(unit, tree.getModifiers()));
        if (tree.getExtendsClause() != null) {
            end = Math.max(end, program.end(unit, tree.getExtendsClause()));
        }
        for (Tree one : tree.getImplementsClause()) {
            end = Math.max(end, program.end(unit, one));
        }
        return end;
    }
}
