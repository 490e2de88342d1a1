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
 * Classes that know each other in a circle can only be understood, tested and moved together: so there are none but those
 * listed here, each for a reason. A class and those nested in it are one.
 */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class ClassCirclesTest {
    /** Room, and who is in the circle. */
    private static final List<String> ALLOWED = List.of(
            // An annotation names its extension, whose parts read the annotation.
            "junit LoadTest LoadTestExtension LoadTestRun LoadTestSettings Misuse",
            // The run ends its populations and users, which ask it for the journal; its results are those of what it
            // saw.
            "gatling.correction CorrectedPopulation CorrectedRun RunReporter RunWatch UserTiming");

    @Test
    void there_are_no_circles_of_classes_but_those_with_a_reason() {
        Map<String, Set<String>> known = new TreeMap<>();
        for (JavaClass type : OwnClasses.ALL) {
            Set<String> targets = known.computeIfAbsent(outermost(type), name -> new TreeSet<>());
            type.getDirectDependenciesFromSelf()
                    .forEach(dependency -> targets.add(outermost(dependency.getTargetClass())));
        }
        assertThat(new Circles(known).found())
                .as("a circle that became smaller is listed as it is now, so that it cannot grow back")
                .containsExactlyInAnyOrderElementsOf(ALLOWED);
    }

    private static String outermost(JavaClass type) {
        JavaClass base = type.getBaseComponentType();
        return base.getEnclosingClass().map(ClassCirclesTest::outermost).orElse(base.getName());
    }

    /** The strongly connected components of more than one node, by Tarjan's algorithm. */
    private static final class Circles {
        private final Map<String, Set<String>> known;
        private final Map<String, Integer> order = new HashMap<>();
        private final Map<String, Integer> lowest = new HashMap<>();
        private final Deque<String> open = new ArrayDeque<>();
        private final List<String> found = new ArrayList<>();

        Circles(Map<String, Set<String>> known) {
            this.known = known;
        }

        List<String> found() {
            for (String name : known.keySet()) {
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
            for (String target : known.get(name)) {
                if (!known.containsKey(target)) {
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
            Set<String> circle = new TreeSet<>();
            String name;
            do {
                name = open.pop();
                circle.add(name);
            } while (!name.equals(root));
            if (circle.size() > 1) {
                found.add(text(circle));
            }
        }

        private static String text(Collection<String> circle) {
            String first = circle.iterator().next();
            String room = first.substring("dev.downbeat.".length(), first.lastIndexOf('.'));
            return room
                    + circle.stream()
                            .map(name -> " " + name.substring(name.lastIndexOf('.') + 1))
                            .reduce("", String::concat);
        }
    }
}
