// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: Apache-2.0

package tls13kit.flatten;

import com.sun.source.tree.BlockTree;
import com.sun.source.tree.ExpressionStatementTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.ReturnTree;
import com.sun.source.tree.ThrowTree;
import com.sun.source.tree.Tree;
import com.sun.source.tree.VariableTree;
import com.sun.source.util.TreeScanner;
import java.io.IOException;
import java.util.regex.Pattern;

/** How is a text laid out once parts were cut? A statement that fits on one line is put on one. */
final class Layout extends TreeScanner<Void, Void> {
    private static final int WIDTH = 100;
    private static final Pattern BREAK = Pattern.compile("\\s*\n\\s*");

    private final Parsed parsed;
    private final String source;
    private final Edits edits = new Edits();

    private Layout(Parsed parsed, String source) {
        this.parsed = parsed;
        this.source = source;
    }

    static String of(String source) throws IOException {
        Layout layout = new Layout(Parsed.of(source), source);
        layout.scan(layout.parsed.unit(), null);
        String joined = layout.edits.apply(source, 0, source.length());
        return joined.replaceAll("\\{\n\n+", "{\n")
            .replaceAll("\n\n+(?= *\\}\n)", "\n").replaceAll("\n{3,}", "\n\n");
    }

    @Override
    public Void visitExpressionStatement(ExpressionStatementTree tree, Void nothing) {
        return join(tree) ? null : super.visitExpressionStatement(tree, nothing);
    }

    @Override
    public Void visitReturn(ReturnTree tree, Void nothing) {
        return join(tree) ? null : super.visitReturn(tree, nothing);
    }

    @Override
    public Void visitThrow(ThrowTree tree, Void nothing) {
        return join(tree) ? null : super.visitThrow(tree, nothing);
    }

    @Override
    public Void visitVariable(VariableTree tree, Void nothing) {
        return join(tree) ? null : super.visitVariable(tree, nothing);
    }

    @Override
    public Void visitMethod(MethodTree tree, Void nothing) {
        BlockTree body = tree.getBody();
        if (body != null && parsed.start(tree) >= 0) {
            join(parsed.start(tree), parsed.start(body), 2);
        }
        return super.visitMethod(tree, nothing);
    }

    private boolean join(Tree tree) {
        boolean[] hasBlock = {false};
        new TreeScanner<Void, Void>() {
            @Override
            public Void visitBlock(BlockTree block, Void nothing) {
                hasBlock[0] = true;
                return null;
            }
        }.scan(tree, null);
        return parsed.start(tree) >= 0 && !hasBlock[0]
            && join(parsed.start(tree), parsed.end(tree), 0);
    }

    /** @param more characters that follow it on its line */
    private boolean join(int start, int end, int more) {
        String old = source.substring(start, end);
        int indent = start - source.lastIndexOf('\n', start) - 1;
        String one = BREAK.matcher(old).replaceAll(" ").replace("( ", "(").replace(" .", ".");
        if (!old.contains("\n") || old.contains("//") || old.contains("@Override")
                || indent + one.length() + more > WIDTH) {
            return false;
        }
        edits.replace(start, end, one);
        return true;
    }
}
