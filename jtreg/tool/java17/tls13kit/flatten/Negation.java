// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: Apache-2.0

package tls13kit.flatten;

import com.sun.source.tree.BinaryTree;
import com.sun.source.tree.ExpressionTree;
import com.sun.source.tree.ParenthesizedTree;
import com.sun.source.tree.Tree;
import com.sun.source.tree.UnaryTree;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/** What is the opposite of a condition, as somebody would write it? */
final class Negation {
    private static final Map<Tree.Kind, String> OPPOSITES = Map.of(
        Tree.Kind.EQUAL_TO, "!=", Tree.Kind.NOT_EQUAL_TO, "==",
        Tree.Kind.LESS_THAN, ">=", Tree.Kind.GREATER_THAN_EQUAL, "<",
        Tree.Kind.GREATER_THAN, "<=", Tree.Kind.LESS_THAN_EQUAL, ">");
    private static final Set<Tree.Kind> PLAIN = EnumSet.of(Tree.Kind.IDENTIFIER,
        Tree.Kind.MEMBER_SELECT, Tree.Kind.METHOD_INVOCATION, Tree.Kind.BOOLEAN_LITERAL);

    private Negation() { }

    static ExpressionTree bare(ExpressionTree tree) {
        return tree instanceof ParenthesizedTree
            ? bare(((ParenthesizedTree) tree).getExpression()) : tree;
    }

    /** @param text gives the source of a part of it */
    static String of(ExpressionTree tree, Function<Tree, String> text) {
        ExpressionTree condition = bare(tree);
        if (condition.getKind() == Tree.Kind.LOGICAL_COMPLEMENT) {
            return text.apply(bare(((UnaryTree) condition).getExpression()));
        }
        if (PLAIN.contains(condition.getKind())) {
            return "!" + text.apply(condition);
        }
        if (!(condition instanceof BinaryTree)) {
            return "!(" + text.apply(condition) + ")";
        }
        BinaryTree pair = (BinaryTree) condition;
        String opposite = OPPOSITES.get(pair.getKind());
        if (opposite != null) {
            return text.apply(pair.getLeftOperand()) + " " + opposite + " "
                + text.apply(pair.getRightOperand());
        }
        boolean isAnd = pair.getKind() == Tree.Kind.CONDITIONAL_AND;
        if (!isAnd && pair.getKind() != Tree.Kind.CONDITIONAL_OR) {
            return "!(" + text.apply(condition) + ")";
        }
        return side(pair.getLeftOperand(), isAnd, text) + (isAnd ? " || " : " && ")
            + side(pair.getRightOperand(), isAnd, text);
    }

    /** A side of a conjunction needs parentheses if it became a disjunction. */
    private static String side(ExpressionTree tree, boolean isAnd, Function<Tree, String> text) {
        ExpressionTree condition = bare(tree);
        String negated = of(condition, text);
        boolean isLoose = condition.getKind() == Tree.Kind.CONDITIONAL_AND
            || condition.getKind() == Tree.Kind.LOGICAL_COMPLEMENT && bare(
                ((UnaryTree) condition).getExpression()).getKind() == Tree.Kind.CONDITIONAL_OR
            || condition.getKind() == Tree.Kind.CONDITIONAL_EXPRESSION;
        return !isAnd && isLoose ? "(" + negated + ")" : negated;
    }
}
