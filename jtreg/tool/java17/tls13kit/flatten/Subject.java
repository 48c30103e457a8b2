// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: Apache-2.0

package tls13kit.flatten;

import com.sun.source.tree.BinaryTree;
import com.sun.source.tree.BlockTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.ConditionalExpressionTree;
import com.sun.source.tree.ExpressionStatementTree;
import com.sun.source.tree.ExpressionTree;
import com.sun.source.tree.IdentifierTree;
import com.sun.source.tree.IfTree;
import com.sun.source.tree.LambdaExpressionTree;
import com.sun.source.tree.MemberSelectTree;
import com.sun.source.tree.MethodInvocationTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.NewClassTree;
import com.sun.source.tree.ParenthesizedTree;
import com.sun.source.tree.StatementTree;
import com.sun.source.tree.SwitchTree;
import com.sun.source.tree.SynchronizedTree;
import com.sun.source.tree.Tree;
import com.sun.source.tree.UnaryTree;
import com.sun.source.tree.VariableTree;
import com.sun.source.tree.WhileLoopTree;
import com.sun.source.util.TreePath;
import com.sun.source.util.TreePathScanner;
import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import javax.lang.model.element.Element;
import javax.lang.model.element.ElementKind;
import javax.lang.model.element.ExecutableElement;
import javax.lang.model.element.Modifier;

/**
 * What is left of a file if only the subject is run, and only the verdict is read? This is one
 * step; the next may find more in what it leaves. As edits of a step must not overlap, a visitor
 * that edits a tree does not descend into it.
 */
final class Subject extends TreePathScanner<Void, Void> {
    /** What needs no parentheses. A string may, as javac folds a sum of literals into one. */
    private static final Set<Tree.Kind> ATOMS = EnumSet.of(Tree.Kind.IDENTIFIER,
        Tree.Kind.MEMBER_SELECT, Tree.Kind.METHOD_INVOCATION, Tree.Kind.BOOLEAN_LITERAL,
        Tree.Kind.INT_LITERAL, Tree.Kind.PARENTHESIZED);

    private static final Pattern WAIT = Pattern.compile("\\bwait\\(");

    private final Program program;
    private final CompilationUnitTree unit;
    private final Uses uses;
    private final Constants constants;
    private final String source;
    private final Edits edits = new Edits();
    private final boolean signatures;

    private Subject(Program program, CompilationUnitTree unit, boolean signatures)
            throws IOException {
        this.program = program;
        this.unit = unit;
        this.signatures = signatures;
        uses = new Uses(program, unit);
        constants = new Constants(program, uses);
        source = Program.source(unit);
    }

    /**
     * The file's text after one step.
     *
     * @param signatures whether parameters may go: only once nothing else changes, because folding
     *     copies text as it is
     */
    static String step(Program program, CompilationUnitTree unit, boolean signatures)
            throws IOException {
        Subject subject = new Subject(program, unit, signatures);
        subject.scan(unit, null);
        return subject.edits.apply(subject.source, 0, subject.source.length());
    }

    @Override
    public Void visitIf(IfTree tree, Void nothing) {
        Boolean value = value(tree.getCondition());
        if (value == null) {
            return super.visitIf(tree, nothing);
        }
        StatementTree chosen = value ? tree.getThenStatement() : tree.getElseStatement();
        Tree parent = getCurrentPath().getParentPath().getLeaf();
        if (parent instanceof IfTree && ((IfTree) parent).getElseStatement() == tree) {
            int end = end(((IfTree) parent).getThenStatement());
            edits.replace(end, end(tree), chosen == null ? "" : " else " + text(chosen));
        } else if (chosen == null) {
            removeLines(tree, true);
        } else if (!(chosen instanceof BlockTree)) {
            edits.replace(start(tree), end(tree), text(chosen));
        } else {
            String inner = source.substring(start(chosen) + 1, end(chosen) - 1).strip();
            edits.replace(start(tree), endOfBlock(tree, (BlockTree) chosen),
                inner.replaceAll("(?m)^    ", ""));
        }
        return null;
    }

