package dev.downbeat.gatling;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** A service stands still, by a real SIGSTOP, under three simulations as Gatling's users write them. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class ServerFreezeTest {
    private static final double TOLERANCE = 0.03;

    /** What the closed form leaves out: the service's own time on a busy machine. */
    private static final long ALLOWANCE_NANOS = 150_000_000;

    private static void isNear(long shownNanos, long mustNanos, String name) {
        double allowed = mustNanos * TOLERANCE + ALLOWANCE_NANOS;
        assertThat(Math.abs(shownNanos - mustNanos))
                .as(String.format(
                        Locale.ROOT, "%s was %.1f ms instead of %.1f ms", name, shownNanos / 1e6, mustNanos / 1e6))
                .isLessThan((long) allowed);
    }

    /** The closed form's percentile over requests that were due evenly. */
    private static long law(Freeze freeze, long[] dueAt, double percentile) {
        long[] responses =
                Arrays.stream(dueAt).map(freeze::leastResponseNanos).sorted().toArray();
        int rank = (int) Math.ceil(percentile / 100 * responses.length);
        return responses[Math.max(0, rank - 1)];
    }

    private static long response(Freeze freeze, double percentile) throws IOException {
        return freeze.run().responses().getValueAtPercentile(percentile);
    }

    @Nested
    @TestInstance(TestInstance.Lifecycle.PER_CLASS)
    @DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
    class Users_who_arrive_by_themselves {
        private static final int RATE = 80;
        private static final int SECONDS = 8;
        private Freeze freeze;
        private JsonNode json;

        @BeforeAll
        void run(@TempDir Path results) throws IOException {
            freeze = Freeze.of(
                    Simulations.Open.class,
                    results,
                    Map.of("test.rate", "" + RATE, "test.seconds", "" + SECONDS),
                    new Freeze.Plan(Duration.ofSeconds(2), Duration.ofMillis(2_500)));
            json = freeze.run().json();
        }

        private long[] dueAt() {
            long startAt = json.at("/started_monotonic_ns").longValue();
            long[] due = new long[RATE * SECONDS];
            for (int i = 0; i < due.length; i++) {
                due[i] = startAt + i * 1_000_000_000L / RATE;
            }
            return due;
        }

        @Test
        void all_are_counted_and_answered() throws IOException {
            assertThat(freeze.run().ledger("planned")).isEqualTo(RATE * SECONDS);
            assertThat(freeze.run().ledger("answered")).as(freeze.run().out()).isEqualTo(RATE * SECONDS);
            assertThat(freeze.run().addsUp()).isTrue();
            assertThat(freeze.run().gatling().count()).isEqualTo(RATE * SECONDS);
        }

        @Test
        void wait_as_the_closed_form_says() throws IOException {
            for (double percentile : new double[] {99, 100}) {
                isNear(response(freeze, percentile), law(freeze, dueAt(), percentile), "p" + percentile);
            }
            // Lower down stand those who came last and were behind 200 new connections when the service went on.
            assertThat(response(freeze, 90)).isBetween(law(freeze, dueAt(), 90), law(freeze, dueAt(), 90) * 3 / 2);
        }
    }

    @Nested
    @TestInstance(TestInstance.Lifecycle.PER_CLASS)
    @DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
    class Users_who_keep_a_pace {
        private static final int USERS = 10;
        private static final int SECONDS = 8;
        private static final long PACE_NANOS = 100_000_000;
        private Freeze freeze;
        private JsonNode json;

        @BeforeAll
        void run(@TempDir Path results) throws IOException {
            freeze = Freeze.of(
                    Simulations.Paced.class,
                    results,
                    Map.of("test.users", "" + USERS, "test.seconds", "" + SECONDS),
                    new Freeze.Plan(Duration.ofMillis(2_500), Duration.ofMillis(2_500)));
            json = freeze.run().json();
        }

        /** Gatling spreads the users over the first second. */
        private long[] dueAt() {
            long startAt = json.at("/started_monotonic_ns").longValue();
            long[] due = new long[(int) (USERS * SECONDS * 1_000_000_000L / PACE_NANOS)];
            int perUser = due.length / USERS;
            for (int i = 0; i < due.length; i++) {
                due[i] = startAt + i / perUser * 100_000_000L + i % perUser * PACE_NANOS;
            }
            return due;
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
        void wait_as_the_closed_form_says() throws IOException {
            isNear(response(freeze, 99), law(freeze, dueAt(), 99), "p99");
            isNear(response(freeze, 100), law(freeze, dueAt(), 100), "max");
        }

        @Test
        void wait_much_longer_than_Gatling_says() throws IOException {
            long gatlingNanos = freeze.run().gatlingMillis(95) * 1_000_000;
            assertThat(law(freeze, dueAt(), 95)).isGreaterThan(5 * gatlingNanos);
            assertThat(response(freeze, 99)).isGreaterThan(5 * gatlingNanos);
        }
    }

    @Nested
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
                    Map.of("test.users", "5", "test.seconds", "4"),
                    untilTheEnd);
        }

        @Test
        void has_what_was_on_its_way_in_the_ledger() throws IOException {
            assertThat(open.run().addsUp()).isTrue();
            assertThat(open.run().ledger("planned")).isBetween(3L * RATE, 4L * RATE);
            assertThat(open.run().ledger("in_flight")).isGreaterThan(RATE);
            assertThat(open.run().ledger("planned"))
                    .isEqualTo(open.run().ledger("answered")
                            + open.run().ledger("in_flight")
                            + open.run().ledger("never_sent"));
        }

        @Test
        void passes_by_assertions_of_Gatlings_that_never_saw_those_requests() throws IOException {
            assertThat(open.run().exitCode()).isZero();
            assertThat(open.run().gatling().count()).isLessThan(open.run().ledger("planned") * 2 / 3);
        }

        @Test
        void says_that_its_times_are_at_least_those() throws IOException {
            JsonNode json = open.run().json();
            assertThat(json.at("/censored/count").longValue())
                    .isEqualTo(open.run().ledger("in_flight") + open.run().ledger("never_sent"));
            assertThat(json.at("/censored/lower_bound/max_ns").longValue()).isGreaterThan(1_000_000_000L);
        }

        @Test
        void has_the_iterations_that_nobody_came_to_as_never_sent() throws IOException {
            assertThat(paced.run().addsUp()).isTrue();
            assertThat(paced.run().ledger("in_flight")).isEqualTo(5);
            // 5 users, a beat each 100 ms, at least 1 s of freeze before the end
            assertThat(paced.run().ledger("never_sent")).isGreaterThan(5 * 9);
            assertThat(paced.run().json().at("/verdict/measurement").textValue())
                    .isEqualTo("unsound");
        }
    }
}
