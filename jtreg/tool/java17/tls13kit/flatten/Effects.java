// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: Apache-2.0

package tls13kit.flatten;

import com.sun.source.tree.AssignmentTree;
import com.sun.source.tree.ExpressionTree;
import com.sun.source.tree.MethodInvocationTree;
import com.sun.source.tree.NewClassTree;
import com.sun.source.util.TreeScanner;

/** May an initializer have side effects? If so, its field is kept even if nothing reads it. */
final class Effects extends TreeScanner<Void, Void> {
    private boolean found;

    private Effects() { }

    static boolean has(ExpressionTree value) {
        Effects effects = new Effects();
        effects.scan(value, null);
        return effects.found;
    }

    @Override
    public Void visitMethodInvocation(MethodInvocationTree tree, Void nothing) {
        found = true;
        return null;
    }

    @Override
    public Void visitNewClass(NewClassTree tree, Void nothing) {
        found = true;
        return null;
    }

    @Override
    public Void visitAssignment(AssignmentTree tree, Void nothing) {
        found = true;
        return null;
    }
}
