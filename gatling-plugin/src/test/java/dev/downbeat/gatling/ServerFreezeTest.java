package dev.downbeat.gatling;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.downbeat.testing.Timing;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.ClassOrderer;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestClassOrder;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** A service stalls, by a real SIGSTOP, under three simulations as Gatling's users write them. */
@Timing
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
@TestClassOrder(ClassOrderer.OrderAnnotation.class)
class ServerFreezeTest {
    private static final double TOLERANCE = 0.03;
    private static final double[] PERCENTILES = {75, 95, 99, 100};
    private static final Duration STANDSTILL = Duration.ofSeconds(5);
    private static final long SECOND = 1_000_000_000L;

    /**
     * Every percentile is the law's, to 3 %, as far as the instants of the freeze are known and as long as the generator
     * itself was not paused, which a busy machine makes it do and its own health tells. So many requests are due in the
     * freeze that the lowest of the percentiles is a wait too; and so few that the service is soon through with them.
     */
    private static void waitAsTheLawSays(Freeze freeze, long[] dueAt) throws IOException {
        Standstill still = freeze.still();
        long[] law = still.waitsWithDrain(dueAt);
        long doubtNanos = still.doubtNanos()
                + freeze.run().json().at("/health/largest_hiccup_ns").longValue();
        for (double percentile : PERCENTILES) {
            long mustNanos = Standstill.percentile(law, percentile);
            long isNanos = freeze.run().responses().getValueAtPercentile(percentile);
            assertThat(mustNanos).as("p%s of the law", percentile).isGreaterThan(2 * SECOND);
            assertThat(Math.abs(isNanos - mustNanos))
                    .as(
                            "p%s was %.1f ms instead of %.1f ms, after a drain of %.1f ms",
                            percentile, isNanos / 1e6, mustNanos / 1e6, still.drainNanos(dueAt) / 1e6)
                    .isLessThan((long) (mustNanos * TOLERANCE) + doubtNanos);
        }
    }

    private static long startAt(Freeze freeze) throws IOException {
        return freeze.run().json().at("/started_monotonic_ns").longValue();
    }

    @Nested
    @TestInstance(TestInstance.Lifecycle.PER_CLASS)
    @DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
    class Users_who_arrive_by_themselves {
        private static final int RATE = 20;
        private static final int SECONDS = 7;
        private Freeze freeze;

        @BeforeAll
        void run(@TempDir Path results) throws IOException {
            freeze = Freeze.of(
                    Simulations.Open.class,
                    results,
                    Map.of("test.rate", "" + RATE, "test.seconds", "" + SECONDS),
                    new Freeze.Plan(Duration.ofMillis(1_200), STANDSTILL));
        }

        @Test
        void all_are_counted_and_answered() throws IOException {
            assertThat(freeze.run().ledger("planned")).isEqualTo(RATE * SECONDS);
            assertThat(freeze.run().ledger("answered")).as(freeze.run().out()).isEqualTo(RATE * SECONDS);
            assertThat(freeze.run().addsUp()).isTrue();
            assertThat(freeze.run().gatling().count()).isEqualTo(RATE * SECONDS);
        }

        @Test
        void wait_as_theory_predicts() throws IOException {
            waitAsTheLawSays(freeze, Plans.open(startAt(freeze), RATE, SECONDS));
        }

        /** Begin and length to 5 %, as far as the instants of the freeze are known. */
        @Test
        void see_one_stall_of_the_service() throws IOException {
            List<JsonNode> stalls = new ArrayList<>();
            freeze.run().json().at("/incidents").forEach(incident -> {
                if (incident.at("/cause").textValue().equals("service_stall")) {
                    stalls.add(incident);
                }
            });
            assertThat(stalls).hasSize(1);
            long doubtNanos = freeze.still().doubtNanos() + STANDSTILL.toNanos() / 20;
            long frozenNanos = freeze.still().frozenAt() - startAt(freeze);
            long lengthNanos = freeze.still().resumedAt() - freeze.still().frozenAt();
            assertThat(stalls.get(0).at("/start_ns").longValue())
                    .isBetween(frozenNanos - doubtNanos, frozenNanos + doubtNanos);
            assertThat(stalls.get(0).at("/length_ns").longValue())
                    .isBetween(lengthNanos - doubtNanos, lengthNanos + doubtNanos);
        }
    }

    @Nested
    @TestInstance(TestInstance.Lifecycle.PER_CLASS)
    @DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
    class Users_who_keep_a_pace {
        private static final int USERS = 10;
        private static final int SECONDS = 8;
        private static final long PACE_NANOS = SECOND / 2;
        private Freeze freeze;

        @BeforeAll
        void run(@TempDir Path results) throws IOException {
            freeze = Freeze.of(
                    Simulations.Paced.class,
                    results,
                    Map.of("test.users", "" + USERS, "test.seconds", "" + SECONDS, "test.pace", "500"),
                    new Freeze.Plan(Duration.ofMillis(1_200), STANDSTILL));
        }

        private long[] dueAt() throws IOException {
            return Plans.paced(startAt(freeze), USERS, SECONDS, PACE_NANOS);
        }