    /** Where the edit ends: if the block ends in return or throw, what follows is unreachable. */
    private int endOfBlock(Tree tree, BlockTree chosen) {
        List<? extends StatementTree> statements = chosen.getStatements();
        Tree.Kind last =
            statements.isEmpty() ? null : statements.get(statements.size() - 1).getKind();
        Tree parent = getCurrentPath().getParentPath().getLeaf();
        if ((last == Tree.Kind.RETURN || last == Tree.Kind.THROW) && parent instanceof BlockTree) {
            return end(parent) - source.substring(0, end(parent) - 1).length()
                + source.substring(0, end(parent) - 1).stripTrailing().length();
        }
        return end(tree);
    }

    @Override
    public Void visitConditionalExpression(ConditionalExpressionTree tree, Void nothing) {
        Boolean value = value(tree.getCondition());
        return value == null ? super.visitConditionalExpression(tree, nothing)
            : become(tree, value ? tree.getTrueExpression() : tree.getFalseExpression());
    }

    @Override
    public Void visitBinary(BinaryTree tree, Void nothing) {
        Boolean whole = value(tree);
        if (whole != null) {
            return becomeText(tree, whole.toString());
        }
        Boolean left = value(tree.getLeftOperand());
        Boolean right = value(tree.getRightOperand());
        switch (tree.getKind()) {
            case CONDITIONAL_AND:
            case CONDITIONAL_OR:
                boolean neutral = tree.getKind() == Tree.Kind.CONDITIONAL_AND;
                if (left != null || right != null && right == neutral) {
                    return become(tree, left != null ? tree.getRightOperand()
                        : tree.getLeftOperand());
                }
                break;
            case EQUAL_TO:
            case NOT_EQUAL_TO:
                boolean same = tree.getKind() == Tree.Kind.EQUAL_TO;
                if (left != null || right != null) {
                    ExpressionTree rest = left == null ? tree.getLeftOperand()
                        : tree.getRightOperand();
                    return (left == null ? right : left) == same ? become(tree, rest)
                        : becomeText(tree, "!" + atom(rest));
                }
                break;
            default:
                break;
        }
        return super.visitBinary(tree, nothing);
    }

    @Override
    public Void visitUnary(UnaryTree tree, Void nothing) {
        Boolean value = value(tree);
        return value == null ? super.visitUnary(tree, nothing)
            : becomeText(tree, value.toString());
    }

    @Override
    public Void visitParenthesized(ParenthesizedTree tree, Void nothing) {
        Tree parent = getCurrentPath().getParentPath().getLeaf();
        boolean isSyntax = parent instanceof IfTree || parent instanceof WhileLoopTree
            || parent instanceof SwitchTree || parent instanceof SynchronizedTree
            || parent.getKind() == Tree.Kind.DO_WHILE_LOOP;
        return !isSyntax && ATOMS.contains(tree.getExpression().getKind())
            ? becomeText(tree, text(tree.getExpression()))
            : super.visitParenthesized(tree, nothing);
    }

    @Override
    public Void visitIdentifier(IdentifierTree tree, Void nothing) {
        Boolean value = value(tree);
        Element element = program.trees().getElement(getCurrentPath());
        if (value != null) {
            becomeText(tree, value.toString());
        } else if (signatures && isVariable(element) && uses.isStatic(element.asType())) {
            becomeText(tree, program.types().asElement(element.asType()).getSimpleName() + "");
        }
        return null;
    }

    @Override
    public Void visitMemberSelect(MemberSelectTree tree, Void nothing) {
        Boolean value = value(tree);
        return value == null ? super.visitMemberSelect(tree, nothing)
            : becomeText(tree, value.toString());
    }

