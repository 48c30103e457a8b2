// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: Apache-2.0

package tls13kit.flatten;

import com.sun.source.tree.BlockTree;
import com.sun.source.tree.ClassTree;
import com.sun.source.tree.ExpressionTree;
import com.sun.source.tree.Tree;
import com.sun.source.tree.VariableTree;
import com.sun.source.util.TreePath;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.Set;
import javax.lang.model.element.Element;
import javax.lang.model.element.ElementKind;
import javax.lang.model.element.ExecutableElement;
import javax.lang.model.element.Modifier;
import javax.lang.model.element.NestingKind;
import javax.lang.model.element.TypeElement;
import javax.lang.model.util.ElementFilter;
import javax.lang.model.util.Elements;

/**
 * Which classes and members does a reproducer need, directly or through others? Whatever may run
 * is kept. A class brings its initializers, and the methods that override one of the JDK, as the
 * JDK may call them. A method that is kept brings those that override it.
 */
final class Reach {
    private final Program program;
    private final Set<Element> reached = new LinkedHashSet<>();
    private final Set<TypeElement> made = new LinkedHashSet<>();
    private final Set<TypeElement> imported = new LinkedHashSet<>();
    private final Deque<Element> waiting = new ArrayDeque<>();
    private final Names names;

    private Reach(Program program) {
        this.program = program;
        names = new Names(program.trees(), this::named);
    }

    /** All that the class {@code root} needs, including itself and all of its members. */
    static Reach ofClass(Program program, TreePath root) {
        Reach reach = new Reach(program);
        Element main = program.trees().getElement(root);
        reach.reached.add(main);
        reach.keepAll((TypeElement) main);
        reach.names.scan(root, null);
        reach.followAll();
        return reach;
    }

    /** All that the method {@code main} of the class {@code root} needs. */
    static Reach ofMain(Program program, TreePath root) {
        Reach reach = new Reach(program);
        Element main = program.trees().getElement(root);
        ElementFilter.methodsIn(main.getEnclosedElements()).stream()
            .filter(method -> method.getSimpleName().contentEquals("main")).forEach(reach::need);
        reach.followAll();
        return reach;
    }

    private void followAll() {
        do {
            while (!waiting.isEmpty()) {
                follow(waiting.remove());
            }
            keepWhatInstancesNeed();
        } while (!waiting.isEmpty());
    }

    boolean needs(Element element) {
        return reached.contains(element);
    }

    /** May there be instances of the class? Not if only static members of it are needed. */
    boolean isMade(TypeElement type) {
        return made.contains(type);
    }

    /** The classes of the JDK that must be imported. */
    Set<TypeElement> imported() {
        return imported;
    }

    private void keepAll(TypeElement type) {
        for (Element member : type.getEnclosedElements()) {
            if (reached.add(member) && member instanceof TypeElement) {
                keepAll((TypeElement) member);
            }
        }
    }

    /** Takes an element that an identifier or a call refers to. */
    private void named(Element element, boolean bySimpleName) {
        if (!isMember(element)) {
            return;
        }
        if (program.trees().getPath(element) == null) {
            if (bySimpleName && element instanceof TypeElement && needsImport(element)) {
                imported.add((TypeElement) element);
            }
        } else if (reached.add(element)) {
            waiting.add(element);
        }
    }

    private void need(Element element) {
        named(element, false);
    }

    private void follow(Element element) {
        if (element.getEnclosingElement() instanceof TypeElement) {
            need(element.getEnclosingElement());
        }
        TreePath path = program.trees().getPath(element);
        if (element instanceof TypeElement) {
            followClass((TypeElement) element, path);
        } else {
            names.scan(path, null);
        }
    }

