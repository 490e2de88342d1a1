package dev.downbeat.junit;

import java.lang.annotation.Annotation;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.net.URI;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.platform.commons.support.AnnotationSupport;

/** What JUnit would pass over in silence: annotations of ours where they do nothing. Pure functions. */
final class Misuse {
    private Misuse() {}

    /** Whether there is anything to be said about a class or those nested in it. */
    static boolean isIn(Class<?> type) {
        return !of(type).isEmpty()
                || Arrays.stream(type.getDeclaredMethods())
                        .anyMatch(method -> !of(type, method).isEmpty());
    }

    /** What is wrong with a class as such. */
    static List<String> of(Class<?> type) {
        if (hasLoadTest(type)) {
            return List.of();
        }
        List<String> said = new ArrayList<>();
        for (String held : heldBy(type)) {
            said.add(held + " on the class " + type.getSimpleName() + " does nothing: it has no @LoadTest");
        }
        return said;
    }

    /** Our annotations that say something of a load test. */
    private static List<String> heldBy(AnnotatedElement element) {
        List<String> held = new ArrayList<>();
        if (!AnnotationSupport.findRepeatableAnnotations(element, Slo.class).isEmpty()) {
            held.add("@Slo");
        }
        if (AnnotationSupport.isAnnotated(element, Watch.class)) {
            held.add("@Watch");
        }
        return held;
    }

    /** Its own or inherited, or of a class within it, or of one that extends it. */
    private static boolean hasLoadTest(Class<?> type) {
        if (Modifier.isAbstract(type.getModifiers())) {
            return true;
        }
        for (Class<?> each = type; each != null; each = each.getSuperclass()) {
            List<Method> methods = new ArrayList<>(List.of(each.getDeclaredMethods()));
            Arrays.stream(each.getInterfaces()).forEach(face -> methods.addAll(List.of(face.getMethods())));
            if (methods.stream().anyMatch(Misuse::isLoadTest)) {
                return true;
            }
        }
        return Arrays.stream(type.getDeclaredClasses())
                .filter(inner -> AnnotationSupport.isAnnotated(inner, Nested.class))
                .anyMatch(Misuse::hasLoadTest);
    }

    private static boolean isLoadTest(Method method) {
        return AnnotationSupport.isAnnotated(method, LoadTest.class);
    }

    /** What is wrong with a method, each in one sentence; nothing if it is none of ours. */
    static List<String> of(Class<?> type, Method method) {
        String name = type.getSimpleName() + "." + method.getName();
        if (method.isSynthetic()) {
            return List.of();
        }
        if (!isLoadTest(method)) {
            return heldBy(method).stream()
                    .map(held -> held + " on " + name + " does nothing without @LoadTest: nothing is measured")
                    .toList();
        }
        return ofLoadTest("@LoadTest " + name + ": ", method);
    }

    private static List<String> ofLoadTest(String who, Method method) {
        List<String> said = new ArrayList<>();
        if (method.getReturnType() != void.class) {
            said.add(who + "JUnit runs no test method that returns something: " + insteadOf(method.getReturnType()));
        }
        for (String word : List.of("private", "static", "abstract")) {
            if (List.of(Modifier.toString(method.getModifiers()).split(" ")).contains(word)) {
                said.add(who + "JUnit runs no " + word + " method: remove the word");
            }
        }
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
        boolean isAgainst = AnnotationSupport.isAnnotated(method, Against.class);
        if (isAgainst && !List.of(method.getParameterTypes()).contains(URI.class)) {
            said.add(who + "@Against needs a parameter of type java.net.URI: the service to call");
        }
        return said;
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
