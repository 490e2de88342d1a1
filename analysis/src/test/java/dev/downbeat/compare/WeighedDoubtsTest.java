package dev.downbeat.compare;

import static org.assertj.core.api.Assertions.assertThat;

import dev.downbeat.exchange.Exchange;
import dev.downbeat.exchange.Outcome;
import dev.downbeat.record.Recording;
import dev.downbeat.record.recorder.CorrectedRecorder;
import dev.downbeat.selfcheck.CpuContentionMonitor.CpuContention;
import dev.downbeat.stats.change.ChangeAnswer;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What may not be the systems' own is subtracted at each percentile: what is left decides, and nothing else does. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class WeighedDoubtsTest {
    private static final int TURNS = 8;
    private static final int PER_SECOND = 60;
    private static final double MS = 1e6;

    /** Larger than what runs of this test differ by chance, and than what a pair of single runs is allowed to. */
    private static final double CLEAR = 1.4;

    /**
     * Seconds of a system whose requests take so long, of which some is this client's own delay; 2 % of scatter.
     *
     * @param ours from 0 to the whole
     */
    private static ComparedRun run(double nanos, double ours, int seconds, SplittableRandom random) {
        List<Recording> recordings = new ArrayList<>();
        for (int second = 0; second < seconds; second++) {
            CorrectedRecorder recorder = new CorrectedRecorder();
            recorder.planned(PER_SECOND);
            for (int i = 0; i < PER_SECOND; i++) {
                double factor = Math.exp(0.02 * random.nextGaussian());
                Exchange exchange = new Exchange(0);
                long late = Math.round(ours * factor);
                exchange.begin(0, late, late);
                exchange.completedAt = Math.max(late, Math.round(nanos * factor));
                exchange.outcome = Outcome.answered();
                recorder.completed(exchange);
            }
            recordings.add(recorder.drain());
        }
        return new ComparedRun("x", recordings, "open", OptionalDouble.of(PER_SECOND), List.of());
    }

    private static ComparedSide turns(double nanos, double ours, SplittableRandom random) {
        return new ComparedSide(
                "x",
                Stream.generate(() -> run(nanos, ours, 1, random)).limit(TURNS).toList());
    }

    private static ComparedSide single(double nanos, double ours, SplittableRandom random) {
        return new ComparedSide("x", List.of(run(nanos, ours, 20, random)));
    }

    /** Whatever the two systems and our own delays are. */
    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24})
    void what_no_doubt_explains_is_decided_and_what_one_explains_is_not(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        double base = 2 * MS * Math.pow(10, random.nextDouble());
        double baseOurs = base * (random.nextBoolean() ? 0 : random.nextDouble());
        double other = base * Math.pow(10, 2 * random.nextDouble() - 1);
        double otherOurs = other * (random.nextBoolean() ? 0 : random.nextDouble());
        List<Comparison> both = List.of(
                Comparison.ofTurns(
                                List.of(turns(base, baseOurs, random), turns(other, otherOurs, random)), List.of(50.0))
                        .get(0),
                Comparison.of(single(base, baseOurs, random), single(other, otherOurs, random), List.of(50.0)));
        String drawn = String.format("%.2g (%.2g ours) -> %.2g (%.2g ours)", base, baseOurs, other, otherOurs);
        for (Comparison comparison : both) {
            ChangeAnswer answer = comparison.rows().get(0).answer();
            if (other - otherOurs > CLEAR * base) {
                assertThat(answer).as(drawn).isEqualTo(ChangeAnswer.SLOWER);
                assertThat(comparison.isRegression(0.1)).as(drawn).isTrue();
            } else if (base - baseOurs > CLEAR * other) {
                assertThat(answer).as(drawn).isEqualTo(ChangeAnswer.FASTER);
            } else if (other - otherOurs < base && base - baseOurs < other) {
                assertThat(answer).as(drawn).isNotIn(ChangeAnswer.SLOWER, ChangeAnswer.FASTER);
                assertThat(comparison.isRegression(0)).as(drawn).isFalse();
            }
        }
    }

    @Test
    void a_tenfold_slowdown_is_detected_despite_own_delay() {
        SplittableRandom random = new SplittableRandom(1);
        Comparison comparison = Comparison.of(single(5 * MS, 2 * MS, random), single(50 * MS, 8 * MS, random));
        assertThat(comparison.outcome()).isEqualTo(Comparison.Difference.SLOWER);
        assertThat(comparison.rows().get(0).isPartlyForeign()).isTrue();
    }

    @Test
    void a_value_that_may_be_all_own_delay_has_no_bound_on_that_side() {
        SplittableRandom random = new SplittableRandom(2);
        ComparedRow slower = Comparison.of(single(5 * MS, 0, random), single(50 * MS, 50 * MS, random))
                .rows()
                .get(0);
        assertThat(slower.answer()).isEqualTo(ChangeAnswer.CANNOT_TELL);
        assertThat(slower.lowChange()).isEmpty();
        assertThat(slower.highChange()).isPresent();
    }

    /** Others took half of the cores, and a control call of 5 ms took 9.1 ms too long at p99: ten waits are 91 ms. */
    @Test
    void only_the_delay_explained_by_other_processes_is_subtracted() {
        SplittableRandom random = new SplittableRandom(3);
        CpuContention crowding = new CpuContention(
                0.5, OptionalDouble.empty(), List.of(new CpuContention.Control(0, Math.round(14.1 * MS))));
        ComparedSide base = single(50 * MS, 0, random);
        assertThat(beside(crowding, base, 140 * MS, random)).isEqualTo(Comparison.Difference.CANNOT_TELL);
        assertThat(beside(crowding, base, 200 * MS, random)).isEqualTo(Comparison.Difference.SLOWER);
    }

    private static Comparison.Difference beside(
            CpuContention crowding, ComparedSide base, double nanos, SplittableRandom random) {
        ComparedRun crowded = run(nanos, 0, 20, random).allowingFor(crowding, 0);
        return Comparison.of(base, new ComparedSide("x", List.of(crowded))).outcome();
    }
}
