package dev.downbeat.report.view.history;

import dev.downbeat.compare.Build;
import dev.downbeat.compare.ComparedRun;
import dev.downbeat.compare.History;
import dev.downbeat.compare.History.Found;
import dev.downbeat.record.Recording;
import dev.downbeat.report.data.HistoryReport;
import dev.downbeat.report.paper.Key;
import dev.downbeat.report.paper.Known;
import dev.downbeat.report.paper.OneLine;
import dev.downbeat.report.view.Head;
import dev.downbeat.stats.Percentiles;
import dev.downbeat.stats.level.LevelChange;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** The percentiles of many builds, and the changes found in them. */
public record HistoryData(
        @Key("") Head head,
        String headline,
        double tolerance,
        String since,
        List<Change> changes,
        List<Series> percentiles,
        List<BuildData> builds,
        List<LeftOutRun> leftOut,
        int exitCode) {
    /** A lasting change. */
    record Change(
            String percentile,
            String at,
            String earliest,
            String latest,
            String until,
            boolean drift,
            int buildsAgo,
            long beforeNanos,
            long afterNanos,
            double change,
            double low,
            double high)
            implements OneLine {
        static Change of(History history, Found found) {
            LevelChange change = found.change();
            List<Build> builds = history.builds();
            return new Change(
                    Percentiles.name(found.percentile()),
                    builds.get(change.at()).name(),
                    builds.get(change.earliest()).name(),
                    builds.get(change.latest()).name(),
                    builds.get(change.until()).name(),
                    change.isDrift(),
                    builds.size() - 1 - change.at(),
                    nanos(change.before()),
                    nanos(change.after()),
                    change.change(),
                    change.low(),
                    change.high());
        }
    }

    /** One percentile of all builds, in order. */
    record Series(
            String percentile,
            double noise,
            double noiseWithinRuns,
            double visibleAfter2Builds,
            double visibleAfter5Builds,
            List<Long> valuesNs,
            List<Long> levelsNs,
            List<String> apart) {
        static Series of(History history, History.OfPercentile one) {
            List<Long> levels = new ArrayList<>();
            for (int i = 0; i < history.builds().size(); i++) {
                levels.add(nanos(one.levels().level(i)));
            }
            return new Series(
                    Percentiles.name(one.percentile()),
                    one.levels().noise(),
                    one.levels().noiseWithin(),
                    one.levels().visible(2),
                    one.levels().visible(5),
                    one.nanos(),
                    levels,
                    one.levels().apart().stream()
                            .map(place -> history.builds().get(place).name())
                            .toList());
        }
    }

    /** One build. */
    record BuildData(String name, Known<String> started, int runs, long requests, long notAnswered) implements OneLine {
        static BuildData of(Build build) {
            Recording total = build.side().total();
            return new BuildData(
                    build.name(),
                    Known.of(build.started().map(Instant::toString), "the file does not say when it was measured"),
                    build.runs().size(),
                    ComparedRun.planned(total),
                    ComparedRun.notAnswered(total));
        }
    }

    /** A run that was left out, and the reason. */
    record LeftOutRun(String code, String text) implements OneLine {}

    static HistoryData of(HistoryReport report, String headline) {
        History history = report.history();
        return new HistoryData(
                Head.of("history", report.version(), report.command()),
                headline,
                report.tolerance(),
                report.since(),
                history.changes().stream()
                        .map(found -> Change.of(history, found))
                        .toList(),
                history.series().stream().map(one -> Series.of(history, one)).toList(),
                history.builds().stream().map(BuildData::of).toList(),
                history.leftOut().stream()
                        .map(one -> new LeftOutRun(one.code(), one.text()))
                        .toList(),
                report.exitCode());
    }

    private static long nanos(double log) {
        return Math.round(Math.exp(log));
    }
}
