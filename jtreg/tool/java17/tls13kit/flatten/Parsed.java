// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: Apache-2.0

package tls13kit.flatten;

import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.Tree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.SourcePositions;
import com.sun.source.util.Trees;
import java.io.IOException;
import java.net.URI;
import java.util.List;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;

/** Where in a text are its parts? Parsed by javac, without resolving names. */
record Parsed(CompilationUnitTree unit, SourcePositions positions) {
    static Parsed of(String source) throws IOException {
        JavaFileObject file = new SimpleJavaFileObject(URI.create("string:///Part.java"),
                JavaFileObject.Kind.SOURCE) {
            @Override
            public CharSequence getCharContent(boolean ignoreEncodingErrors) {
                return source;
            }
        };
        JavacTask task = (JavacTask) ToolProvider.getSystemJavaCompiler()
            .getTask(null, null, null, List.of("-proc:none"), null, List.of(file));
        CompilationUnitTree unit = task.parse().iterator().next();
        return new Parsed(unit, Trees.instance(task).getSourcePositions());
    }

    /** Where the imports begin, or the first class if there are none; above it is the header. */
    int codeStart() {
        List<? extends Tree> first = unit.getImports();
        return start((first.isEmpty() ? unit.getTypeDecls() : first).get(0));
    }

    int start(Tree tree) {
        return (int) positions.getStartPosition(unit, tree);
    }

    int end(Tree tree) {
        return (int) positions.getEndPosition(unit, tree);
    }
}
