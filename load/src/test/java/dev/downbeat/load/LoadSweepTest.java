package dev.downbeat.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.downbeat.exchange.CallLane;
import dev.downbeat.exchange.Exchange;
import dev.downbeat.exchange.Lane;
import dev.downbeat.exchange.Outcome;
import dev.downbeat.exchange.Target;
import dev.downbeat.run.Script;
import dev.downbeat.run.ThinkTime;
import dev.downbeat.time.NanoClock;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;

/** A search from Java; how it searches is tested in virtual time. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
@Isolated
@Timeout(60)
class LoadSweepTest {
    /** Without an objective on a time, since those of a JVM that still compiles the code may not decide it. */
    private static Load fortyPerSecond() {
        return Load.open(Arrivals.perSecond(40).evenly())
                .duration(Duration.ofSeconds(3))
                .objectives("errors<10%");
    }

    @Test
    void a_rate_that_code_sustains_is_confirmed_by_a_longer_run() {
        Set<Long> indexes = ConcurrentHashMap.newKeySet();
        Set<Long> repeated = ConcurrentHashMap.newKeySet();
        AtomicInteger calls = new AtomicInteger();
        SustainedRate found = fortyPerSecond()
                .named("orders")
                .inFlight(100)
                .timeout(Duration.ofSeconds(20))
                .warmUp(Duration.ofSeconds(1))
                .sweepTo(40)
                .budget(Duration.ofSeconds(15))
                .run(beat -> {
                    LockSupport.parkNanos(50_000_000);
                    if (!indexes.add(beat.index())) {
                        repeated.add(beat.index());
                    }
                    if (calls.incrementAndGet() == 200) {
                        throw new IllegalStateException("closed");
                    }
                });
        assertThat(found.text().replaceAll("\\s+", " "))
                .contains(
                        "open loop, constant arrivals; 3 s per rate, including 600 ms to settle, longer if undecided, "
                                + "100 in flight limit, threads " + CodeTarget.Workers.kind()
                                + ", timeout 20 s, warm up 1 s");
        assertThat(found.firstFailure())
                .get(InstanceOfAssertFactories.THROWABLE)
                .hasMessage("closed");
        assertThat(repeated).as("no run repeats the indexes of another").isEmpty();
        assumeThat(found.steps()) // else this machine was too busy
                .extracting(SustainedRate.Step::verdict)
                .containsExactly(Verdict.MET);
        assertThat(found.perSecond()).as(found.text()).hasValue(40);
        assertThat(found.tooHighPerSecond()).isEmpty();
        assertThat(found.isComplete()).isTrue();
        assertThat(found.sentence()).isEqualTo("orders: Sustains at least 40/s with errors < 10 %.");
        assertThat(calls.get())
                .as("120 of the step, 360 of its confirmation, and 80 of the warm-ups")
                .isGreaterThan(480);
    }

    @Test
    void an_interrupt_ends_the_search_and_keeps_the_rates_before(@TempDir Path folder) {
        Thread caller = Thread.currentThread();
        AtomicInteger opened = new AtomicInteger();
        AtomicInteger calls = new AtomicInteger();
        Target service = new Target() {
            @Override
            public String describe() {
                return "a service";
            }

            @Override
            public List<String> commandLineArguments() {
                return List.of("http://a.service", "--connections=4");
            }

            @Override
            public Lane open(int share, int shares, NanoClock clock, Exchange.Listener listener) {
                opened.incrementAndGet();
                return new CallLane(4, clock, listener, call -> {
                    call.complete(Outcome.answered());
                    if (calls.incrementAndGet() == 130) {
                        caller.interrupt();
                    }
                });
            }
        };
        SustainedRate found = fortyPerSecond().sweepTo(80).run(service);
        found.save(folder.resolve("found.downbeat"));
        assertThat(Thread.interrupted()).isTrue();
        assertThat(opened).as("new connections for each rate").hasValue(2);
        assertThat(found.steps()).hasSize(1);
        assertThat(found.perSecond()).isEmpty();
        assertThat(found.isComplete()).isFalse();
        assertThat(found.firstFailure()).isEmpty();
        assertThat(found.text().replaceAll("\\s+", " "))
                .contains("longer if undecided, timeout 30 s")
                .doesNotContain("--connections");
        assertThat(found.sentence()).matches("a service: PARTIAL: ended at [46]0/s: interrupted; .*");
    }

    @Test
    void code_that_always_fails_has_no_capacity_and_the_first_failure_is_shown() {
        assertThatThrownBy(() -> fortyPerSecond().sweepTo(40).run(beat -> {
                    throw new IllegalStateException("closed");
                }))
                .isInstanceOf(LoadException.class)
                .hasMessage("no request was answered: IllegalStateException")
                .cause()
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("closed");
    }

    @Test
    void code_that_only_starts_its_work_would_sustain_any_rate() {
        Load hundred = Load.open(Arrivals.perSecond(100).evenly()).duration(Duration.ofSeconds(3));
        assertThatThrownBy(() -> hundred.sweepTo(100).run(beat -> {
                    CompletableFuture.runAsync(() -> LockSupport.parkNanos(50_000_000));
                }))
                .isInstanceOf(LoadException.class)
                .hasMessageContaining("monitored calls returned before their work was done");
    }

    @Test
    void code_that_only_starts_its_work_at_a_later_rate_has_no_rate_before_it_either() {
        AtomicInteger calls = new AtomicInteger();
        assertThatThrownBy(() -> fortyPerSecond().sweepTo(80).run(beat -> {
                    if (calls.incrementAndGet() > 130) { // 120 of the first rate
                        CompletableFuture.runAsync(() -> LockSupport.parkNanos(50_000_000));
                    }
                }))
                .isInstanceOf(LoadException.class)
                .hasMessageContaining("monitored calls returned before their work was done");
    }

    @Test
    void an_unreachable_service_is_reported_in_its_own_words() {
        Target nobody = new Target() {
            @Override
            public String describe() {
                return "nobody";
            }

            @Override
            public Lane open(int share, int shares, NanoClock clock, Exchange.Listener listener) throws IOException {
                throw new IOException("nobody is at home");
            }
        };
        assertThatThrownBy(() -> fortyPerSecond().sweepTo(40).run(nobody))
                .isInstanceOf(LoadException.class)
                .hasMessage("nobody is at home");
    }

    private static void refused(ThrowingCallable call, String message) {
        assertThatThrownBy(call).isInstanceOf(IllegalArgumentException.class).hasMessage(message);
    }

    @Test
    void what_cannot_be_searched_is_refused_at_the_call() {
        String steady = "sweepTo is for an open load at one rate, such as perSecond(500), but this is ";
        Arrivals twenty = Arrivals.perSecond(20);
        refused(() -> Load.closed(4).sweepTo(100), steady + "4 users");
        refused(() -> Load.sessions(twenty).sweepTo(100), steady + "sessions at Poisson 20/s");
        for (Arrivals changing : List.of(
                Arrivals.ramp(1, 20, Duration.ofSeconds(9)),
                Arrivals.at(Duration.ZERO),
                Arrivals.none(),
                twenty.during(Duration.ofSeconds(9)),
                twenty.during(Duration.ofSeconds(9)).then(twenty))) {
            refused(() -> Load.open(changing).sweepTo(100), steady + changing);
        }
        Load load = Load.open(twenty);
        refused(() -> load.sweepTo(19), "sweepTo must be from 20/s, the first rate, to 100M/s, but was 19/s");
        refused(
                () -> load.sweepTo(100_000_001),
                "sweepTo must be from 20/s, the first rate, to 100M/s, but was 100,000,001/s");
        refused(
                () -> load.duration(Duration.ofMillis(2_999)).sweepTo(40),
                "the duration of each rate of a sweep must be at least 3s, but was 2.999s");
        Load hourly = Load.open(Arrivals.every(1, Duration.ofHours(1)));
        String slow = "the first rate of a sweep must be at least 0.001/s and one request in a duration, but was ";
        refused(() -> hourly.duration(Duration.ofHours(2)).sweepTo(1), slow + "0.000278/s");
        Load rare = Load.open(Arrivals.every(1, Duration.ofSeconds(4)));
        refused(() -> rare.duration(Duration.ofSeconds(3)).sweepTo(1), slow + "0.25/s");
        assertThat(rare.duration(Duration.ofSeconds(4)).sweepTo(1)).hasToString("Poisson 1/4s to 1/s, each for 4s");
        refused(() -> load.strict().sweepTo(40), "strict is for one load: a sweep always requires confidence");
        LoadSweep sweep = load.sure().sweepTo(40);
        assertThat(sweep).hasToString("Poisson 20/s to 40/s, each for 10s");
        refused(() -> sweep.budget(Duration.ZERO), "budget must be above zero, but was PT0S");
        refused(
                () -> sweep.budget(Duration.ofSeconds(49)),
                "budget must be at least five durations, 50s, for a rate and its confirmation, but was 49s");
    }

    @Test
    void what_cannot_be_sent_is_refused_before_anything_is() {
        AtomicInteger calls = new AtomicInteger();
        refused(
                () -> fortyPerSecond().objectives("pay: p50<1s").sweepTo(40).run(beat -> calls.incrementAndGet()),
                "objective 'pay: p50<1s': no request is called 'pay': all are alike");
        Script once = new Script() {
            @Override
            public Target mix(long seed) {
                return new Target() {
                    @Override
                    public String describe() {
                        return "rows";
                    }

                    @Override
                    public Lane open(int share, int shares, NanoClock clock, Exchange.Listener listener) {
                        throw new AssertionError("it must not be sent");
                    }
                };
            }

            @Override
            public Target session(long seed) {
                throw new AssertionError("it must not be sent");
            }

            @Override
            public ThinkTime think(ThinkTime usual) {
                return usual;
            }

            @Override
            public boolean isDataUsedOnce() {
                return true;
            }
        };
        refused(
                () -> fortyPerSecond().sweepTo(40).run(once),
                "each rate would begin with the first row of dataOnce: use data or randomData");
        assertThat(calls).hasValue(0);
    }
}