        /** Of the beats in the freeze a user of Gatling's makes the first, which waits, and the last, once it is answered. */
        @Test
        void are_reported_by_Gatlings_own_pace_too() throws IOException {
            List<Long> gatlings = freeze.run().byGatlingsPace();
            long beats = (freeze.still().resumedAt() - freeze.still().frozenAt()) / PACE_NANOS;
            assertThat(freeze.run().ledger("planned") - gatlings.get(0))
                    .isBetween(USERS * (beats - 3), USERS * (beats + 1));
            assertThat(gatlings.get(6)).as("p50, ns").isLessThan(PACE_NANOS);
            assertThat(freeze.run().responses().getValueAtPercentile(50)).isGreaterThan(PACE_NANOS);
            assertThat(freeze.run().out()).contains("Paces side by side", "as planned (catchUp)");
        }

        @Test
        void make_every_iteration_that_was_planned() throws IOException {
            assertThat(freeze.run().addsUp()).isTrue();
            // on a busy machine a user's last iteration may outlast its loop
            assertThat(freeze.run().ledger("never_sent")).isLessThan(USERS);
            // one more for each user, if it is in time for the last moment of its loop
            assertThat(freeze.run().ledger("planned"))
                    .isBetween((long) dueAt().length, (long) dueAt().length + 2 * USERS);
        }

        @Test
        void wait_as_theory_predicts() throws IOException {
            waitAsTheLawSays(freeze, dueAt());
        }

        @Test
        void wait_much_longer_than_Gatling_says() throws IOException {
            assertThat(Standstill.percentile(freeze.still().waits(dueAt()), 90))
                    .isGreaterThan(5 * freeze.run().gatlingMillis(90) * 1_000_000);
        }
    }

    @Nested
    @TestInstance(TestInstance.Lifecycle.PER_CLASS)
    @DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
    class Users_who_think_after_each_answer {
        private static final int USERS = 40;
        private static final int SECONDS = 7;
        private Freeze freeze;

        @BeforeAll
        void run(@TempDir Path results) throws IOException {
            freeze = Freeze.of(
                    Simulations.Closed.class,
                    results,
                    Map.of("test.users", "" + USERS, "test.seconds", "" + SECONDS, "test.pause", "1000"),
                    new Freeze.Plan(Duration.ofMillis(1_200), STANDSTILL));
        }

        @Test
        void wait_as_theory_predicts() throws IOException {
            assertThat(freeze.run().addsUp()).isTrue();
            waitAsTheLawSays(freeze, Plans.closed(startAt(freeze), USERS, SECONDS, SECOND, freeze.still()));
        }
    }

    /** First, since a cold JVM does it no harm. */
    @Nested
    @Order(1)
    @TestInstance(TestInstance.Lifecycle.PER_CLASS)
    @DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
    class A_run_that_is_cut_off_in_the_freeze {
        private static final int RATE = 50;
        private Freeze open;
        private Freeze paced;

        @BeforeAll
        void run(@TempDir Path results) throws IOException {
            Freeze.Plan untilTheEnd = new Freeze.Plan(Duration.ofMillis(1_500), Duration.ofMillis(3_500));
            open = Freeze.of(
                    Simulations.OpenCutOff.class,
                    results.resolve("open"),
                    Map.of("test.rate", "" + RATE, "test.seconds", "3"),
                    untilTheEnd);
            paced = Freeze.of(
                    Simulations.PacedCutOff.class,
                    results.resolve("paced"),
                    Map.of("test.users", "5", "test.seconds", "3"),
                    untilTheEnd);
        }

        @Test
        void has_what_was_on_its_way_in_the_ledger() throws IOException {
            assertThat(open.run().addsUp()).isTrue();
            assertThat(open.run().ledger("planned")).isBetween(2L * RATE, 6L * RATE);
            assertThat(open.run().ledger("in_flight")).isGreaterThan(RATE / 5);
            assertThat(open.run().ledger("planned"))
                    .isEqualTo(open.run().ledger("answered")
                            + open.run().ledger("in_flight")
                            + open.run().ledger("never_sent"));
        }

        @Test
        void passes_by_assertions_of_Gatlings_that_never_saw_those_requests() throws IOException {
            assertThat(open.run().exitCode()).isZero();
            assertThat(open.run().gatling().count()).isEqualTo(open.run().ledger("answered"));
        }

        @Test
        void says_that_its_times_are_at_least_those() throws IOException {
            JsonNode json = open.run().json();
            assertThat(json.at("/censored/count").longValue())
                    .isEqualTo(open.run().ledger("in_flight") + open.run().ledger("never_sent"));
            assertThat(json.at("/censored/lower_bound/max_ns").longValue()).isGreaterThan(SECOND / 2);
        }

        @Test
        void counts_iterations_without_a_user_as_never_sent() throws IOException {
            assertThat(paced.run().addsUp()).isTrue();
            assertThat(paced.run().ledger("in_flight")).isEqualTo(5);
            // 5 users, a beat each 100 ms, at least half a second of freeze before the end
            assertThat(paced.run().ledger("never_sent")).isGreaterThan(5 * 4);
        }
    }
}
