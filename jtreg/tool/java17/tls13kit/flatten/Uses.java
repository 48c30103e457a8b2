// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: Apache-2.0

package tls13kit.flatten;

import com.sun.source.tree.AssignmentTree;
import com.sun.source.tree.BlockTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.CompoundAssignmentTree;
import com.sun.source.tree.ExpressionStatementTree;
import com.sun.source.tree.ExpressionTree;
import com.sun.source.tree.IdentifierTree;
import com.sun.source.tree.LambdaExpressionTree;
import com.sun.source.tree.MemberReferenceTree;
import com.sun.source.tree.MemberSelectTree;
import com.sun.source.tree.MethodInvocationTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.NewArrayTree;
import com.sun.source.tree.NewClassTree;
import com.sun.source.tree.Tree;
import com.sun.source.tree.UnaryTree;
import com.sun.source.tree.VariableTree;
import com.sun.source.util.TreePath;
import com.sun.source.util.TreePathScanner;
import com.sun.source.util.TreeScanner;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import javax.lang.model.element.Element;
import javax.lang.model.element.ElementKind;
import javax.lang.model.element.ExecutableElement;
import javax.lang.model.element.Modifier;
import javax.lang.model.element.TypeElement;
import javax.lang.model.type.TypeMirror;

/** What is read, written and called in a file, and what of it has no effect? */
final class Uses extends TreePathScanner<Void, Void> {
    private final Program program;
    private final Map<Element, Integer> named = new HashMap<>();
    private final Map<Element, Integer> onlyWritten = new HashMap<>();
    private final Map<Element, List<List<? extends ExpressionTree>>> calls = new HashMap<>();
    private final Set<Element> written = new HashSet<>();
    private final Set<Element> referred = new HashSet<>();

    Uses(Program program, CompilationUnitTree unit) {
        this.program = program;
        scan(unit, null);
    }

    /** Is the variable never read? Statements that may go can still write it. */
    boolean isUnread(Element variable) {
        return named.getOrDefault(variable, 0).equals(onlyWritten.getOrDefault(variable, 0));
    }

    boolean isUnnamed(Element element) {
        return !named.containsKey(element);
    }

    boolean isWritten(Element variable) {
        return written.contains(variable);
    }

    /** The variable that a statement assigns to, or null. */
    Element assigned(ExpressionTree statement, TreePath path) {
        Tree target = target(statement);
        return target == null ? null : program.trees().getElement(new TreePath(path, target));
    }

    /** May parameters of it go? Not if overriding or a method reference fixes its signature. */
    boolean mayChange(ExecutableElement method) {
        MethodTree tree = program.trees().getTree(method);
        Set<Modifier> modifiers = method.getModifiers();
        boolean isFixed = modifiers.contains(Modifier.STATIC)
            || modifiers.contains(Modifier.PRIVATE)
            || method.getKind() == ElementKind.CONSTRUCTOR;
        return tree != null && tree.getBody() != null && isFixed && !method.isVarArgs()
            && !referred.contains(method)
            && !(method.getSimpleName().contentEquals("main")
                && modifiers.contains(Modifier.PUBLIC))
            && method.getEnclosingElement().getKind() == ElementKind.CLASS;
    }

    /** Does each call pass an argument without side effects for that parameter? */
    boolean givenPlain(Element method, int parameter) {
        return calls.getOrDefault(method, List.of()).stream()
            .allMatch(given -> isPlain(given.get(parameter)));
    }

    /** Is it a method of the file that cannot be overridden and has an empty body? */
    boolean isEmpty(ExecutableElement method) {
        MethodTree tree = program.trees().getTree(method);
        BlockTree body = tree == null ? null : tree.getBody();
        return body != null && method.getKind() == ElementKind.METHOD && isFinal(method)
            && body.getStatements().isEmpty();
    }

