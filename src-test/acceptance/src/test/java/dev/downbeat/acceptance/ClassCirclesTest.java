package dev.downbeat.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

/**
 * Classes in a dependency cycle can only be understood, tested and moved together. So there are no cycles except those listed
 * here, each with its reason. A class and its nested classes count as one.
 */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class ClassCirclesTest {
    /** Package, and the classes of the cycle. */
    private static final List<String> ALLOWED = List.of(
            // An annotation names its extension, whose parts read the annotation.
            "junit LoadTest LoadTestExtension LoadTestRun LoadTestSettings Misuse",
            // The run ends its populations and users, which use its journal and report to it.
            "gatling.correction CorrectedPopulation CorrectedRun RunReporter RunWatch UserTiming");

    @Test
    void only_listed_dependency_cycles_exist() {
        Map<String, Set<String>> dependencies = new TreeMap<>();
        for (JavaClass type : OwnClasses.ALL) {
            Set<String> targets = dependencies.computeIfAbsent(outermost(type), name -> new TreeSet<>());
            type.getDirectDependenciesFromSelf()
                    .forEach(dependency -> targets.add(outermost(dependency.getTargetClass())));
        }
        assertThat(new Cycles(dependencies).found())
                .as("a cycle that became smaller must be listed as it is now, so that it cannot grow back")
                .containsExactlyInAnyOrderElementsOf(ALLOWED);
    }

    private static String outermost(JavaClass type) {
        JavaClass base = type.getBaseComponentType();
        return base.getEnclosingClass().map(ClassCirclesTest::outermost).orElse(base.getName());
    }

    /** The strongly connected components of more than one node, by Tarjan's algorithm. */
    private static final class Cycles {
        private final Map<String, Set<String>> dependencies;
        private final Map<String, Integer> order = new HashMap<>();
        private final Map<String, Integer> lowest = new HashMap<>();
        private final Deque<String> open = new ArrayDeque<>();
        private final List<String> found = new ArrayList<>();

        Cycles(Map<String, Set<String>> dependencies) {
            this.dependencies = dependencies;
        }

        List<String> found() {
            for (String name : dependencies.keySet()) {
                if (!order.containsKey(name)) {
                    visit(name);
                }
            }
            return found;
        }

        private void visit(String name) {
            order.put(name, order.size());
            lowest.put(name, order.get(name));
            open.push(name);
            for (String target : dependencies.get(name)) {
                if (!dependencies.containsKey(target)) {
                    continue;
                }
                if (!order.containsKey(target)) {
                    visit(target);
                    lowest.merge(name, lowest.get(target), Math::min);
                } else if (open.contains(target)) {
                    lowest.merge(name, order.get(target), Math::min);
                }
            }
            if (lowest.get(name).equals(order.get(name))) {
                close(name);
            }
        }

        private void close(String root) {
            Set<String> cycle = new TreeSet<>();
            String name;
            do {
                name = open.pop();
                cycle.add(name);
            } while (!name.equals(root));
            if (cycle.size() > 1) {
                found.add(text(cycle));
            }
        }

        private static String text(Collection<String> cycle) {
            String first = cycle.iterator().next();
            String packageName = first.substring("dev.downbeat.".length(), first.lastIndexOf('.'));
            return packageName
                    + cycle.stream()
                            .map(name -> " " + name.substring(name.lastIndexOf('.') + 1))
                            .reduce("", String::concat);
        }
    }
}
