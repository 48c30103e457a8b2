// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: Apache-2.0

package tls13kit.flatten;

import com.sun.source.tree.IdentifierTree;
import com.sun.source.tree.MemberReferenceTree;
import com.sun.source.tree.MemberSelectTree;
import com.sun.source.tree.NewClassTree;
import com.sun.source.util.TreePathScanner;
import com.sun.source.util.Trees;
import java.util.function.BiConsumer;
import javax.lang.model.element.Element;

/** Which elements does a piece of source name? Reports each, and whether by its simple name. */
final class Names extends TreePathScanner<Void, Void> {
    private final Trees trees;
    private final BiConsumer<Element, Boolean> told;

    Names(Trees trees, BiConsumer<Element, Boolean> told) {
        this.trees = trees;
        this.told = told;
    }

    @Override
    public Void visitIdentifier(IdentifierTree tree, Void nothing) {
        tell(true);
        return null;
    }

    @Override
    public Void visitMemberSelect(MemberSelectTree tree, Void nothing) {
        tell(false);
        return super.visitMemberSelect(tree, nothing);
    }

    @Override
    public Void visitMemberReference(MemberReferenceTree tree, Void nothing) {
        tell(false);
        return super.visitMemberReference(tree, nothing);
    }

    @Override
    public Void visitNewClass(NewClassTree tree, Void nothing) {
        tell(false);
        return super.visitNewClass(tree, nothing);
    }

    private void tell(boolean bySimpleName) {
        Element element = trees.getElement(getCurrentPath());
        if (element != null) {
            told.accept(element, bySimpleName);
        }
    }
}
