// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: Apache-2.0

package tls13kit.flatten;

import com.sun.source.tree.BinaryTree;
import com.sun.source.tree.BlockTree;
import com.sun.source.tree.ConditionalExpressionTree;
import com.sun.source.tree.ExpressionStatementTree;
import com.sun.source.tree.ExpressionTree;
import com.sun.source.tree.LambdaExpressionTree;
import com.sun.source.tree.LiteralTree;
import com.sun.source.tree.MemberReferenceTree;
import com.sun.source.tree.MethodInvocationTree;
import com.sun.source.tree.NewClassTree;
import com.sun.source.tree.Tree;
import com.sun.source.tree.VariableTree;
import com.sun.source.util.TreePath;
import com.sun.source.util.TreePathScanner;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.lang.model.element.Element;

/**
 * How does a test of OpenJDK say what the kit's classes say? It throws: a RuntimeException if the
 * bug shows, an IllegalStateException if nothing can be said of it.
 */
final class PlainVerdict extends TreePathScanner<Void, Void> {
    private static final String FINDINGS = "Findings";
    private static final String UNDECIDED = "new IllegalStateException(";
    private static final Pattern NEXT_WORD = Pattern.compile("_([a-z0-9])");
    private static final Pattern SENTENCE_END = Pattern.compile("[.]?\"$");
    private static final Pattern BREAK = Pattern.compile("\\s*\n\\s*");
    private static final Pattern BOUND = Pattern.compile(" \\(bound [0-9,]+\\)");

    private final Program program;
    private final SourceFile file;
    private final Edits edits = new Edits();

    private PlainVerdict(Program program, SourceFile file) {
        this.program = program;
        this.file = file;
    }

    /** The file's text with plain conditions in place of the calls that require and judge. */
    static String step(Program program, SourceFile file) throws IOException {
        PlainVerdict plain = new PlainVerdict(program, file);
        plain.scan(file.unit(), null);
        return plain.edits.apply(file.source(), 0, file.source().length());
    }

    @Override
    public Void visitExpressionStatement(ExpressionStatementTree tree, Void nothing) {
        boolean isCall = tree.getExpression() instanceof MethodInvocationTree
            && getCurrentPath().getParentPath().getLeaf() instanceof BlockTree;
        String statements = isCall ? plain((MethodInvocationTree) tree.getExpression()) : null;
        if (statements == null) {
            return super.visitExpressionStatement(tree, nothing);
        }
        String lines = statements.replace("\n", "\n" + " ".repeat(file.column(tree)));
        edits.replace(file.start(tree), file.end(tree), lines);
        return null;
    }

    /** What is judged as not reproduced has come as far as to what follows. */
    @Override
    public Void visitBinary(BinaryTree tree, Void nothing) {
        if (!"outcome".equals(called(tree.getLeftOperand(), FINDINGS))) {
            return super.visitBinary(tree, nothing);
        }
        boolean isPassed = tree.getRightOperand().toString().endsWith(".NOT_REPRODUCED");
        boolean isEqual = tree.getKind() == Tree.Kind.EQUAL_TO;
        edits.replace(file.start(tree), file.end(tree), String.valueOf(isPassed == isEqual));
        return null;
    }

    @Override
    public Void visitNewClass(NewClassTree tree, Void nothing) {
        if (!tree.getIdentifier().toString().equals("CaseEnd")) {
            return super.visitNewClass(tree, nothing);
        }
        ExpressionTree reason = tree.getArguments().get(1);
        edits.replace(file.start(tree), file.start(reason), UNDECIDED);
        return scan(reason, nothing);
    }

    /** The statements that replace the call, or null if it is not one of those. */
    private String plain(MethodInvocationTree call) {
        List<? extends ExpressionTree> given = call.getArguments();
        if ("run".equals(called(call, "Reproducer"))) {
            ExpressionTree body = given.get(given.size() - 1);
            return body instanceof MemberReferenceTree
                ? ((MemberReferenceTree) body).getName() + "(null, null);" : called(body);
        }
        String method = called(call, FINDINGS);
        if (method == null) {
            return null;
        }
        switch (method) {
            case "require":
                return thrown(negated(given.get(0)), UNDECIDED + text(given.get(1)));
            case "requireTls13":
                String protocol = text(given.get(0));
                return thrown("!\"TLSv1.3\".equals(" + protocol + ")", UNDECIDED
                    + "\"It needs TLSv1.3, but \" + " + protocol + " + \" was negotiated.\"");
            case "end":
                return "throw " + UNDECIDED + text(given.get(1)) + ");";
            case "judge":
                return judged(given.get(0), null, text(given.get(1)), given.get(2), "ms",
                    given.subList(3, 5));
            case "judgeCount":
                return given.get(3) instanceof LiteralTree
                    ? judged(given.get(0), given.get(1), "", given.get(2),
                        ((LiteralTree) given.get(3)).getValue().toString(), given.subList(4, 6))
                    : null;
            default:
                return null;
        }
    }