    @Override
    public Void visitVariable(VariableTree tree, Void nothing) {
        Element element = program.trees().getElement(getCurrentPath());
        Tree parent = getCurrentPath().getParentPath().getLeaf();
        boolean mayGo = element != null && !tree.getName().contentEquals("serialVersionUID")
            && (element.getKind() == ElementKind.FIELD
            || element.getKind() == ElementKind.LOCAL_VARIABLE && parent instanceof BlockTree);
        if (!mayGo || !uses.isUnread(element)) {
            return super.visitVariable(tree, nothing);
        }
        ExpressionTree value = tree.getInitializer();
        if (value == null || Uses.isPlain(value) || uses.asksString(value, getCurrentPath())
                || uses.isNewOfLibrary(value, getCurrentPath())
                || element.getModifiers().contains(Modifier.STATIC)
                    && uses.asksOnly(value, getCurrentPath())) {
            removeLines(tree, false);
        } else if (uses.isUnnamed(element) && parent instanceof BlockTree
                && (value instanceof MethodInvocationTree || value instanceof NewClassTree)) {
            edits.replace(start(tree), start(value), "");
            scan(value, nothing);
        } else {
            super.visitVariable(tree, nothing);
        }
        return null;
    }

    @Override
    public Void visitExpressionStatement(ExpressionStatementTree tree, Void nothing) {
        ExpressionTree does = tree.getExpression();
        TreePath path = new TreePath(getCurrentPath(), does);
        Element assigned = uses.assigned(does, path);
        Element written = assigned == null ? uses.filled(does, path) : assigned;
        if (written != null && isVariable(written) && isOwn(written) && uses.isUnread(written)) {
            removeLines(tree, false);
            return null;
        }
        if (does instanceof MethodInvocationTree) {
            MethodInvocationTree call = (MethodInvocationTree) does;
            Element method = program.trees().getElement(path);
            if (does.toString().equals("notifyAll()") && !WAIT.matcher(source).find()) {
                removeLines(tree, false);
                return null;
            }
            if (method instanceof ExecutableElement && uses.isEmpty((ExecutableElement) method)) {
                keepWhatActs(tree, call, path);
                return null;
            }
        }
        return super.visitExpressionStatement(tree, nothing);
    }

    /** Replaces a call that does nothing by those of its arguments that do something. */
    private void keepWhatActs(Tree statement, MethodInvocationTree call, TreePath path) {
        List<String> kept = call.getArguments().stream()
            .filter(one -> one instanceof MethodInvocationTree && !uses.asksOnly(one, path))
            .map(one -> text(one) + ";").collect(Collectors.toList());
        if (kept.isEmpty()) {
            removeLines(statement, false);
        } else {
            edits.replace(start(statement), end(statement), String.join(" ", kept));
        }
    }

    @Override
    public Void visitMethodInvocation(MethodInvocationTree tree, Void nothing) {
        if (value(tree) != null) {
            return becomeText(tree, value(tree).toString());
        }
        Element method = program.trees().getElement(getCurrentPath());
        String inlined = method instanceof ExecutableElement
            ? Inlined.text(program, unit, source, (ExecutableElement) method, tree) : null;
        if (inlined != null) {
            return becomeText(tree, inlined);
        }
        scan(tree.getMethodSelect(), nothing);
        arguments(method, tree.getArguments());
        return null;
    }

    @Override
    public Void visitNewClass(NewClassTree tree, Void nothing) {
        scan(tree.getEnclosingExpression(), nothing);
        arguments(program.trees().getElement(getCurrentPath()), tree.getArguments());
        scan(tree.getClassBody(), nothing);
        return null;
    }

    @Override
    public Void visitMethod(MethodTree tree, Void nothing) {
        Element method = program.trees().getElement(getCurrentPath());
        keepOnly(tree.getParameters(), dropped(method, tree.getParameters()));
        scan(tree.getBody(), nothing);
        return null;
    }

    @Override
    public Void visitLambdaExpression(LambdaExpressionTree tree, Void nothing) {
        Set<Integer> nobodies = nobodies(tree.getParameters());
        if (nobodies.size() == tree.getParameters().size() && !nobodies.isEmpty()) {
            edits.replace(start(tree), source.indexOf("->", end(tree.getParameters().get(
                nobodies.size() - 1))), "() ");
        } else {
            keepOnly(tree.getParameters(), nobodies);
        }
        scan(tree.getBody(), nothing);
        return null;
    }

