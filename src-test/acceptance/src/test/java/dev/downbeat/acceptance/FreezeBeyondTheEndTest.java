package dev.downbeat.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.data.Percentage.withPercentage;

import dev.downbeat.loopback.LoopbackProcess;
import dev.downbeat.record.Ledger;
import dev.downbeat.record.Recording;
import dev.downbeat.testing.MeasuredFirst;
import dev.downbeat.testing.Timing;
import dev.downbeat.verdict.RunVerdict;
import dev.downbeat.verdict.ServiceLevelObjective;
import dev.downbeat.verdict.caveat.Caveat;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** The service stalls and does not recover before the run ends. Lower bounds must not be shown as values. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timing
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class FreezeBeyondTheEndTest {
    private static final int CONNECTIONS = 16;
    private static final FrozenRun.Plan PLAN = new FrozenRun.Plan(
            500,
            CONNECTIONS,
            Duration.ofSeconds(6),
            Duration.ofSeconds(30),
            Duration.ofSeconds(2),
            Duration.ofSeconds(4),
            Duration.ZERO);

    private FrozenRun run;
    private Cli.Ending ending;

    /** Concurrent, since both mostly wait; each has its own server. */
    @MeasuredFirst
    void freeze() throws Exception {
        FutureTask<Cli.Ending> commandLine = new FutureTask<>(FreezeBeyondTheEndTest::frozenCommandLine);
        new Thread(commandLine, "command-line").start();
        run = FrozenRun.of(PLAN);
        ending = commandLine.get();
    }

    private static Cli.Ending frozenCommandLine() throws Exception {
        try (LoopbackProcess server = LoopbackProcess.start();
                Cli cli = Cli.start(("run " + server.uri()
                                + " -R 500 -d 4s -c 16 --drain 1s --arrivals constant -q --slo errors<1%")
                        .split(" "))) {
            FrozenRun.waitUntil(
                    Service.firstRequestAt(server) + Duration.ofMillis(2_500).toNanos());
            server.freeze();
            Cli.Ending ending = cli.end(Duration.ofSeconds(30));
            server.resume();
            return ending;
        }
    }

    @Test
    void the_rest_is_in_flight_or_never_sent() {
        Ledger ledger = run.result().ledger();
        long before = (run.frozen().earliestAt() - run.firstAt()) / PLAN.gapNanos();
        long after = (run.frozen().latestAt() - run.firstAt()) / PLAN.gapNanos() + 1;
        assertThat(ledger.addsUp()).isTrue();
        assertThat(ledger.planned()).isEqualTo(PLAN.count());
        assertThat(ledger.answered()).isBetween(before - CONNECTIONS, after);
        assertThat(ledger.failed()).isZero();
        assertThat(ledger.timedOut()).isZero();
        assertThat(ledger.inFlight()).isBetween(1L, (long) CONNECTIONS);
        assertThat(ledger.neverSent()).isEqualTo(PLAN.count() - ledger.answered() - ledger.inFlight());
    }

    @Test
    void values_within_the_freeze_are_lower_bounds() {
        Recording recording = run.result().recording();
        assertThat(recording.isKnownAt(50)).isTrue();
        assertThat(recording.isKnownAt(75)).isFalse();
        assertThat(recording.isKnownAt(99)).isFalse();
        assertThat(recording.isKnownAt(100)).isFalse();
        Ledger ledger = recording.ledger();
        assertThat(recording.censored().count()).isEqualTo(ledger.timedOut() + ledger.inFlight() + ledger.neverSent());
    }

    @Test
    void the_lower_bounds_are_the_ages_at_the_end() {
        Recording recording = run.result().recording();
        long frozenNanos = run.frozen().middleAt() - run.firstAt();
        long endNanos = run.result().durationNanos();
        long oldestNanos = endNanos - frozenNanos;
        long p99Nanos = oldestNanos - PLAN.count() / 100 * PLAN.gapNanos();
        assertThat(recording.responseAtLeast().maxNanos()).isCloseTo(oldestNanos, withPercentage(3));
        assertThat(recording.responseAtLeast().valueAtPercentile(99)).isCloseTo(p99Nanos, withPercentage(3));
    }

    @Test
    void the_verdict_says_so() {
        RunVerdict verdict = RunVerdict.of(
                run.result(), List.of(ServiceLevelObjective.parse("p50<1s"), ServiceLevelObjective.parse("p99<10s")));
        assertThat(verdict.measurement()).isNotEqualTo(RunVerdict.Soundness.UNSOUND);
        assertThat(verdict.caveats()).extracting(Caveat::code).contains("not_sent", "tail_censored");
        assertThat(verdict.objectives().get(0).status().word()).isEqualTo("met");
        assertThat(verdict.objectives().get(1).status().word()).isEqualTo("undecided");
        assertThat(verdict.objectives().get(1).isLowerBound()).isTrue();
    }

    @Test
    void the_command_line_says_so_in_words_and_by_its_exit_code() {
        assertThat(ending.out())
                .containsPattern("(?m)^ *p99 +≥ ")
                .containsPattern("(?m)^ *max +≥ ")
                .containsPattern("(?m)^ *p50 +[0-9]")
                .containsPattern("undecided +errors < 1 %")
                .doesNotContain("UNSOUND")
                .contains("never sent")
                .contains("unfinished");
        assertThat(ending.code()).isEqualTo(98);
        assertThat(ending.hasStackTrace()).isFalse();
    }
}
