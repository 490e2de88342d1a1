package dev.downbeat.acceptance;

import static com.tngtech.archunit.core.domain.JavaCall.Predicates.target;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.type;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.nameMatching;
import static com.tngtech.archunit.core.domain.properties.HasOwner.Predicates.With.owner;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaMethodCall;
import java.io.IOException;
import java.nio.file.Files;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

/** Each question about a run is answered in one place; text is generated from the answers, never parsed. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class OneTruthTest {
    private static final String[] JUDGES_AND_VIEWS = {
        "dev.downbeat.verdict..",
        "dev.downbeat.analysis",
        "dev.downbeat.event",
        "dev.downbeat.compare",
        "dev.downbeat.capacity",
        "dev.downbeat.why",
        "dev.downbeat.report.data",
        "dev.downbeat.report.view..",
        "dev.downbeat.report.chart.."
    };

    /** These parse user input: an objective, and the prefix of a build's name. */
    private static final String PARSERS =
            "dev[.]downbeat[.](verdict[.]ServiceLevelObjective[$]SloParser|compare[.]History)";

    /** Factory methods, and the only classes that may call them. */
    private static final Map<String, Set<String>> CALLERS = Map.of(
            "Incidents.of", Set.of("Observations"),
            "ResponseBounds.of", Set.of("Observations"),
            "ResponseBounds.ofService", Set.of("Observations"),
            "Steadiness.of", Set.of("Observations"),
            "ResponseIntervals.of", Set.of("Observations"),
            "RunOutcome.of", Set.of("Analysis"));

    @Test
    void the_methods_that_ARCHITECTURE_names_exist() throws IOException {
        Matcher named = Pattern.compile("`([a-z.]+[.][A-Z]\\w+)[.]([a-z]\\w+)`")
                .matcher(Files.readString(Checkout.root().resolve("ARCHITECTURE.md")));
        Set<String> missing = new TreeSet<>();
        int count = 0;
        for (; named.find(); count++) {
            String method = named.group(2);
            String type = "dev.downbeat." + named.group(1);
            if (!OwnClasses.ALL.contain(type)
                    || OwnClasses.ALL.get(type).getMethods().stream()
                            .noneMatch(own -> own.getName().equals(method))) {
                missing.add(named.group());
            }
        }
        assertThat(missing).isEmpty();
        assertThat(count).isGreaterThan(10);
    }

    @Test
    void judging_and_presenting_parse_no_text() {
        noClasses()
                .that()
                .resideInAnyPackage(JUDGES_AND_VIEWS)
                .and()
                .haveNameNotMatching(PARSERS + "([$].*)?")
                .should()
                .callMethodWhere(target(owner(type(String.class)))
                        .and(target(nameMatching(
                                "startsWith|endsWith|indexOf|lastIndexOf|split|matches|contains|equalsIgnoreCase"))))
                .check(OwnClasses.ALL);
    }

    @Test
    void each_answer_is_made_in_one_place() {
        Map<String, Set<String>> callers = new TreeMap<>();
        CALLERS.keySet().forEach(method -> callers.put(method, new TreeSet<>()));
        for (JavaClass caller : OwnClasses.ALL) {
            for (JavaMethodCall call : caller.getMethodCallsFromSelf()) {
                String method = call.getTargetOwner().getSimpleName() + "." + call.getName();
                boolean isOther =
                        !caller.getName().startsWith(call.getTargetOwner().getName());
                if (isOther
                        && callers.containsKey(method)
                        && call.getTargetOwner()
                                .getPackageName()
                                .matches("dev[.]downbeat[.](event|verdict|verdict[.]bound|analysis)")) {
                    Set<String> names = callers.get(method);
                    names.add(caller.getSimpleName().isEmpty() ? caller.getName() : caller.getSimpleName());
                }
            }
        }
        assertThat(callers).isEqualTo(new TreeMap<>(CALLERS));
    }
}
