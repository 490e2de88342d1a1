package dev.downbeat.run;

import static dev.downbeat.run.VirtualRun.MILLI;
import static dev.downbeat.run.VirtualRun.SECOND;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.downbeat.arrival.Constant;
import dev.downbeat.arrival.Poisson;
import dev.downbeat.arrival.Rate;
import dev.downbeat.record.Ledger;
import dev.downbeat.record.Recording;
import dev.downbeat.testing.Replications;
import java.time.Duration;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Sessions that arrive openly: each wants its next request a think time after the end of the one before. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class SessionLoadTest {
    private static final long THINK = 50 * MILLI;

    /** Ten sessions a second for 10 s. */
    private static RunPlan.Builder sessions(int requests) {
        return RunPlan.builder(new Workload.PartlyOpen(
                        new Constant(Rate.perSecond(10)), requests, new ThinkTime.Constant(THINK)))
                .maxRequests(100L * requests)
                .timeout(Duration.ofSeconds(1));
    }

    private static Recording named(RunResult result, String name) {
        return result.recording().named(name);
    }

    @Test
    void a_slow_request_is_not_charged_to_the_next_one() {
        RunResult result = new VirtualRun(sessions(2).build())
                .names("slow", "fast")
                .service(index -> index % 2 == 0 ? 200 * MILLI : MILLI)
                .result();

        assertThat(named(result, "slow").response().minNanos()).isCloseTo(200 * MILLI, within(2 * MILLI));
        assertThat(named(result, "fast").response().maxNanos()).isBetween(MILLI, 3 * MILLI);
        Recording whole = named(result, Recording.SESSION);
        assertThat(whole.response().minNanos()).as("both and the pause").isCloseTo(251 * MILLI, within(2 * MILLI));
        assertThat(whole.response().maxNanos()).isCloseTo(251 * MILLI, within(2 * MILLI));
    }

    @Test
    void after_a_timeout_the_session_thinks_and_goes_on() {
        RunResult result = new VirtualRun(sessions(2).build())
                .names("lost", "fast")
                .service(index -> index % 2 == 0 ? 9 * SECOND : MILLI)
                .servers(1_000)
                .slots(1_000)
                .result();

        assertThat(named(result, "lost").ledger()).isEqualTo(new Ledger(100, 0, 0, 100, 0, 0, 0));
        assertThat(named(result, "fast").ledger()).isEqualTo(new Ledger(100, 100, 0, 0, 0, 0, 0));
        assertThat(named(result, "fast").response().maxNanos()).isBetween(MILLI, 3 * MILLI);
        assertThat(named(result, Recording.SESSION).failed().minNanos()).isCloseTo(1_051 * MILLI, within(2 * MILLI));
    }

    /** One slot: those that time out behind the first one were never sent, and their sessions go on all the same. */
    @Test
    void after_a_timeout_without_a_slot_too() {
        RunResult result = new VirtualRun(sessions(2).build())
                .names("lost", "fast")
                .slots(1)
                .service(index -> index == 0 ? 9 * SECOND : MILLI)
                .result();

        Ledger lost = named(result, "lost").ledger();
        assertThat(lost.timedOut()).isPositive();
        assertThat(result.ledger()).isEqualTo(new Ledger(200, 200 - lost.timedOut(), 0, lost.timedOut(), 0, 0, 0));
        assertThat(named(result, "fast").response().maxNanos()).isLessThan(20 * MILLI);
    }

    /** From 5 s on nothing is answered: who waits then, or comes later, never means to send a second request. */
    @Test
    void nothing_follows_a_request_that_never_ended() {
        RunResult result = new VirtualRun(sessions(3)
                        .timeout(Duration.ofMinutes(1))
                        .duration(Duration.ofSeconds(10))
                        .drain(Duration.ofSeconds(1))
                        .build())
                .names("first", "second", "third")
                .slots(20)
                .trouble(lane -> lane.freeze(5 * SECOND, 3_600 * SECOND))
                .result();

        assertThat(named(result, "first").ledger().planned()).as("the arrivals").isEqualTo(100);
        assertThat(named(result, "second").ledger().planned()).isEqualTo(50);
        assertThat(named(result, "third").ledger().planned()).isEqualTo(50);
        assertThat(result.ledger().inFlight()).isEqualTo(20);
        assertThat(result.ledger().neverSent()).isEqualTo(31);
        assertThat(named(result, Recording.SESSION).ledger().planned()).isEqualTo(100);
    }

    static LongStream seeds() {
        return LongStream.range(0, Replications.of(40, 10));
    }

    /** Nothing in a session is counted twice, whether it waits for the service, for a slot or for us. */
    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void the_requests_of_a_session_and_its_pauses_add_up_to_it(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        int requests = 2 + random.nextInt(3);
        Workload load = new Workload.PartlyOpen(
                new Poisson(Rate.perSecond(5 + random.nextInt(20)), seed), requests, new ThinkTime.Constant(THINK));
        long stillAt = random.nextInt(5_000) * MILLI;
        RunResult result = new VirtualRun(RunPlan.builder(load)
                        .maxRequests(100L * requests)
                        .timeout(Duration.ofMillis(100 + random.nextInt(900)))
                        .build())
                .names("a", "b", "c", "d")
                .slots(1 + random.nextInt(20))
                .servers(1 + random.nextInt(20))
                .service(index -> index * 7919 % 400 * MILLI)
                .trouble(lane -> lane.standStillOurselves(stillAt, stillAt + random.nextInt(500) * MILLI))
                .result();

        Recording whole = named(result, Recording.SESSION);
        assertThat(result.ledger().planned()).isEqualTo(100L * requests);
        assertThat(whole.ledger().planned()).isEqualTo(100);
        assertThat(whole.ledger().answered() + whole.ledger().failed()).isEqualTo(100);
        double seconds = result.recording().byName().entrySet().stream()
                .filter(name -> !name.getKey().equals(Recording.SESSION))
                .mapToDouble(name -> seconds(name.getValue()))
                .sum();
        assertThat(seconds + 100 * (requests - 1) * THINK / 1e9)
                .isCloseTo(seconds(whole), within(0.01 * seconds(whole)));
    }

    private static double seconds(Recording recording) {
        return (recording.response().sumNanos()
                        + recording.failed().sumNanos()
                        + recording.censored().sumNanos())
                / 1e9;
    }
}
