// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: Apache-2.0

package tls13kit.flatten;

import com.sun.source.tree.BlockTree;
import com.sun.source.tree.CatchTree;
import com.sun.source.tree.EnhancedForLoopTree;
import com.sun.source.tree.ForLoopTree;
import com.sun.source.tree.IfTree;
import com.sun.source.tree.LambdaExpressionTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.StatementTree;
import com.sun.source.tree.SynchronizedTree;
import com.sun.source.tree.Tree;
import com.sun.source.tree.TryTree;
import com.sun.source.tree.WhileLoopTree;
import com.sun.source.util.TreeScanner;
import java.io.IOException;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * How does a class become shorter? Methods, branches and loops with one or two simple statements go
 * on one line if they fit, so that a reader of a bug report sees the library's parts whole.
 */
final class Compact extends TreeScanner<Void, Void> {
    private static final int WIDTH = 100;
    private static final Set<Tree.Kind> SIMPLE = EnumSet.of(Tree.Kind.EXPRESSION_STATEMENT,
        Tree.Kind.RETURN, Tree.Kind.THROW, Tree.Kind.BREAK, Tree.Kind.CONTINUE);
    private static final Pattern OPENING = Pattern.compile("\\{\n[ ]*");
    private static final Pattern NEXT = Pattern.compile(";\n[ ]*");
    private static final Pattern CLOSING = Pattern.compile("\n[ ]*\\}");
    private static final Pattern ANNOTATION = Pattern.compile("(?m)^([ ]+@Override)\n[ ]+");

    private static final Pattern TOO_LONG =
        Pattern.compile("(?m)^(?=.{" + (WIDTH + 1) + "})([ ]+)@Override ");

    private final Parsed parsed;
    private final String source;
    private final Edits edits = new Edits();

    private final int mostOnALine;

    private Compact(Parsed parsed, String source, int mostOnALine) {
        this.parsed = parsed;
        this.source = source;
        this.mostOnALine = mostOnALine;
    }

    /**
     * Shortens the blocks of a class that has the kit's layout.
     *
     * @param mostOnALine the most statements that a block on one line may have
     */
    static String text(String source, int mostOnALine) throws IOException {
        String joined = Filled.lines(ANNOTATION.matcher(source).replaceAll("$1 "), WIDTH);
        Parsed parsed = Parsed.of(joined);
        Compact compact = new Compact(parsed, joined, mostOnALine);
        compact.scan(parsed.unit(), null);
        return TOO_LONG.matcher(compact.edits.apply(joined, 0, joined.length()))
            .replaceAll("$1@Override\n$1");
    }

    @Override
    public Void visitMethod(MethodTree tree, Void nothing) {
        return isSimple(tree.getBody()) && join(tree) ? null : super.visitMethod(tree, nothing);
    }

    @Override
    public Void visitIf(IfTree tree, Void nothing) {
        return isSimple(tree) && join(tree) ? null : super.visitIf(tree, nothing);
    }

    @Override
    public Void visitForLoop(ForLoopTree tree, Void nothing) {
        return isSimple(tree.getStatement()) && join(tree) ? null
            : super.visitForLoop(tree, nothing);
    }

    @Override
    public Void visitEnhancedForLoop(EnhancedForLoopTree tree, Void nothing) {
        return isSimple(tree.getStatement()) && join(tree) ? null
            : super.visitEnhancedForLoop(tree, nothing);
    }

    @Override
    public Void visitWhileLoop(WhileLoopTree tree, Void nothing) {
        return isSimple(tree.getStatement()) && join(tree) ? null
            : super.visitWhileLoop(tree, nothing);
    }

    @Override
    public Void visitLambdaExpression(LambdaExpressionTree tree, Void nothing) {
        return isSimple(tree.getBody()) && join(tree) ? null
            : super.visitLambdaExpression(tree, nothing);
    }

    @Override
    public Void visitSynchronized(SynchronizedTree tree, Void nothing) {
        return isSimple(tree.getBlock()) && join(tree) ? null
            : super.visitSynchronized(tree, nothing);
    }

    /** Joins only the last clause: an earlier one would share its line with the next. */
    @Override
    public Void visitTry(TryTree tree, Void nothing) {
        super.visitTry(tree, nothing);
        List<? extends CatchTree> clauses = tree.getCatches();
        BlockTree last = tree.getFinallyBlock();
        if (last == null && !clauses.isEmpty()) {
            last = clauses.get(clauses.size() - 1).getBlock();
        }
        if (last != null && isSimple(last)) {
            join(last);
        }
        return null;
    }

    private boolean isSimple(Tree body) {
        if (body instanceof IfTree) {
            IfTree branch = (IfTree) body;
            return isSimple(branch.getThenStatement())
                && (branch.getElseStatement() == null || isSimple(branch.getElseStatement()));
        }
        if (!(body instanceof BlockTree)) {
            return false;
        }
        List<? extends StatementTree> statements = ((BlockTree) body).getStatements();
        return !statements.isEmpty() && statements.size() <= mostOnALine
            && statements.stream().allMatch(one -> SIMPLE.contains(one.getKind()));
    }

    /** Puts the tree on one line if that line is not too long; returns whether it did. */
    private boolean join(Tree tree) {
        int start = parsed.start(tree);
        int end = parsed.end(tree);
        String before = source.substring(source.lastIndexOf('\n', start) + 1, start);
        String after = source.substring(end, source.indexOf('\n', end));
        String old = source.substring(start, end);
        String one = OPENING.matcher(old).replaceAll("{ ");
        one = CLOSING.matcher(one).replaceAll(" }");
        one = NEXT.matcher(one).replaceAll("; ");
        boolean fits = before.length() + one.length() + after.length() <= WIDTH;
        if (!fits || one.contains("\n") || one.contains("//")) {
            return false;
        }
        edits.replace(start, end, one);
        return true;
    }
}
