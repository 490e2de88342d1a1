package dev.downbeat.report;

import dev.downbeat.compare.Build;
import dev.downbeat.compare.ComparedRun;
import dev.downbeat.compare.History;
import dev.downbeat.compare.Incomparable;
import dev.downbeat.exchange.Exchange;
import dev.downbeat.exchange.Outcome;
import dev.downbeat.record.Recording;
import dev.downbeat.record.recorder.CorrectedRecorder;
import dev.downbeat.report.view.compare.HistoryView.HistoryReport;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.SplittableRandom;
import java.util.function.DoubleUnaryOperator;
import java.util.function.IntPredicate;

/** Thirty builds; the eighteenth made it slower by a fifth, one run lies apart, one was unsound. */
public final class HistorySample {
    private HistorySample() {}

    public static HistoryReport report(int count) {
        return report(count, 4);
    }

    /** The same with another unsound build. */
    public static HistoryReport report(int count, int unsound) {
        return report(count, i -> i == unsound);
    }

    /** The same, of which some are unsound. */
    public static HistoryReport report(int count, IntPredicate isUnsound) {
        List<Build> builds = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            SplittableRandom random = new SplittableRandom(i);
            double level = 4e6 * Math.exp(0.06 * (random.nextDouble() - 0.5)) * (i < 17 ? 1 : 1.2) * (i == 9 ? 1.6 : 1);
            String name = String.format(java.util.Locale.ROOT, "%07x", (0xa1b2c3d + i * 0x1234567L) & 0xfffffff);
            List<Incomparable> doubts = isUnsound.test(i) ? List.of(ComparedRun.unsound(name, List.of())) : List.of();
            builds.add(new Build(
                    name,
                    Optional.of(Instant.ofEpochSecond(1_772_000_000L + i * 86_400L)),
                    List.of(new ComparedRun(name, seconds(level, random), "open", OptionalDouble.of(60), doubts))));
        }
        return new HistoryReport(
                History.of(builds, List.of(50.0, 90.0), false),
                count + " builds",
                0.05,
                "",
                List.of("downbeat", "history", "results/*.downbeat", "--tolerance", "5%"),
                "0.1.0");
    }

    /** Thirty builds; the tail grew at the eleventh, and the median fell at the twenty-first. */
    public static HistoryReport ofTail() {
        List<Build> builds = new ArrayList<>();
        for (int i = 0; i < 30; i++) {
            SplittableRandom random = new SplittableRandom(i);
            double median = i < 20 ? 4e6 : 3e6;
            double tail = i < 10 ? 0.4e6 : 3e6;
            builds.add(new Build(
                    "b" + i,
                    Optional.of(Instant.ofEpochSecond(1_772_000_000L + i * 86_400L)),
                    List.of(new ComparedRun(
                            "b" + i,
                            seconds(at -> at < 0.7 ? median * (0.9 + at / 7) : 6e6 + tail * (at - 0.7), random),
                            "open",
                            OptionalDouble.of(60),
                            List.of()))));
        }
        return new HistoryReport(
                History.of(builds, List.of(50.0, 90.0), false), "30 builds", 0.05, "", List.of("downbeat"), "0.1.0");
    }

    private static List<Recording> seconds(double level, SplittableRandom random) {
        return seconds(at -> level * (1 - 0.2 * Math.log(1 - at)), random);
    }

    private static List<Recording> seconds(DoubleUnaryOperator nanosAt, SplittableRandom random) {
        List<Recording> seconds = new ArrayList<>();
        for (int second = 0; second < 12; second++) {
            CorrectedRecorder recorder = new CorrectedRecorder();
            recorder.planned(60);
            for (int i = 0; i < 60; i++) {
                Exchange exchange = new Exchange(0);
                exchange.begin(0, 0, 0);
                exchange.completedAt = (long) nanosAt.applyAsDouble(random.nextDouble());
                exchange.outcome = Outcome.answered();
                recorder.completed(exchange);
            }
            seconds.add(recorder.drain());
        }
        return seconds;
    }
}