    boolean isFinal(ExecutableElement method) {
        return method.getModifiers().contains(Modifier.STATIC)
            || method.getModifiers().contains(Modifier.PRIVATE)
            || method.getEnclosingElement().getModifiers().contains(Modifier.FINAL);
    }

    /** The collection of the file to which the statement only adds a plain value, or null. */
    Element filled(ExpressionTree statement, TreePath path) {
        if (!(statement instanceof MethodInvocationTree)) {
            return null;
        }
        MethodInvocationTree call = (MethodInvocationTree) statement;
        ExpressionTree select = call.getMethodSelect();
        if (!(select instanceof MemberSelectTree) || call.getArguments().size() != 1
                || !isPlain(call.getArguments().get(0))
                || !((MemberSelectTree) select).getIdentifier().contentEquals("add")) {
            return null;
        }
        Element target = program.trees().getElement(new TreePath(new TreePath(path, select),
            ((MemberSelectTree) select).getExpression()));
        Tree tree = target == null || !target.getKind().isField() ? null
            : program.trees().getTree(target);
        return tree instanceof VariableTree && isNewOfLibrary(
            ((VariableTree) tree).getInitializer(), program.trees().getPath(target)) ? target : null;
    }

    /** Is it a new collection of java.util, made of nothing? */
    boolean isNewOfLibrary(ExpressionTree value, TreePath path) {
        if (!(value instanceof NewClassTree) || !((NewClassTree) value).getArguments().isEmpty()
                || ((NewClassTree) value).getClassBody() != null) {
            return false;
        }
        Element made = program.trees().getElement(new TreePath(path, value));
        return made != null && program.elements().getPackageOf(made).toString()
            .startsWith("java.util");
    }

    /** Does the call only ask a string? */
    boolean asksString(ExpressionTree value, TreePath path) {
        Element method = value instanceof MethodInvocationTree
            ? program.trees().getElement(new TreePath(path, value)) : null;
        return method != null && method.getEnclosingElement().toString().equals("java.lang.String")
            && ((MethodInvocationTree) value).getArguments().stream().allMatch(Uses::isPlain);
    }

    /** Is it a class of the file with only static members, and so without instances? */
    boolean isStatic(TypeMirror type) {
        Element element = type == null ? null : program.types().asElement(type);
        if (!(element instanceof TypeElement) || program.trees().getTree(element) == null
                || element.getKind() != ElementKind.CLASS
                || program.supertypes((TypeElement) element).size() > 1) {
            return false;
        }
        return element.getEnclosedElements().stream().allMatch(member ->
            member.getKind() == ElementKind.CONSTRUCTOR ? isUnnamed(member)
                : member.getModifiers().contains(Modifier.STATIC));
    }

    /** May it go if its value is not used? A call that declares no exception counts as a query. */
    boolean asksOnly(ExpressionTree value, TreePath path) {
        boolean[] acts = {false};
        new TreePathScanner<Void, Void>() {
            @Override
            public Void visitLambdaExpression(LambdaExpressionTree tree, Void nothing) {
                return null;
            }

            @Override
            public Void visitMethodInvocation(MethodInvocationTree tree, Void nothing) {
                Element method = program.trees().getElement(getCurrentPath());
                acts[0] |= !(method instanceof ExecutableElement)
                    || !((ExecutableElement) method).getThrownTypes().isEmpty();
                return super.visitMethodInvocation(tree, nothing);
            }
        }.scan(new TreePath(path, value), null);
        return !acts[0] && !writes(value);
    }

    /** Does evaluating it only give a value? It then calls nothing but System.nanoTime(). */
    static boolean isPlain(ExpressionTree value) {
        boolean[] acts = {false};
        new TreeScanner<Void, Void>() {
            @Override
            public Void visitMethodInvocation(MethodInvocationTree tree, Void nothing) {
                acts[0] |= !tree.toString().startsWith("System.nanoTime(");
                return null;
            }

            @Override
            public Void visitNewClass(NewClassTree tree, Void nothing) {
                acts[0] = true;
                return null;
            }

            /** A reproducer may count what it allocates. */
            @Override
            public Void visitNewArray(NewArrayTree tree, Void nothing) {
                acts[0] = true;
                return null;
            }
        }.scan(value, null);
        return !acts[0] && !writes(value);
    }

