package dev.downbeat.junit;

import java.lang.annotation.Annotation;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.net.URI;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import java.util.stream.Stream;
import org.junit.jupiter.api.Disabled;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.platform.commons.support.AnnotationSupport;
import org.junit.platform.commons.support.HierarchyTraversalMode;
import org.junit.platform.commons.support.ReflectionSupport;

/**
 * An annotation of Downbeat's in a place where JUnit would ignore it. Immutable.
 *
 * @param sentence what is wrong, and what to do instead
 * @param method the method that carries it, unless it is on the class
 */
record Misuse(String sentence, Optional<Method> method) {
    private static final List<Class<? extends Annotation>> REPEATABLE = List.of(Slo.class);
    private static final List<Class<? extends Annotation>> OTHERS = List.of(Watch.class, Against.class);

    /** All misuses in a class and its methods, including inherited ones, without nested classes. */
    static List<Misuse> inWholeClass(Class<?> type) {
        List<Misuse> all = new ArrayList<>();
        try {
            if (isDisabled(type)) {
                return all;
            }
            of(type).forEach(sentence -> all.add(new Misuse(sentence, Optional.empty())));
            methods(type).forEach(method -> all.addAll(notDisabled(type, method)));
        } catch (LinkageError incomplete) {
            // a class with missing dependencies cannot be a load test
        }
        return all;
    }

    /** The misuses of one method, unless it is disabled. */
    static List<Misuse> notDisabled(Class<?> type, Method method) {
        return isDisabled(type) || AnnotationSupport.isAnnotated(method, Disabled.class)
                ? List.of()
                : ignored(type, method).stream()
                        .map(sentence -> new Misuse(sentence, Optional.of(method)))
                        .toList();
    }

    private static boolean isDisabled(Class<?> type) {
        return TestClasses.declaring(type).all().stream()
                .anyMatch(each -> AnnotationSupport.isAnnotated(each, Disabled.class));
    }

    private static List<Method> methods(Class<?> type) {
        return ReflectionSupport.findMethods(type, method -> !method.isSynthetic(), HierarchyTraversalMode.TOP_DOWN);
    }

    /** Nested classes that JUnit runs with it, or would run if annotated. */
    static List<Class<?>> nestedIn(Class<?> type) {
        try {
            return Arrays.stream(type.getDeclaredClasses())
                    .<Class<?>>map(inner -> inner)
                    .filter(inner -> AnnotationSupport.isAnnotated(inner, Nested.class) || isInner(inner))
                    .toList();
        } catch (LinkageError incomplete) {
            return List.of();
        }
    }

    private static List<String> of(Class<?> type) {
        return hasLoadTest(type, new HashSet<>())
                ? List.of()
                : annotationsOf(type).stream()
                        .map(annotation -> annotation + " on the class " + type.getSimpleName()
                                + " does nothing: it has no @LoadTest")
                        .toList();
    }

    /** Annotations of Downbeat's that configure a load test. */
    private static List<String> annotationsOf(AnnotatedElement element) {
        return Stream.concat(
                        REPEATABLE.stream()
                                .filter(each -> !AnnotationSupport.findRepeatableAnnotations(element, each)
                                        .isEmpty()),
                        OTHERS.stream().filter(each -> AnnotationSupport.isAnnotated(element, each)))
                .map(each -> "@" + each.getSimpleName())
                .toList();
    }

    /** A load test of its own, inherited, in a nested class, which may be inherited too, or in a subclass. */
    private static boolean hasLoadTest(Class<?> type, Set<Class<?>> seen) {
        return Modifier.isAbstract(type.getModifiers())
                || methods(type).stream().anyMatch(Misuse::isLoadTest)
                || Stream.<Class<?>>iterate(type, Objects::nonNull, Class::getSuperclass)
                        .flatMap(each -> Arrays.stream(each.getDeclaredClasses()))
                        .anyMatch(inner -> seen.add(inner) && hasLoadTest(inner, seen));
    }

    private static boolean isLoadTest(Method method) {
        return AnnotationSupport.isAnnotated(method, LoadTest.class);
    }