    private void followClass(TypeElement type, TreePath path) {
        ClassTree tree = (ClassTree) path.getLeaf();
        scan(path, tree.getModifiers());
        scan(path, tree.getExtendsClause());
        tree.getImplementsClause().forEach(one -> scan(path, one));
        tree.getTypeParameters().forEach(one -> scan(path, one));
        for (Tree member : tree.getMembers()) {
            TreePath place = new TreePath(path, member);
            Element element = program.trees().getElement(place);
            if (member instanceof BlockTree) {
                names.scan(place, null);
            } else if (isKeptUnused(element, member)) {
                need(element);
            }
        }
    }

    private void scan(TreePath parent, Tree tree) {
        if (tree != null) {
            names.scan(new TreePath(parent, tree), null);
        }
    }

    /** Is a member kept even if nothing names it, because it runs with its class or marks it? */
    private static boolean isKeptUnused(Element member, Tree tree) {
        if (tree instanceof VariableTree) {
            ExpressionTree value = ((VariableTree) tree).getInitializer();
            return member.getKind() == ElementKind.ENUM_CONSTANT
                || member.getSimpleName().contentEquals("serialVersionUID")
                || member.getModifiers().contains(Modifier.STATIC) && value != null
                    && Effects.has(value);
        }
        if (!(member instanceof ExecutableElement)) {
            return false;
        }
        return member.getModifiers().contains(Modifier.ABSTRACT);
    }

    private void keepWhatInstancesNeed() {
        Set<TypeElement> needed = ElementFilter.typesIn(new LinkedHashSet<>(reached));
        Set<TypeElement> above = new LinkedHashSet<>();
        needed.forEach(type -> above.addAll(program.supertypes(type)));
        for (TypeElement type : needed) {
            boolean isAbove = above.contains(type);
            if (isAbove) {
                ElementFilter.constructorsIn(type.getEnclosedElements()).forEach(this::need);
            }
            if (isAbove || type.getKind() != ElementKind.CLASS || hasConstructor(type)) {
                made.add(type);
                keepWithInstances(type);
            }
        }
    }

    private boolean hasConstructor(TypeElement type) {
        return ElementFilter.constructorsIn(type.getEnclosedElements()).stream()
            .anyMatch(one -> reached.contains(one)
                || program.elements().getOrigin(one) != Elements.Origin.EXPLICIT);
    }

    private void keepWithInstances(TypeElement type) {
        for (Element member : type.getEnclosedElements()) {
            boolean runs = member instanceof ExecutableElement
                ? overrides((ExecutableElement) member, type)
                : member.getKind() == ElementKind.FIELD && hasEffects(member);
            if (runs) {
                need(member);
            }
        }
    }

    private boolean hasEffects(Element field) {
        Tree tree = program.trees().getTree(field);
        ExpressionTree value =
            tree instanceof VariableTree ? ((VariableTree) tree).getInitializer() : null;
        return value != null && Effects.has(value);
    }

    /** Does it override a method of the JDK, or one that is needed? */
    private boolean overrides(ExecutableElement method, TypeElement type) {
        for (TypeElement above : program.supertypes(type)) {
            for (ExecutableElement other : ElementFilter.methodsIn(above.getEnclosedElements())) {
                boolean matters =
                    program.trees().getPath(other) == null || reached.contains(other);
                if (matters && program.elements().overrides(method, other, type)) {
                    return true;
                }
            }
        }
        return false;
    }

    /** False for locals and for parts of local or anonymous classes: they stay with their code. */
    private static boolean isMember(Element element) {
        if (element == null) {
            return false;
        }
        if (element instanceof TypeElement) {
            NestingKind nesting = ((TypeElement) element).getNestingKind();
            return nesting == NestingKind.TOP_LEVEL
                || nesting == NestingKind.MEMBER && isMember(element.getEnclosingElement());
        }
        boolean isPart = element instanceof ExecutableElement || element.getKind().isField();
        return isPart && isMember(element.getEnclosingElement());
    }

    private boolean needsImport(Element element) {
        return element.getEnclosingElement().getKind() != ElementKind.PACKAGE
            || !program.elements().getPackageOf(element).getQualifiedName()
                .contentEquals("java.lang");
    }
}
