package dev.downbeat.cli.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.downbeat.arrival.Poisson;
import dev.downbeat.arrival.Rate;
import dev.downbeat.event.Incident;
import dev.downbeat.event.Incidents;
import dev.downbeat.exchange.Exchange;
import dev.downbeat.exchange.Outcome;
import dev.downbeat.record.Interval;
import dev.downbeat.record.recorder.CorrectedRecorder;
import dev.downbeat.run.RunPlan;
import dev.downbeat.run.RunResult;
import dev.downbeat.run.Workload;
import dev.downbeat.simulate.RetryPolicy;
import dev.downbeat.simulate.SimulatedService;
import dev.downbeat.simulate.Simulation;
import dev.downbeat.time.ServiceLaw;
import dev.downbeat.time.Stall;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class LiveHeadlineTest {
    private static final long S = 1_000_000_000L;
    private static final long STALL = 2 * S;

    private static RunResult run(long seed, int perSecond, int intervalMillis, long stallAtNanos, List<Interval> seen) {
        RunPlan plan = RunPlan.builder(new Workload.Open(new Poisson(new Rate(perSecond, S), seed)))
                .duration(Duration.ofSeconds(20))
                .interval(Duration.ofMillis(intervalMillis))
                .drain(Duration.ofSeconds(5))
                .build();
        SimulatedService service = SimulatedService.of(new ServiceLaw.LogNormal(2_000_000, 0.5))
                .servers(64)
                .stall(new Stall(stallAtNanos, STALL, 0));
        return new Simulation(plan, service, RetryPolicy.none(), seed)
                .run(seen::add)
                .result();
    }

    /** What is said at any moment holds in the end, and a stall that was is named from then on. */
    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10})
    void each_statement_of_each_moment_is_true_in_the_end(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        long stallAt = 3 * S + random.nextLong(10 * S);
        List<Interval> intervals = new ArrayList<>();
        RunResult result =
                run(seed, 50 + random.nextInt(2_000), random.nextBoolean() ? 200 : 1_000, stallAt, intervals);
        List<Incident> stalls = Incidents.of(result).stream()
                .filter(event -> event.cause() == Incident.Cause.SERVICE_STALL)
                .toList();
        LivePage.LiveHeadline live = new LivePage.LiveHeadline();
        boolean wasOpen = false;
        for (Interval interval : intervals) {
            live.add(interval);
            assertThat(live.answered()).isLessThanOrEqualTo(result.ledger().answered());
            assertThat(live.failed())
                    .isLessThanOrEqualTo(
                            result.ledger().failed() + result.ledger().timedOut());
            assertThat(live.slowestNanos())
                    .isLessThanOrEqualTo(result.recording().response().maxNanos());
            List<LivePage.LiveHeadline.Silence> silences = new ArrayList<>(live.silences());
            live.now().ifPresent(silences::add);
            assertThat(silences)
                    .allSatisfy(silence -> assertThat(stalls)
                            .anyMatch(stall -> stall.startNanos() <= silence.fromNanos()
                                    && silence.toNanos() <= stall.startNanos() + stall.lengthNanos()));
            wasOpen |= live.now().isPresent();
            if (interval.startNanos() > stallAt + STALL + S) {
                assertThat(live.silences()).hasSize(1);
                assertThat(live.text()).startsWith("no response from ");
            }
        }
        assertThat(wasOpen).isTrue();
    }

    private static Interval second(int at, int planned, int answered, int failed) {
        CorrectedRecorder recorder = new CorrectedRecorder();
        recorder.planned(planned);
        Exchange exchange = new Exchange(0);
        for (int i = 0; i < answered + failed; i++) {
            exchange.begin(0, 0, 0);
            exchange.completedAt = S / 100;
            exchange.outcome = i < answered ? Outcome.answered() : Outcome.failed("HTTP 503");
            recorder.completed(exchange);
        }
        return new Interval(at * S, (at + 1) * S, recorder.drain());
    }

    @Test
    void of_several_silences_the_longest_is_named_and_one_without_waiting_requests_is_none() {
        LivePage.LiveHeadline live = new LivePage.LiveHeadline();
        live.add(second(0, 110, 100, 0)); // ten wait
        live.add(second(1, 0, 0, 0));
        live.add(second(2, 0, 0, 0));
        assertThat(live.text()).startsWith("no response since 1.0 s, 10 requests wait. 100 requests answered, ");
        live.add(second(3, 100, 107, 2)); // one waits
        live.add(second(4, 0, 0, 0));
        live.add(second(5, 0, 1, 0));
        live.add(second(6, 0, 0, 0)); // nobody waits
        live.add(second(7, 1, 0, 1));
        assertThat(live.silences()).hasSize(2);
        assertThat(live.failed()).isEqualTo(3);
        assertThat(live.text())
                .isEqualTo(
                        "2 times no response, longest from 1.0 s to 3.0 s. 208 requests answered, 3 failed, the slowest"
                                + " after 10.0 ms.");
    }

    @Test
    void it_shows_known_facts_without_judging() {
        List<Interval> intervals = new ArrayList<>();
        RunResult result = run(7, 500, 200, 5 * S, intervals);
        LivePage.LiveHeadline live = new LivePage.LiveHeadline();
        assertThat(live.text()).isEqualTo("no response yet.");
        List<String> texts = new ArrayList<>();
        for (Interval interval : intervals) {
            live.add(interval);
            if (interval.endNanos() % (2 * S) == 0) {
                texts.add(live.text());
            }
        }
        assertThat(texts.get(1)).matches("1,9[0-9]{2} requests answered, the slowest after [0-9.]+ ms\\.");
        assertThat(texts.get(2))
                .matches("no response since 5\\.[02] s, [45][0-9]{2} requests wait\\. .* requests answered, .*");
        assertThat(texts.get(3))
                .matches(
                        "no response from 5\\.[02] s to (6\\.8|7\\.0) s\\. .* answered, the slowest after 2\\.0.* s\\.");
        assertThat(result.ledger().failed()).isZero();
    }
}
