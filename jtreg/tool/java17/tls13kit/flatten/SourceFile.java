// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: Apache-2.0

package tls13kit.flatten;

import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.Tree;
import java.io.IOException;

/** Where in its file is a tree, and what is written there? */
record SourceFile(Program program, CompilationUnitTree unit, String source) {
    static SourceFile of(Program program, CompilationUnitTree unit) throws IOException {
        return new SourceFile(program, unit, Program.source(unit));
    }

    String text(Tree tree) {
        return source.substring(start(tree), end(tree));
    }

    int start(Tree tree) {
        return program.start(unit, tree);
    }

    int end(Tree tree) {
        return program.end(unit, tree);
    }

    /** How many characters are left of it on its line? */
    int column(Tree tree) {
        return start(tree) - source.lastIndexOf('\n', start(tree)) - 1;
    }
}