    private static boolean isPlainAssignment(ExpressionTree tree) {
        return tree instanceof UnaryTree
            || tree instanceof AssignmentTree && isPlain(((AssignmentTree) tree).getExpression())
            || tree instanceof CompoundAssignmentTree
                && isPlain(((CompoundAssignmentTree) tree).getExpression());
    }

    private static boolean writes(ExpressionTree value) {
        boolean[] writes = {false};
        new TreeScanner<Void, Void>() {
            @Override
            public Void scan(Tree tree, Void nothing) {
                writes[0] |=
                    tree instanceof ExpressionTree && target((ExpressionTree) tree) != null;
                return super.scan(tree, nothing);
            }
        }.scan(value, null);
        return writes[0];
    }

    private static Tree target(ExpressionTree tree) {
        if (tree instanceof AssignmentTree) {
            return ((AssignmentTree) tree).getVariable();
        }
        if (tree instanceof CompoundAssignmentTree) {
            return ((CompoundAssignmentTree) tree).getVariable();
        }
        switch (tree.getKind()) {
            case PREFIX_INCREMENT:
            case PREFIX_DECREMENT:
            case POSTFIX_INCREMENT:
            case POSTFIX_DECREMENT:
                return ((UnaryTree) tree).getExpression();
            default:
                return null;
        }
    }

    @Override
    public Void scan(Tree tree, Void nothing) {
        if (tree instanceof ExpressionTree && target((ExpressionTree) tree) != null) {
            TreePath path = new TreePath(getCurrentPath(), tree);
            written.add(assigned((ExpressionTree) tree, path));
        }
        return super.scan(tree, nothing);
    }

    @Override
    public Void visitExpressionStatement(ExpressionStatementTree tree, Void nothing) {
        Element target = assigned(tree.getExpression(),
            new TreePath(getCurrentPath(), tree.getExpression()));
        if (target != null && isPlainAssignment(tree.getExpression())) {
            onlyWritten.merge(target, 1, Integer::sum);
        }
        Element filled =
            filled(tree.getExpression(), new TreePath(getCurrentPath(), tree.getExpression()));
        if (filled != null) {
            onlyWritten.merge(filled, 1, Integer::sum);
        }
        return super.visitExpressionStatement(tree, nothing);
    }

    @Override
    public Void visitIdentifier(IdentifierTree tree, Void nothing) {
        name();
        return null;
    }

    @Override
    public Void visitMemberSelect(MemberSelectTree tree, Void nothing) {
        name();
        return super.visitMemberSelect(tree, nothing);
    }

    @Override
    public Void visitMethodInvocation(MethodInvocationTree tree, Void nothing) {
        call(tree.getArguments());
        return super.visitMethodInvocation(tree, nothing);
    }

    @Override
    public Void visitNewClass(NewClassTree tree, Void nothing) {
        name();
        call(tree.getArguments());
        return super.visitNewClass(tree, nothing);
    }

    @Override
    public Void visitMemberReference(MemberReferenceTree tree, Void nothing) {
        name();
        Element element = program.trees().getElement(getCurrentPath());
        if (element != null) {
            referred.add(element);
        }
        return super.visitMemberReference(tree, nothing);
    }

    private void call(List<? extends ExpressionTree> given) {
        Element method = program.trees().getElement(getCurrentPath());
        if (method != null) {
            calls.computeIfAbsent(method, any -> new ArrayList<>()).add(given);
        }
    }

    private void name() {
        Element element = program.trees().getElement(getCurrentPath());
        if (element != null) {
            named.merge(element, 1, Integer::sum);
        }
    }
}
