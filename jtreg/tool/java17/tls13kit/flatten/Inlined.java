// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: Apache-2.0

package tls13kit.flatten;

import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.ExpressionStatementTree;
import com.sun.source.tree.MethodInvocationTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.ReturnTree;
import com.sun.source.tree.StatementTree;
import com.sun.source.tree.Tree;
import java.util.List;
import java.util.regex.Matcher;
import javax.lang.model.element.ExecutableElement;

/** What does a call of a method of the case become? The one expression in the method's body. */
final class Inlined {
    private Inlined() { }

    /** The text that replaces the call, or null if it is not a call of such a method. */
    static String text(Program program, CompilationUnitTree unit, String source,
            ExecutableElement method, MethodInvocationTree call) {
        MethodTree tree = program.trees().getTree(method);
        if (tree == null || tree.getBody() == null || tree.getBody().getStatements().size() != 1
                || !method.getEnclosingElement().getSimpleName().contentEquals(Constants.CASES)) {
            return null;
        }
        StatementTree only = tree.getBody().getStatements().get(0);
        Tree value = only instanceof ReturnTree ? ((ReturnTree) only).getExpression()
            : ((ExpressionStatementTree) only).getExpression();
        String text = source.substring(program.start(unit, value), program.end(unit, value));
        List<? extends Tree> given = call.getArguments();
        for (int i = 0; i < given.size(); i++) {
            String name = tree.getParameters().get(i).getName().toString();
            Tree one = given.get(i);
            String argument =
                source.substring(program.start(unit, one), program.end(unit, one));
            text = text.replaceAll("\\b" + name + "\\b", Matcher.quoteReplacement(argument));
        }
        return text;
    }
}
