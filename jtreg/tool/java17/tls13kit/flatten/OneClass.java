// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: Apache-2.0

package tls13kit.flatten;

import com.sun.source.tree.BlockTree;
import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.ExpressionTree;
import com.sun.source.tree.IdentifierTree;
import com.sun.source.tree.MemberReferenceTree;
import com.sun.source.tree.MemberSelectTree;
import com.sun.source.tree.MethodInvocationTree;
import com.sun.source.tree.NewClassTree;
import com.sun.source.tree.Tree;
import com.sun.source.tree.VariableTree;
import com.sun.source.util.TreePath;
import com.sun.source.util.TreePathScanner;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import javax.lang.model.element.Element;
import javax.lang.model.element.ElementKind;
import javax.lang.model.element.Modifier;
import javax.lang.model.element.TypeElement;

/**
 * How does a file become one class, as tests of OpenJDK are? A class with only static members hands
 * them to the test's class, unless a name would then mean something else; any other is nested.
 */
final class OneClass {
    private static final String INDENT = "    ";
    private static final Pattern HEAD =
        Pattern.compile("(?m)^(?:public |final )*(?=(?:abstract )?(?:class|interface|enum) )");
    private static final Set<String> PLAIN_PACKAGES = Set.of("java.lang", "java.util");
    private static final Set<Modifier> ACCESS =
        Set.of(Modifier.PUBLIC, Modifier.PROTECTED, Modifier.PRIVATE);

    private final Program program;
    private final SourceFile file;
    private final Uses uses;
    private final ClassTree main;
    private final List<ClassTree> library = new ArrayList<>();
    private final Set<Element> merged = new LinkedHashSet<>();
    private final Map<String, Set<Element>> owners = new HashMap<>();
    private final Edits edits = new Edits();

    private OneClass(Program program, CompilationUnitTree unit) throws IOException {
        this.program = program;
        file = SourceFile.of(program, unit);
        uses = new Uses(program, unit);
        main = (ClassTree) program.topClass(unit).getLeaf();
        for (Tree tree : unit.getTypeDecls()) {
            if (tree instanceof ClassTree && tree != main) {
                library.add((ClassTree) tree);
            }
        }
    }

    /** The test's class with all others in it. */
    static String text(Program program, CompilationUnitTree unit) throws IOException {
        OneClass one = new OneClass(program, unit);
        one.note();
        one.library.forEach(one::merge);
        one.rename();
        return one.text();
    }

    /** Notes which classes have a member, or which code a local variable, of each name. */
    private void note() {
        new TreePathScanner<Void, Void>() {
            @Override
            public Void visitClass(ClassTree tree, Void nothing) {
                Element type = program.trees().getElement(getCurrentPath());
                if (type instanceof TypeElement) {
                    program.elements().getAllMembers((TypeElement) type).forEach(member ->
                        owner(member.getSimpleName().toString(), type));
                }
                return super.visitClass(tree, nothing);
            }

            @Override
            public Void visitVariable(VariableTree tree, Void nothing) {
                Element variable = program.trees().getElement(getCurrentPath());
                if (variable != null) {
                    owner(tree.getName().toString(), variable.getEnclosingElement());
                }
                return super.visitVariable(tree, nothing);
            }
        }.scan(file.unit(), null);
    }

    private void owner(String name, Element owner) {
        owners.computeIfAbsent(name, any -> new HashSet<>()).add(owner);
    }

    private void merge(ClassTree tree) {
        TypeElement type = (TypeElement) element(tree);
        boolean isFit = uses.isStatic(type.asType()) && tree.getMembers().stream().allMatch(member ->
            file.end(member) < 0 || !(member instanceof BlockTree) && isFit(type, member));
        if (isFit) {
            merged.add(type);
            for (Element member : type.getEnclosedElements()) {
                owner(member.getSimpleName().toString(), element(main));
            }
        }
    }

    /** May the member move? Its name must be of this class alone, and its value the same there. */
    private boolean isFit(TypeElement type, Tree member) {
        Element element = element(member);
        if (element.getKind() == ElementKind.CONSTRUCTOR) {
            return true;
        }
        if (element.getKind() == ElementKind.FIELD && !isPlain((VariableTree) member)) {
            return false;
        }
        Set<Element> others =
            new HashSet<>(owners.getOrDefault(element.getSimpleName().toString(), Set.of()));
        others.remove(type);
        others.remove(element);
        return others.isEmpty();
    }

