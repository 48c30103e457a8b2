// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: Apache-2.0

package tls13kit.flatten;

import com.sun.source.tree.BinaryTree;
import com.sun.source.tree.ExpressionTree;
import com.sun.source.tree.IdentifierTree;
import com.sun.source.tree.LiteralTree;
import com.sun.source.tree.MemberSelectTree;
import com.sun.source.tree.MethodInvocationTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.ParenthesizedTree;
import com.sun.source.tree.ReturnTree;
import com.sun.source.tree.StatementTree;
import com.sun.source.tree.Tree;
import com.sun.source.tree.UnaryTree;
import com.sun.source.tree.VariableTree;
import com.sun.source.util.TreePath;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import javax.lang.model.element.Element;
import javax.lang.model.element.ElementKind;
import javax.lang.model.element.ExecutableElement;
import javax.lang.model.type.TypeKind;
import javax.lang.model.type.TypeMirror;

/** Which conditions are constant if the case is the subject and no property of the kit is set? */
final class Constants {
    static final String CASES = "Case";
    private static final String SUBJECT = "SUBJECT";

    /** A property with which the kit's own tests remove something that a reproducer needs. */
    private static final Pattern PROPERTY =
        Pattern.compile("\"off\"\\.equals\\(System\\.getProperty\\(\"[a-z.]+\"\\)\\)");

    private final Program program;
    private final Uses uses;

    Constants(Program program, Uses uses) {
        this.program = program;
        this.uses = uses;
    }

    /** True or false, or null if only a run can tell. */
    Boolean value(Tree tree, TreePath parent) {
        TreePath path = new TreePath(parent, tree);
        if (tree instanceof ParenthesizedTree) {
            return value(((ParenthesizedTree) tree).getExpression(), path);
        } else if (tree instanceof LiteralTree) {
            Object literal = ((LiteralTree) tree).getValue();
            return literal instanceof Boolean ? (Boolean) literal : null;
        } else if (tree.getKind() == Tree.Kind.LOGICAL_COMPLEMENT) {
            Boolean value = value(((UnaryTree) tree).getExpression(), path);
            return value == null ? null : !value;
        } else if (tree instanceof BinaryTree) {
            return binary((BinaryTree) tree, path);
        } else if (tree instanceof MethodInvocationTree) {
            return PROPERTY.matcher(tree.toString()).matches() ? Boolean.FALSE
                : answer(program.trees().getElement(path));
        }
        return tree instanceof IdentifierTree || tree instanceof MemberSelectTree
            ? variable(program.trees().getElement(path)) : null;
    }

    private Boolean binary(BinaryTree tree, TreePath path) {
        Boolean left = value(tree.getLeftOperand(), path);
        Boolean right = value(tree.getRightOperand(), path);
        switch (tree.getKind()) {
            case CONDITIONAL_AND:
                return Boolean.FALSE.equals(left) ? left : left == null ? null : right;
            case CONDITIONAL_OR:
                return Boolean.TRUE.equals(left) ? left : left == null ? null : right;
            case EQUAL_TO:
                return sameCase(tree, path);
            case NOT_EQUAL_TO:
                Boolean same = sameCase(tree, path);
                return same == null ? null : !same;
            default:
                return null;
        }
    }

    private Boolean sameCase(BinaryTree tree, TreePath path) {
        ExpressionTree other = tree.getRightOperand();
        TypeMirror type = program.trees().getTypeMirror(new TreePath(path, other));
        if (type == null || type.getKind() != TypeKind.DECLARED
                || !program.types().asElement(type).getSimpleName().contentEquals(CASES)) {
            return null;
        }
        return other.toString().equals(CASES + "." + SUBJECT);
    }

    /** The value of a variable that is never changed after its initializer, otherwise null. */
    private Boolean variable(Element element) {
        if (element == null || uses.isWritten(element)
                || !Set.copyOf(EnumSet.of(ElementKind.FIELD, ElementKind.LOCAL_VARIABLE))
                    .contains(element.getKind())) {
            return null;
        }
        TreePath path = program.trees().getPath(element);
        if (path == null || !(path.getLeaf() instanceof VariableTree)) {
            return null;
        }
        VariableTree tree = (VariableTree) path.getLeaf();
        if (tree.getInitializer() == null) {
            boolean isFalse = element.getKind() == ElementKind.FIELD
                && element.asType().getKind() == TypeKind.BOOLEAN;
            return isFalse ? false : null;
        }
        return value(tree.getInitializer(), path);
    }

    /** The literal that a method of the file always returns, otherwise null. */
    private Boolean answer(Element method) {
        Tree tree = method == null ? null : program.trees().getTree(method);
        if (!(tree instanceof MethodTree) || !uses.isFinal((ExecutableElement) method)
                || ((MethodTree) tree).getBody() == null
                || !((MethodTree) tree).getParameters().isEmpty()) {
            return null;
        }
        List<? extends StatementTree> body = ((MethodTree) tree).getBody().getStatements();
        ExpressionTree only = body.size() == 1 && body.get(0) instanceof ReturnTree
            ? ((ReturnTree) body.get(0)).getExpression() : null;
        Object literal = only instanceof LiteralTree ? ((LiteralTree) only).getValue() : null;
        return literal instanceof Boolean ? (Boolean) literal : null;
    }
}