    private void arguments(Element method, List<? extends ExpressionTree> given) {
        Tree tree = method instanceof ExecutableElement ? program.trees().getTree(method) : null;
        Set<Integer> dropped = tree instanceof MethodTree
            ? dropped(method, ((MethodTree) tree).getParameters()) : Set.of();
        keepOnly(given, dropped);
        for (int i = 0; i < given.size(); i++) {
            if (!dropped.contains(i)) {
                scan(given.get(i), null);
            }
        }
    }

    /** Which parameters go? Those of a type without instances, and those that are never read. */
    private Set<Integer> dropped(Element method, List<? extends VariableTree> parameters) {
        Set<Integer> dropped = nobodies(parameters);
        if (signatures && method instanceof ExecutableElement
                && uses.mayChange((ExecutableElement) method)) {
            for (int i = 0; i < parameters.size(); i++) {
                if (uses.isUnnamed(element(parameters.get(i))) && uses.givenPlain(method, i)) {
                    dropped.add(i);
                }
            }
        }
        return dropped;
    }

    private Set<Integer> nobodies(List<? extends VariableTree> parameters) {
        Set<Integer> found = new HashSet<>();
        for (int i = 0; i < parameters.size(); i++) {
            Element one = element(parameters.get(i));
            if (signatures && one != null && uses.isStatic(one.asType())) {
                found.add(i);
            }
        }
        return found;
    }

    /** Cuts elements of a comma-separated list one by one, so that the rest can be edited. */
    private void keepOnly(List<? extends Tree> list, Set<Integer> dropped) {
        List<Integer> kept = new ArrayList<>();
        for (int i = 0; i < list.size(); i++) {
            if (!dropped.contains(i)) {
                kept.add(i);
            }
        }
        if (dropped.isEmpty()) {
            return;
        }
        int from = start(list.get(0));
        int before = -1;
        for (int i : kept) {
            if (i != before + 1) {
                edits.replace(from, start(list.get(i)), before < 0 ? "" : ", ");
            }
            before = i;
            from = end(list.get(i));
        }
        if (end(list.get(list.size() - 1)) > from) {
            edits.replace(from, end(list.get(list.size() - 1)), "");
        }
    }

    /** Removes the lines of a statement, and if {@code withComment} the line comments above. */
    private void removeLines(Tree tree, boolean withComment) {
        int from = source.lastIndexOf('\n', start(tree));
        int end = end(tree);
        if (!source.substring(from, start(tree)).isBlank()) {
            edits.replace(start(tree), end, "");
            return;
        }
        int above = source.lastIndexOf('\n', from - 1);
        while (withComment && source.substring(above, from).strip().startsWith("//")) {
            from = above;
            above = source.lastIndexOf('\n', from - 1);
        }
        int next = source.indexOf('\n', end);
        boolean hasRemark = source.substring(end, next).strip().startsWith("//");
        edits.replace(from, hasRemark ? next : end, "");
    }

    private Void become(Tree tree, ExpressionTree chosen) {
        Tree parent = getCurrentPath().getParentPath().getLeaf();
        boolean binds = parent instanceof BinaryTree || parent instanceof UnaryTree
            || parent instanceof MemberSelectTree || parent instanceof ConditionalExpressionTree;
        return becomeText(tree, binds ? atom(chosen) : text(chosen));
    }

    private Void becomeText(Tree tree, String text) {
        edits.replace(start(tree), end(tree), text);
        return null;
    }

    private String atom(ExpressionTree tree) {
        return ATOMS.contains(tree.getKind()) ? text(tree) : "(" + text(tree) + ")";
    }

    private Boolean value(Tree tree) {
        return constants.value(tree, getCurrentPath());
    }

    private static boolean isVariable(Element element) {
        return element != null && (element.getKind().isField()
            || element.getKind() == ElementKind.LOCAL_VARIABLE
            || element.getKind() == ElementKind.PARAMETER);
    }

    private boolean isOwn(Element element) {
        return program.trees().getPath(element) != null;
    }

    private Element element(Tree tree) {
        return program.element(unit, tree);
    }

    private String text(Tree tree) {
        return source.substring(start(tree), end(tree));
    }

    private int start(Tree tree) {
        return program.start(unit, tree);
    }

    private int end(Tree tree) {
        return program.end(unit, tree);
    }
}