    /** Is the value the same whenever it is computed? */
    private boolean isPlain(VariableTree field) {
        ExpressionTree value = field.getInitializer();
        boolean[] acts = {false};
        new TreePathScanner<Void, Void>() {
            @Override
            public Void visitMethodInvocation(MethodInvocationTree tree, Void nothing) {
                Element method = program.trees().getElement(getCurrentPath());
                acts[0] |= method == null || !PLAIN_PACKAGES.contains(program.elements()
                    .getPackageOf(method).getQualifiedName().toString())
                    || method.getEnclosingElement().getSimpleName().contentEquals("System");
                return super.visitMethodInvocation(tree, nothing);
            }

            @Override
            public Void visitNewClass(NewClassTree tree, Void nothing) {
                acts[0] = true;
                return null;
            }
        }.scan(TreePath.getPath(file.unit(), field), null);
        return value == null || !acts[0];
    }

    /** Members that moved are named without their class, or by the test's. */
    private void rename() {
        new TreePathScanner<Void, Void>() {
            @Override
            public Void visitMemberSelect(MemberSelectTree tree, Void nothing) {
                if (isMerged(tree.getExpression())) {
                    int name = file.end(tree) - tree.getIdentifier().length();
                    edits.replace(file.start(tree), name, "");
                    return null;
                }
                return super.visitMemberSelect(tree, nothing);
            }

            @Override
            public Void visitMemberReference(MemberReferenceTree tree, Void nothing) {
                ExpressionTree owner = tree.getQualifierExpression();
                if (isMerged(owner)) {
                    edits.replace(file.start(owner), file.end(owner),
                        main.getSimpleName().toString());
                    return null;
                }
                return super.visitMemberReference(tree, nothing);
            }

            private boolean isMerged(ExpressionTree owner) {
                return owner instanceof IdentifierTree && merged.contains(
                    program.trees().getElement(new TreePath(getCurrentPath(), owner)));
            }
        }.scan(file.unit(), null);
    }

    private String text() {
        StringBuilder fields = new StringBuilder();
        StringBuilder methods = new StringBuilder();
        StringBuilder classes = new StringBuilder();
        for (ClassTree tree : library) {
            if (!merged.contains(element(tree))) {
                classes.append('\n').append(nested(tree));
                continue;
            }
            int gap = file.source().indexOf('{', file.end(tree.getModifiers())) + 1;
            for (Tree member : tree.getMembers()) {
                if (file.end(member) < 0 || element(member).getKind() == ElementKind.CONSTRUCTOR) {
                    gap = Math.max(gap, file.end(member));
                    continue;
                }
                hide(member);
                String text = edited(gap, file.end(member));
                (member instanceof VariableTree ? fields : methods).append(text.stripTrailing())
                    .append('\n');
                gap = file.end(member);
            }
        }
        int open = file.source().indexOf('{', file.end(main.getModifiers())) + 1;
        int close = file.end(main) - 1;
        return edited(file.start(main), open) + fields.toString().stripTrailing()
            + (fields.length() == 0 ? "" : "\n") + edited(open, close).stripTrailing() + "\n"
            + methods.toString().replaceFirst("\\A\n?(?!\n)", "\n") + classes + "}\n";
    }

    private void hide(Tree member) {
        if (element(member).getModifiers().stream().noneMatch(ACCESS::contains)) {
            edits.replace(file.start(member), file.start(member), "private ");
        }
    }

    private String nested(ClassTree tree) {
        boolean isClass = element(tree).getKind() == ElementKind.CLASS;
        boolean isFinal = element(tree).getModifiers().contains(Modifier.FINAL) && isClass;
        String head = "private " + (isClass ? "static " : "") + (isFinal ? "final " : "");
        String text = HEAD.matcher(edited(file.start(tree), file.end(tree))).replaceFirst(head);
        String comment = Comment.above(file.source(), file.start(tree));
        return (comment + text + "\n").replaceAll("(?m)^(?=.)", INDENT);
    }

    private String edited(int start, int end) {
        return edits.apply(file.source(), start, end);
    }

    private Element element(Tree tree) {
        return program.element(file.unit(), tree);
    }
}
