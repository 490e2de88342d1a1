package dev.downbeat.junit;

import java.lang.annotation.Annotation;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.net.URI;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
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
 * What JUnit would pass over in silence: an annotation of ours where it does nothing. Immutable.
 *
 * @param sentence what is wrong, and what to do instead
 * @param method where it stands, unless it is on the class
 */
record Misuse(String sentence, Optional<Method> method) {
    private static final List<Class<? extends Annotation>> REPEATABLE = List.of(Slo.class);
    private static final List<Class<? extends Annotation>> OTHERS = List.of(Watch.class, Against.class);

    /** All that is wrong with a class and its methods, inherited ones too, without the classes nested in it. */
    static List<Misuse> inAllOf(Class<?> type) {
        List<Misuse> all = new ArrayList<>();
        try {
            if (isDisabled(type)) {
                return all;
            }
            of(type).forEach(sentence -> all.add(new Misuse(sentence, Optional.empty())));
            methods(type).forEach(method -> all.addAll(notDisabled(type, method)));
        } catch (LinkageError incomplete) {
            // a class without what it needs is nobody's load test
        }
        return all;
    }

    /** What is wrong with one method, unless nobody runs it. */
    static List<Misuse> notDisabled(Class<?> type, Method method) {
        return isDisabled(type) || AnnotationSupport.isAnnotated(method, Disabled.class)
                ? List.of()
                : passedOver(type, method).stream()
                        .map(sentence -> new Misuse(sentence, Optional.of(method)))
                        .toList();
    }

    private static boolean isDisabled(Class<?> type) {
        for (Class<?> each = type; each != null; each = each.getEnclosingClass()) {
            if (AnnotationSupport.isAnnotated(each, Disabled.class)) {
                return true;
            }
        }
        return false;
    }

    private static List<Method> methods(Class<?> type) {
        return ReflectionSupport.findMethods(type, method -> !method.isSynthetic(), HierarchyTraversalMode.TOP_DOWN);
    }

    /** Those within a class that JUnit runs with it, or would if somebody had said so. */
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

    /** What is wrong with a class as such. */
    private static List<String> of(Class<?> type) {
        return hasLoadTest(type)
                ? List.of()
                : heldBy(type).stream()
                        .map(held ->
                                held + " on the class " + type.getSimpleName() + " does nothing: it has no @LoadTest")
                        .toList();
    }

    /** Our annotations that say something of a load test. */
    private static List<String> heldBy(AnnotatedElement element) {
        return Stream.concat(
                        REPEATABLE.stream()
                                .filter(each -> !AnnotationSupport.findRepeatableAnnotations(element, each)
                                        .isEmpty()),
                        OTHERS.stream().filter(each -> AnnotationSupport.isAnnotated(element, each)))
                .map(each -> "@" + each.getSimpleName())
                .toList();
    }

    /** Its own or inherited, or of a class within it, or of one that extends it. */
    private static boolean hasLoadTest(Class<?> type) {
        return Modifier.isAbstract(type.getModifiers())
                || methods(type).stream().anyMatch(Misuse::isLoadTest)
                || Arrays.stream(type.getDeclaredClasses()).anyMatch(Misuse::hasLoadTest);
    }

    private static boolean isLoadTest(Method method) {
        return AnnotationSupport.isAnnotated(method, LoadTest.class);
    }

    /** What is wrong with a method, each in one sentence; nothing if it is none of ours. */
    static List<String> of(Class<?> type, Method method) {
        List<String> said = new ArrayList<>(passedOver(type, method));
        if (isLoadTest(method)) {
            said.addAll(ofOneThatRuns(who(type, method), type, method));
        }
        return said;
    }

    /** What keeps JUnit from calling it, or us from being called: a load test that does run says the rest itself. */
    private static List<String> passedOver(Class<?> type, Method method) {
        return isLoadTest(method)
                ? ofOneThatNeverRuns(who(type, method), type, method)
                : heldBy(method).stream()
                        .map(held -> held + " on " + name(type, method)
                                + " does nothing without @LoadTest: nothing is measured")
                        .toList();
    }

    private static String who(Class<?> type, Method method) {
        return "@LoadTest " + name(type, method) + ": ";
    }

    private static String name(Class<?> type, Method method) {
        return type.getSimpleName() + "." + method.getName();
    }

    /** That of the method, else of its class or one around it. */
    static Optional<Against> against(Class<?> type, Method method) {
        Optional<Against> found = AnnotationSupport.findAnnotation(method, Against.class);
        for (Class<?> each = type; found.isEmpty() && each != null; each = each.getEnclosingClass()) {
            found = AnnotationSupport.findAnnotation(each, Against.class);
        }
        return found;
    }

    private static List<String> ofOneThatNeverRuns(String who, Class<?> type, Method method) {
        List<String> said = new ArrayList<>();
        if (method.getReturnType() != void.class) {
            said.add(who + "JUnit runs no test method that returns something: " + insteadOf(method.getReturnType()));
        }
        for (String word : List.of("private", "static", "abstract")) {
            if (List.of(Modifier.toString(method.getModifiers()).split(" ")).contains(word)) {
                said.add(who + "JUnit runs no " + word + " method: remove the word");
            }
        }
        if (isInner(type)) {
            said.add(who + "JUnit runs no inner class without @Nested: add that");
        }
        return said;
    }

    private static List<String> ofOneThatRuns(String who, Class<?> type, Method method) {
        List<String> said = new ArrayList<>();
        for (Class<? extends Annotation> other : List.of(Test.class, TestFactory.class)) {
            if (method.isAnnotationPresent(other)) {
                said.add(who + "it is a @" + other.getSimpleName()
                        + " as well, which would call it once more: remove that");
            }
        }
        if (Arrays.stream(method.getParameterTypes())
                        .filter(Answer.class::equals)
                        .count()
                > 1) {
            said.add(who + "it takes more than one Answer, and a call has one");
        }
        if (against(type, method).isPresent()
                && !List.of(method.getParameterTypes()).contains(URI.class)) {
            said.add(who + "@Against needs a parameter of type java.net.URI: the service to call");
        }
        return said;
    }

    /** Bound to an instance of the class around it, which JUnit makes for {@code @Nested} ones only. */
    private static boolean isInner(Class<?> type) {
        return type.isMemberClass()
                && (type.getModifiers() & (Modifier.STATIC | Modifier.ABSTRACT)) == 0
                && !AnnotationSupport.isAnnotated(type, Nested.class);
    }

    private static String insteadOf(Class<?> returned) {
        boolean isLater = CompletionStage.class.isAssignableFrom(returned)
                || Flow.Publisher.class.isAssignableFrom(returned)
                || java.util.concurrent.Future.class.isAssignableFrom(returned)
                || hasPublisher(returned);
        return isLater
                ? "take a parameter Answer answer, and say answer.of" + (hasPublisher(returned) ? "Publisher" : "")
                        + "(...)"
                : "return void";
    }

    /** By name: Reactive Streams need not be there. */
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
