package dev.downbeat.stats;

import dev.downbeat.record.Distribution;
import dev.downbeat.record.PartNames;
import dev.downbeat.stats.Batches.Memory;
import dev.downbeat.stats.RunIntervals.MeanInterval;
import dev.downbeat.stats.SimulatedHistory.Kind;
import dev.downbeat.stats.SimulatedQueue.Beside;
import dev.downbeat.stats.change.Effect;
import dev.downbeat.stats.change.QuantileChange;
import dev.downbeat.stats.change.ShiftFunction;
import dev.downbeat.stats.change.ShiftFunction.BlockIntervals;
import dev.downbeat.stats.level.LevelChange;
import dev.downbeat.stats.level.LevelChanges;
import dev.downbeat.stats.level.LevelChanges.LevelRun;
import dev.downbeat.stats.position.ConnectionLifetimes;
import dev.downbeat.stats.position.FirstRequestCost;
import dev.downbeat.stats.position.Period;
import dev.downbeat.stats.position.PeriodFinder;
import dev.downbeat.stats.position.PositionFinding;
import dev.downbeat.stats.position.PositionFinding.Closes;
import dev.downbeat.stats.position.PositionFinding.SpectrumStep;
import dev.downbeat.stats.position.PositionSearch;
import dev.downbeat.stats.position.PositionTable;
import dev.downbeat.stats.position.SerialRequest;
import dev.downbeat.stats.steady.Stationarity;
import dev.downbeat.testing.Golden;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.SplittableRandom;
import java.util.function.DoubleBinaryOperator;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The same data has the same numbers in every version: what was saved as a baseline is judged tomorrow as it was. That the
 * numbers are right, the simulations show; here each stands written down, to five digits.
 */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class SameNumbersTest {
    private static final double[] PERCENTILES = {1, 50, 90, 99, 99.9};

    private final StringBuilder written = new StringBuilder();

    private static String digits(double value) {
        return String.format(Locale.ROOT, "%.5g", value == 0 ? 0.0 : value);
    }

    private static String digits(OptionalDouble value) {
        return value.isPresent() ? digits(value.getAsDouble()) : "-";
    }

    private static String digits(OptionalLong value) {
        return value.isPresent() ? String.valueOf(value.getAsLong()) : "-";
    }

    private void line(Object... words) {
        for (int i = 0; i < words.length; i++) {
            written.append(i == 0 ? "" : " ").append(words[i] instanceof Double number ? digits(number) : words[i]);
        }
        written.append('\n');
    }

    private static List<Distribution> queue(double utilisation, Beside beside, int seconds) {
        return changed(utilisation, beside, seconds, (second, response) -> response);
    }

    private static List<Distribution> changed(
            double utilisation, Beside beside, int seconds, DoubleBinaryOperator change) {
        return new SimulatedQueue(utilisation, 100, beside, new SplittableRandom(seconds))
                .changed(change)
                .seconds(seconds);
    }

    private static List<Distribution> run(String name) {
        return switch (name) {
            case "half-busy" -> queue(0.5, Beside.NOTHING, 40);
            case "nearly-full" -> queue(0.9, Beside.NOTHING, 61);
            case "busy-spells" -> queue(0.4, Beside.BUSY_SPELLS, 75);
            case "waves" -> changed(0.2, Beside.NOTHING, 60, (at, nanos) -> nanos * (2 + Math.sin(at / 8)));
            case "drift" -> changed(0.2, Beside.NOTHING, 60, (at, nanos) -> nanos * (1 + at / 60));
            case "jump" -> changed(0.3, Beside.NOTHING, 60, (at, nanos) -> at < 37 ? nanos : 1.6 * nanos);
            case "warm-up" -> changed(0.2, Beside.NOTHING, 60, (at, nanos) -> nanos * (at < 10 ? 6 : 1));
            case "late" -> changed(0.2, Beside.NOTHING, 60, (at, nanos) -> nanos * (at < 35 ? 6 - at / 7 : 1));
            case "in-tail" ->
                changed(0.2, Beside.NOTHING, 60, (at, nanos) -> at > 30 && nanos > 6e3 ? 3 * nanos : nanos);
            case "long" -> changed(0.2, Beside.NOTHING, 310, (at, nanos) -> at < 200 ? nanos : 1.3 * nanos);
            case "calm" -> CalmService.seconds(50, 0.2, 24);
            case "still" -> CalmService.seconds(50, 0, 20);
            case "nothing" -> Collections.nCopies(20, Distribution.empty());
            default -> throw new IllegalArgumentException(name);
        };
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "half-busy",
                "nearly-full",
                "busy-spells",
                "waves",
                "drift",
                "jump",
                "warm-up",
                "late",
                "in-tail",
                "long",
                "calm",
                "still",
                "nothing"
            })
    void of_a_run_and_what_changed_from_another(String name) throws IOException {
        List<Distribution> seconds = run(name);
        line(name, "of", seconds.size(), "s");
        RunIntervals intervals = RunIntervals.of(seconds).orElseThrow();
        for (double percentile : PERCENTILES) {
            QuantileInterval at = intervals.at(percentile);
            QuantileInterval less = intervals.at(percentile, 0.8);
            Memory memory = intervals.memory(percentile);
            line("  p" + percentile, at.valueNanos(), "95 %", digits(at.lowNanos()), digits(at.highNanos()));
            line("    80 %", digits(less.lowNanos()), digits(less.highNanos()), "worth", at.effectiveCount());
            line("    worth", less.effectiveCount(), intervals.at(percentile).effectiveCount());
            line("    memory", memory.stretches(), memory.stretchesNeeded(), memory.isTooLong());
            line("    needs", intervals.stretchesNeeded(percentile));
        }
        Stationarity found = Stationarity.of(seconds, 100).orElseThrow();
        line("  ", found.shape(), "start", found.start(), "at", found.at(), "p" + found.percentile());
        line("    by", found.change(), found.isJudged() ? "judged" : "not judged", digits(found.visible()));
        Distribution whole = Distribution.sum(seconds);
        if (!whole.isEmpty()) {
            MeanInterval mean = MeanInterval.of(seconds, 0.95);
            line("  mean", mean.meanNanos(), mean.lowNanos(), mean.highNanos());
        }
        SpectrumStep.greatest(whole)
                .ifPresent(step -> line("  step", step.beyond(), step.belowNanos(), step.aboveNanos()));
        for (BlockIntervals.Range range : BlockIntervals.of(PercentileRange.tenths(seconds), PERCENTILES, 7)) {
            line("  blocks", range.lowNanos(), range.highNanos());
        }
        for (double percentile : PERCENTILES) {
            LevelRun level = LevelRun.of(seconds, percentile);
            line("  level", level.log(), level.deviation());
        }
        LevelRun brief = LevelRun.of(seconds.subList(0, 9), 90);
        line("  brief", brief.log(), brief.deviation());
        List<Distribution> base = run("half-busy");
        changes("from half-busy", List.of(base), List.of(seconds));
        shifts(base, seconds);
        Golden.check(SameNumbersTest.class, name + ".txt", written.toString());
    }

    @Test
    void of_several_runs() throws IOException {
        List<Distribution> base = run("half-busy");
        List<List<Distribution>> several = new ArrayList<>();
        List<List<Distribution>> slower = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            several.add(queue(0.5, Beside.NOTHING, 20 + i));
            double factor = 1.3 + i / 50.0;
            slower.add(changed(0.5, Beside.NOTHING, 30 + i, (at, nanos) -> nanos * factor));
        }
        changes("several", several, slower);
        changes("several, faster", slower, several);
        changes("one beside several", List.of(base), slower);
        changes("several beside one", several, List.of(base));
        changes("short", List.of(base.subList(0, 9)), List.of(base.subList(9, 18)));
        changes("calm and still", List.of(run("still")), List.of(CalmService.seconds(51, 0.1, 20)));
        Golden.check(SameNumbersTest.class, "several.txt", written.toString());
    }

    private void changes(String name, List<List<Distribution>> base, List<List<Distribution>> other) {
        for (double rarer : new double[] {1, 20}) {
            line(name, "rarer", rarer);
            for (QuantileChange change : QuantileChange.of(base, other, List.of(50.0, 90.0, 99.0, 99.9), rarer)) {
                line(
                        "  p" + change.percentile(),
                        change.baseNanos(),
                        change.otherNanos(),
                        change.answer().word());
                line("    from", digits(change.low()), "to", digits(change.high()));
                line("    at least", digits(change.atLeast()), "at most", digits(change.atMost()));
            }
        }
    }

    private void shifts(List<Distribution> base, List<Distribution> other) {
        List<List<Distribution>> systems = List.of(
                PercentileRange.tenths(base),
                PercentileRange.tenths(other),
                PercentileRange.tenths(other.subList(0, 15)));
        for (List<ShiftFunction.Shift> system : ShiftFunction.ofTurns(systems, PERCENTILES, 3, 1)) {
            for (ShiftFunction.Shift shift : system) {
                line(
                        "  turns p" + shift.percentile(),
                        shift.baseNanos(),
                        shift.otherNanos(),
                        shift.answer().word());
                line("    from", shift.lowChange(), "to", shift.highChange(), "beyond", shift.independentBeyond());
                line("    at least", shift.atLeast(), "at most", shift.atMost());
            }
        }
        line("  delta", Effect.cliffsDelta(Distribution.sum(base), Distribution.sum(other)));
    }

    @Test
    void of_a_history() throws IOException {
        for (Kind kind : Kind.values()) {
            for (int seed = 1; seed <= 2; seed++) {
                history(kind.words, SimulatedHistory.of(kind, seed).builds());
            }
        }
        List<List<LevelRun>> several = new ArrayList<>();
        SplittableRandom random = new SplittableRandom(5);
        for (int i = 0; i < 24; i++) {
            List<LevelRun> runs = new ArrayList<>();
            for (int run = 0; run <= i % 3; run++) {
                double log = 3 + 0.05 * random.nextDouble() + (i < 9 ? 0 : i < 16 ? 0.2 : 0.05);
                runs.add(new LevelRun(log, (i + run) % 5 == 0 ? Double.NaN : 0.01 + 0.02 * random.nextDouble()));
            }
            several.add(runs);
        }
        history("several runs a build", several);
        history("six builds", several.subList(6, 12));
        history("falls", several.subList(12, 24));
        Golden.check(SameNumbersTest.class, "history.txt", written.toString());
    }

    private void history(String name, List<List<LevelRun>> builds) {
        LevelChanges found = LevelChanges.of(builds, 0.05);
        line(name, "noise", found.noise(), "within", found.noiseWithin().orElse(0), "apart", found.outliers());
        line("  visible", found.visible(1), found.visible(3), found.visible(10));
        for (LevelChange change : found.changes()) {
            line("  from", change.earliest(), change.at(), change.latest(), change.until(), change.isDrift());
            line("    by", change.change(), change.low(), change.high(), change.before(), change.after());
        }
        line("  levels", found.level(0), found.level(builds.size() / 2), found.level(builds.size() - 1));
    }

    @Test
    void of_positions() throws IOException {
        SplittableRandom random = new SplittableRandom(1);
        List<List<SerialRequest>> closing = SimulatedService.runs(random, 8, 180, () -> 80);
        positions("closes after 80", closing, new Closes(16, 0, 0, Closes.HEADER));
        ConnectionLifetimes lives = ConnectionLifetimes.of(closing);
        for (Closes closes : List.of(
                new Closes(0, 80, 0, Closes.HEADER),
                new Closes(80, 0, 0, Closes.GOAWAY),
                new Closes(0, 0, 80, Closes.HEADER),
                new Closes(0, 0, 0, Closes.HEADER))) {
            line(new PositionFinding.ClosedAfter(lives, closes, 3, Optional.empty()).text());
        }
        positions(
                "at random",
                SimulatedService.runs(random, 8, 120, () -> 20 + random.nextInt(50)),
                new Closes(3, 2, 1, Closes.HEADER));
        positions("seldom", SimulatedService.runs(random, 2, 70, () -> 60), new Closes(2, 0, 0, Closes.HEADER));
        List<List<SerialRequest>> slow = new ArrayList<>();
        for (List<SerialRequest> run : SimulatedService.runs(random, 16, 120, () -> 70)) {
            List<SerialRequest> changed = new ArrayList<>(run);
            for (int i = 15; i < changed.size(); i += 16) {
                long nanos = SimulatedService.around(random, 9_000_000);
                changed.set(i, new SerialRequest(changed.get(i).position(), i % 7 > 0, 0, 0, 0, nanos, 0));
            }
            slow.add(changed);
        }
        positions("every 16th", slow, new Closes(30, 0, 0, Closes.HEADER));
        Golden.check(SameNumbersTest.class, "positions.txt", written.toString());
    }

    private void positions(String name, List<List<SerialRequest>> runs, Closes closes) {
        line(name, ConnectionLifetimes.of(runs));
        PositionSearch.find(runs, closes, true, PartNames.HTTP)
                .forEach(finding -> line("  " + finding.code() + ":", finding.text()));
        FirstRequestCost.of(runs).ifPresent(cost -> line("  ", cost));
        List<long[]> times = runs.stream().map(ConnectionLifetimes::times).toList();
        PeriodFinder.find(times).forEach(period -> period("run", period));
        PeriodFinder.find(ConnectionLifetimes.series(runs)).forEach(period -> period("connection", period));
        rows("  run", PositionTable.byPlaceInRun(runs));
        rows("  connection", PositionTable.byPositionOnConnection(runs));
    }

    private void period(String of, Period found) {
        line("  period of a", of, found.length(), found.places(), found.repeats(), Math.log(found.chance()));
        line("    ", found.slowNanos(), found.otherwiseNanos(), found.extraNanos());
    }

    private void rows(String name, PositionTable table) {
        line(name, table.rows().size(), "rows");
        for (PositionTable.Row row :
                table.rows().subList(0, Math.min(3, table.rows().size()))) {
            QuantileInterval half = row.intervals().get(0);
            line(
                    "    ",
                    row.place(),
                    row.service().count(),
                    digits(half.lowNanos()),
                    digits(half.highNanos()),
                    half.effectiveCount());
            line(
                    "      ",
                    row.intervals().get(1).valueNanos(),
                    digits(row.intervals().get(1).highNanos()),
                    digits(row.intervals().get(2).lowNanos()));
        }
    }
}
