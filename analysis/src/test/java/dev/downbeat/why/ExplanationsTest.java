package dev.downbeat.why;

import static org.assertj.core.api.Assertions.assertThat;

import dev.downbeat.testing.Replications;
import dev.downbeat.testing.Simulated;
import dev.downbeat.why.SimulatedCauses.Injected;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What is named for what was done to a simulated service; the tables are in docs/statistics.md. */
@Simulated
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class ExplanationsTest {
    private static final int ALL = 100;
    private static final int SECONDS = 60;

    /** The kinds that were named in each of so many runs, slow ones beyond p99. */
    private static List<Set<EventKind>> named(Set<Injected> injected, boolean areHidden, int runs) {
        return LongStream.range(0, runs)
                .mapToObj(seed -> new SimulatedCauses(seed, SECONDS, injected, areHidden).seen())
                .map(seen -> Explanations.of(seen.result(), seen.watched()).get(0))
                .map(ExplanationsTest::kinds)
                .toList();
    }

    private static Set<EventKind> kinds(Explanation explanation) {
        double sum = explanation.unexplained();
        for (Cause cause : explanation.causes()) {
            sum += cause.share();
            assertThat(cause.shareLow()).isBetween(0.0, cause.share());
            assertThat(cause.shareHigh()).isBetween(cause.share(), 1.0);
            assertThat(cause.chance()).isLessThan(cause.share());
        }
        assertThat(sum).isBetween(1 - 1e-9, 1 + 1e-9);
        return explanation.causes().stream().map(Cause::kind).collect(Collectors.toSet());
    }

    @ParameterizedTest(name = "{0}")
    @EnumSource(Injected.class)
    void a_cause_is_named_and_no_other(Injected injected) {
        List<Set<EventKind>> named = named(EnumSet.of(injected), false, Replications.of(ALL, 2));
        long right = named.stream().filter(Set.of(injected.kind)::equals).count();
        assertThat(right).isGreaterThanOrEqualTo(Math.round(Math.floor(0.95 * named.size())) - 1);
    }

    @ParameterizedTest(name = "{0} while others happen")
    @EnumSource(Injected.class)
    void events_that_have_nothing_to_do_with_slow_requests_are_no_cause(Injected injected) {
        List<Set<EventKind>> named = named(EnumSet.of(injected), true, Replications.of(ALL, 2));
        long claims = named.stream().filter(kinds -> !kinds.isEmpty()).count();
        assertThat(claims).isLessThanOrEqualTo(Math.max(1, Math.round(0.05 * named.size())));
    }
}
