// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: Apache-2.0

package tls13kit.flatten;

import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.Tree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.SourcePositions;
import com.sun.source.util.TaskEvent;
import com.sun.source.util.TaskListener;
import com.sun.source.util.TreePath;
import com.sun.source.util.Trees;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Comparator;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import javax.lang.model.element.Element;
import javax.lang.model.element.TypeElement;
import javax.lang.model.type.TypeMirror;
import javax.lang.model.util.Elements;
import javax.lang.model.util.Types;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.StandardLocation;
import javax.tools.ToolProvider;

/** What do the sources mean? All of them parsed and attributed by javac. */
final class Program {
    private static final Comparator<Path> BY_NAME =
        Comparator.comparing(Path::getFileName).thenComparing(Comparator.naturalOrder());

    private final Trees trees;
    private final Elements elements;
    private final Types types;
    private final Map<Path, CompilationUnitTree> units = new TreeMap<>(BY_NAME);

    private Program(JavacTask task) {
        trees = Trees.instance(task);
        elements = task.getElements();
        types = task.getTypes();
    }

    /**
     * Parses and attributes the files as Java of a release; a class that they name comes from the
     * first of the folders that has it. Throws an IOException with javac's first error.
     */
    static Program of(Collection<Path> files, List<Path> folders, int release)
            throws IOException {
        List<String> options = List.of("--release", String.valueOf(release), "-Xlint:none",
            "-proc:none", "-encoding", "UTF-8");
        JavaCompiler javac = ToolProvider.getSystemJavaCompiler();
        DiagnosticCollector<JavaFileObject> found = new DiagnosticCollector<>();
        try (StandardJavaFileManager manager =
                javac.getStandardFileManager(found, Locale.ROOT, null)) {
            manager.setLocationFromPaths(StandardLocation.SOURCE_PATH, folders);
            JavacTask task = (JavacTask) javac.getTask(null, manager, found, options, null,
                manager.getJavaFileObjectsFromPaths(files));
            Program program = new Program(task);
            task.addTaskListener(new TaskListener() {
                @Override
                public void finished(TaskEvent event) {
                    if (event.getKind() == TaskEvent.Kind.PARSE) {
                        program.units.put(Path.of(event.getSourceFile().toUri()),
                            event.getCompilationUnit());
                    }
                }
            });
            task.analyze();
            for (Diagnostic<? extends JavaFileObject> one : found.getDiagnostics()) {
                if (one.getKind() == Diagnostic.Kind.ERROR) {
                    throw new IOException(one.toString().lines().findFirst().orElse(""));
                }
            }
            return program;
        }
    }

    CompilationUnitTree unit(Path file) {
        return units.get(file.toAbsolutePath().normalize());
    }

    Collection<CompilationUnitTree> units() {
        return units.values();
    }

    /** The text of a unit, as it is in its file. */
    static String source(CompilationUnitTree unit) throws IOException {
        return unit.getSourceFile().getCharContent(true).toString();
    }

    int start(CompilationUnitTree unit, Tree tree) {
        return (int) positions().getStartPosition(unit, tree);
    }

    /** Where the tree ends, or -1 if it is not in the file. */
    int end(CompilationUnitTree unit, Tree tree) {
        return (int) positions().getEndPosition(unit, tree);
    }

    Trees trees() {
        return trees;
    }

    Elements elements() {
        return elements;
    }

    Types types() {
        return types;
    }

    /** The element that the tree declares or names, or null. */
    Element element(CompilationUnitTree unit, Tree tree) {
        return trees.getElement(trees.getPath(unit, tree));
    }

    /** All superclasses and interfaces of a class, direct or not. */
    Set<TypeElement> supertypes(TypeElement type) {
        Set<TypeElement> found = new LinkedHashSet<>();
        Deque<TypeMirror> waiting = new ArrayDeque<>(types.directSupertypes(type.asType()));
        while (!waiting.isEmpty()) {
            TypeMirror above = waiting.remove();
            if (found.add((TypeElement) types.asElement(above))) {
                waiting.addAll(types.directSupertypes(above));
            }
        }
        return found;
    }

    /** The first top-level class of a unit. */
    TreePath topClass(CompilationUnitTree unit) {
        for (Tree tree : unit.getTypeDecls()) {
            if (tree instanceof ClassTree) {
                return trees.getPath(unit, tree);
            }
        }
        throw new IllegalArgumentException(unit.getSourceFile().getName() + ": no class");
    }

    private SourcePositions positions() {
        return trees.getSourcePositions();
    }
}