    /** The misuses of a method, one sentence each; empty if it has no annotation of Downbeat's. */
    static List<String> of(TestClasses classes, Method method) {
        Class<?> type = classes.innermost();
        List<String> sentences = new ArrayList<>(ignored(type, method));
        if (isLoadTest(method)) {
            sentences.addAll(ofRunnable(lead(type, method), classes, method));
        }
        return sentences;
    }

    /** Reasons why JUnit would not call the method, or not call Downbeat; load tests that run report other errors. */
    private static List<String> ignored(Class<?> type, Method method) {
        return isLoadTest(method)
                ? ofNonRunnable(lead(type, method), type, method)
                : annotationsOf(method).stream()
                        .map(annotation -> annotation + " on " + name(type, method)
                                + " does nothing without @LoadTest: nothing is measured")
                        .toList();
    }

    private static String lead(Class<?> type, Method method) {
        return "@LoadTest " + name(type, method) + ": ";
    }

    private static String name(Class<?> type, Method method) {
        return type.getSimpleName() + "." + method.getName();
    }

    /** The annotation of the method, otherwise of its class or an enclosing one. */
    static Optional<Against> against(TestClasses classes, Method method) {
        return Stream.concat(Stream.of(method), classes.all().stream())
                .flatMap(each -> AnnotationSupport.findAnnotation(each, Against.class).stream())
                .findFirst();
    }

    private static List<String> ofNonRunnable(String lead, Class<?> type, Method method) {
        List<String> sentences = new ArrayList<>();
        if (method.getReturnType() != void.class) {
            sentences.add(lead + "JUnit ignores a test method that returns a value: " + advice(method.getReturnType()));
        }
        for (String word : List.of("private", "static", "abstract")) {
            if (List.of(Modifier.toString(method.getModifiers()).split(" ")).contains(word)) {
                sentences.add(lead + "JUnit ignores a " + word + " method: remove that modifier");
            }
        }
        if (isInner(type)) {
            sentences.add(lead + "JUnit ignores an inner class without @Nested: add it");
        }
        return sentences;
    }

    private static List<String> ofRunnable(String lead, TestClasses classes, Method method) {
        List<String> sentences = new ArrayList<>();
        for (Class<? extends Annotation> other : List.of(Test.class, TestFactory.class)) {
            if (method.isAnnotationPresent(other)) {
                sentences.add(lead + "it is a @" + other.getSimpleName()
                        + " as well, which would call it once more: remove that");
            }
        }
        if (Arrays.stream(method.getParameterTypes())
                        .filter(Answer.class::equals)
                        .count()
                > 1) {
            sentences.add(lead + "it has more than one Answer parameter, but a call has only one answer");
        }
        if (against(classes, method).isPresent()
                && !List.of(method.getParameterTypes()).contains(URI.class)) {
            sentences.add(lead + "@Against needs a parameter of type java.net.URI: the service to call");
        }
        return sentences;
    }

    /** An inner class, which JUnit instantiates only if it is {@code @Nested}. */
    private static boolean isInner(Class<?> type) {
        return type.isMemberClass()
                && (type.getModifiers() & (Modifier.STATIC | Modifier.ABSTRACT)) == 0
                && !AnnotationSupport.isAnnotated(type, Nested.class);
    }

    private static String advice(Class<?> returned) {
        boolean isAsync = CompletionStage.class.isAssignableFrom(returned)
                || Flow.Publisher.class.isAssignableFrom(returned)
                || java.util.concurrent.Future.class.isAssignableFrom(returned)
                || hasPublisher(returned);
        return isAsync
                ? "add a parameter Answer answer, and call answer.of" + (hasPublisher(returned) ? "Publisher" : "")
                        + "(...)"
                : "return void";
    }

    /** Detected by name, because Reactive Streams is optional. */
    private static boolean hasPublisher(Class<?> type) {
        for (Class<?> each = type; each != null; each = each.getSuperclass()) {
            if (each.getName().equals("org.reactivestreams.Publisher")
                    || Arrays.stream(each.getInterfaces()).anyMatch(Misuse::hasPublisher)) {
                return true;
            }
        }
        return false;
    }
}
