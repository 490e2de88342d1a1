package dev.downbeat.junit;

import dev.downbeat.report.file.EntryPoint;
import dev.downbeat.report.file.FileNames;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * The file name of a load test, from its class, method and invocation number, and never from a display name, which may
 * change. Unique, even on case-insensitive file systems. Immutable.
 *
 * @param shown the name in messages, such as {@code OrdersIT.places_orders}, {@code OrdersIT.places_orders[2]}
 * @param classes the class, preceded by those that inherit it as a nested one
 * @param method the method, {@code places_orders}
 * @param file without an extension: legible, short enough for any file system, and ending in a hash
 */
record TestName(String shown, List<String> classes, String method, String file) {
    private static final Pattern OF_CLASS = Pattern.compile("\\[class-template-invocation:#(\\d+)]");
    private static final Pattern OF_CLASS_OR_METHOD = Pattern.compile("\\[(?:test|class)-template-invocation:#(\\d+)]");

    /** The classes that Maven's Failsafe runs, not Surefire. */
    private static final Pattern OF_FAILSAFE = Pattern.compile("(?:.*[.$])?(?:IT[^.$]*|[^.$]*IT|[^.$]*ITCase)");

    /**
     * The name of a test execution.
     *
     * @param isRepeated whether it is one of several invocations of its method; an invocation of its class is always
     *     detected
     */
    static TestName of(ExtensionContext context, TestClasses tested, boolean isRepeated) {
        List<Class<?>> types = new ArrayList<>(tested.heirs());
        Collections.reverse(types);
        types.add(tested.innermost());
        List<String> classes = types.stream().map(Class::getName).toList();
        String type = String.join(".", classes);
        Method method = context.getRequiredTestMethod();
        String index = invocations(isRepeated ? OF_CLASS_OR_METHOD : OF_CLASS, context.getUniqueId());
        String legible = type + "." + method.getName() + index.replace(',', '.');
        String whole = type + "." + method.getName()
                + Arrays.stream(method.getParameterTypes())
                        .map(Class::getName)
                        .collect(Collectors.joining(",", "(", ")"))
                + index;
        return new TestName(
                types.stream().map(Class::getSimpleName).collect(Collectors.joining(".")) + "." + method.getName()
                        + (index.isEmpty() ? "" : "[" + index.substring(1) + "]"),
                classes,
                method.getName(),
                FileNames.of(legible.replaceAll("[^A-Za-z0-9._$-]+", "_"), whole));
    }

    /** The class and the method, {@code com.acme.OrdersIT#places_orders}. */
    String measured() {
        return String.join(".", classes) + "#" + method;
    }

    /** The command that runs this test alone. An inherited class is selected together with the one that JUnit runs. */
    List<String> command() {
        String selected = classes.stream().map(type -> type + "#" + method).collect(Collectors.joining(","));
        List<String> ofMaven = OF_FAILSAFE.matcher(classes.get(0)).matches()
                ? List.of("mvn", "verify", "-Dit.test=" + selected)
                : List.of("mvn", "test", "-Dtest=" + selected);
        List<String> ofGradle = new ArrayList<>(List.of("gradle", "test"));
        classes.forEach(type -> ofGradle.addAll(List.of("--tests", type + "." + method)));
        return EntryPoint.command(ofMaven, ofGradle);
    }

    /** The invocation numbers, each preceded by a comma, including those of enclosing classes. */
    private static String invocations(Pattern pattern, String uniqueId) {
        StringBuilder all = new StringBuilder();
        Matcher found = pattern.matcher(uniqueId);
        while (found.find()) {
            all.append(',').append(found.group(1));
        }
        return all.toString();
    }
}