    /** What a lambda of one call calls, for a subject without findings; null for any other. */
    private String called(ExpressionTree body) {
        boolean isCall = body instanceof LambdaExpressionTree
            && ((LambdaExpressionTree) body).getBody() instanceof MethodInvocationTree;
        if (!isCall) {
            return null;
        }
        LambdaExpressionTree lambda = (LambdaExpressionTree) body;
        String call = text(lambda.getBody());
        for (VariableTree parameter : lambda.getParameters()) {
            call = call.replaceAll("\\b" + parameter.getName() + "\\b", "null");
        }
        return call + ";";
    }

    /** @param sentences of a bug that shows, and of one that does not */
    private String judged(ExpressionTree name, ExpressionTree value, String watch,
            ExpressionTree bound, String unit, List<? extends ExpressionTree> sentences) {
        if (isChoice(value) && text(bound).equals("1")) {
            String condition = text(((ConditionalExpressionTree) value).getCondition());
            return thrown(condition, "new RuntimeException(" + text(sentences.get(0)))
                + "\nSystem.out.println(" + text(sentences.get(1)) + ");";
        }
        boolean isNamed = value != null && value.getKind() == Tree.Kind.IDENTIFIER;
        String figure = isNamed ? text(value) : local(name.toString().replace("\"", ""));
        String declared = isNamed ? "" : "long " + figure + " = "
            + (value == null ? watch + ".seenMs()" : text(value)) + ";\n";
        String neither = value != null ? "" : thrown("!" + watch + ".over()", UNDECIDED
            + "\"It was neither over, nor seen for long enough: \" + " + figure + " + \" ms\"")
            + "\n";
        return declared
            + thrown(figure + " >= " + text(bound),
                "new RuntimeException(" + measured(sentences.get(0), figure, unit))
            + "\n" + neither
            + "System.out.println(" + text(sentences.get(1)) + ");";
    }

    private String measured(ExpressionTree sentence, String figure, String unit) {
        String text = text(sentence);
        Matcher end = SENTENCE_END.matcher(text);
        boolean isSum = sentence instanceof LiteralTree || sentence.getKind() == Tree.Kind.PLUS;
        String begin = isSum && end.find() ? text.substring(0, end.start()) + ": \""
            : "(" + text + ") + \": \"";
        return begin + " + " + figure + " + \" " + unit + "\"";
    }

    private static String thrown(String condition, String exception) {
        return "if (" + condition + ") {\n    throw " + exception + ");\n}";
    }

    private static boolean isChoice(ExpressionTree value) {
        return value instanceof ConditionalExpressionTree
            && ((ConditionalExpressionTree) value).getTrueExpression().toString().equals("1")
            && ((ConditionalExpressionTree) value).getFalseExpression().toString().equals("0");
    }

    /** A name for a figure, {@code seenMs} for {@code seen_ms}, that the file does not have. */
    private String local(String figure) {
        String name = NEXT_WORD.matcher(figure)
            .replaceAll(next -> next.group(1).toUpperCase(Locale.ROOT));
        return Pattern.compile("\\b" + name + "\\b").matcher(file.source()).find()
            ? "measured" + name.substring(0, 1).toUpperCase(Locale.ROOT) + name.substring(1) : name;
    }

    private String negated(ExpressionTree tree) {
        ExpressionTree condition = Negation.bare(tree);
        return Negation.of(condition, this::text);
    }

    /** The name of the method if it is one of that class of the kit, otherwise null. */
    private String called(ExpressionTree tree, String owner) {
        if (!(tree instanceof MethodInvocationTree)) {
            return null;
        }
        Element method = program.trees().getElement(TreePath.getPath(file.unit(), tree));
        return method != null && method.getEnclosingElement().getSimpleName().contentEquals(owner)
            ? method.getSimpleName().toString() : null;
    }

    /** On one line, without the words of the kit on a bound, as the condition has it. */
    private String text(Tree tree) {
        String text = file.text(tree);
        return text.contains("//") || text.contains(";") ? text
            : BOUND.matcher(BREAK.matcher(text).replaceAll(" ")).replaceAll("")
                .replace("(bound ", "(expected ");
    }
}
