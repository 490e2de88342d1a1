package dev.downbeat.report.view.compare;

import dev.downbeat.compare.Build;
import dev.downbeat.compare.ComparedRun;
import dev.downbeat.compare.History;
import dev.downbeat.compare.History.Found;
import dev.downbeat.compare.History.NotJudged;
import dev.downbeat.compare.Incomparable;
import dev.downbeat.record.Recording;
import dev.downbeat.report.chart.HistoryChart;
import dev.downbeat.report.data.PercentileCells;
import dev.downbeat.report.render.Page;
import dev.downbeat.report.render.Page.Mark;
import dev.downbeat.report.render.Page.Where;
import dev.downbeat.report.render.RecordJson.Key;
import dev.downbeat.report.render.RecordJson.Known;
import dev.downbeat.report.render.RecordJson.OneLine;
import dev.downbeat.report.render.Table;
import dev.downbeat.report.render.Table.Cell;
import dev.downbeat.report.render.Table.Column;
import dev.downbeat.report.render.View;
import dev.downbeat.report.view.RunView;
import dev.downbeat.report.view.SharedData.Head;
import dev.downbeat.stats.Numbers;
import dev.downbeat.stats.PercentText;
import dev.downbeat.stats.Percentiles;
import dev.downbeat.stats.level.LevelChange;
import dev.downbeat.stats.level.LevelChanges;
import dev.downbeat.time.DurationText;
import dev.downbeat.verdict.ExitCode;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A history of builds: lasting changes of response times, their size, and what would have been visible. */
public final class HistoryView implements View {
    private static final List<String> LIMITS = List.of(
            RunView.corrected(),
            "Builds vary more than the requests within one build suggest. The noise is the variation between the builds of"
                    + " this history; a change must exceed it.",
            "At most 2 % of histories without a change show one, over all percentiles and builds together.",
            "A change needs two runs on each side. A single slow run is marked as an outlier.");

    private static final int MOST_NOTES = 5;

    private final HistoryReport report;
    private final History history;
    private final HistoryText text;
    private final List<SlowOnce> slowOnce;

    public HistoryView(HistoryReport report) {
        this.report = report;
        this.history = report.history();
        this.slowOnce = SlowOnce.of(report);
        this.text = new HistoryText(history, report.regressions(), slowOnce);
    }

    @Override
    public Page page() {
        List<Page.Section> sections = new ArrayList<>();
        if (!history.changes().isEmpty()) {
            sections.add(Page.Section.of("changes", "Lasting changes", Where.EVERYWHERE, changes()));
        }
        history.series().forEach(one -> sections.add(Page.Section.of(new HistoryChart(history, one))));
        sections.add(Page.Section.of("builds", "Builds", Where.HTML_FOLDED, builds()));
        return new Page(
                new Page.Head("history", report.title(), text.headline(), Optional.empty(), List.of()),
                List.of(answer()),
                notes(),
                sections,
                history.series().stream()
                        .map(one -> new Page.Fact(Percentiles.name(one.percentile()), HistoryText.noise(one)))
                        .toList(),
                Page.Origin.of(report.command(), report.version(), LIMITS));
    }

    @Override
    public boolean passes() {
        return report.exitCode() == ExitCode.MET;
    }

    @Override
    public Record data() {
        return HistoryData.of(report, text.headline());
    }

    /** The build with the change, if all changed there. */
    private String since(List<Found> worse) {
        List<Integer> builds =
                worse.stream().map(one -> one.change().at()).distinct().toList();
        return builds.size() == 1
                ? " since " + history.builds().get(builds.get(0)).name()
                : "";
    }

    private Page.AnsweredQuestion answer() {
        if (history.series().isEmpty()) {
            return undecided(tooFew());
        }
        List<Found> worse = report.regressions();
        if (!worse.isEmpty()) {
            return Page.AnsweredQuestion.of(
                    "history",
                    Mark.BAD,
                    "slower",
                    "at "
                            + Numbers.list(worse.stream()
                                    .map(one -> Percentiles.name(one.percentile()))
                                    .toList())
                            + since(worse));
        }
        Optional<Incomparable> newest = history.newestLeftOut();
        if (newest.isPresent()) {
            boolean isFailing = newest.get().kind() == Incomparable.Kind.FAILS_MORE;
            return undecided("the newest build was left out: " + (isFailing ? "it fails more" : "measure it again"));
        }
        Optional<NotJudged> open =
                history.notJudged().stream().filter(NotJudged::isRequested).findFirst();
        if (open.isPresent()) {
            return undecided(open.get().text());
        }
        return Page.AnsweredQuestion.of(
                "history",
                Mark.GOOD,
                "not slower",
                "no rise beyond the tolerance" + (report.since().isEmpty() ? "" : " since " + report.since()));
    }

    private static Page.AnsweredQuestion undecided(String why) {
        return Page.AnsweredQuestion.ofMeasurement("history", Mark.BAD, "undecided", why);
    }

    private String tooFew() {
        int builds = history.builds().size();
        return builds < LevelChanges.LEAST_BUILDS
                ? "at least " + LevelChanges.LEAST_BUILDS + " comparable builds are needed, but there "
                        + (builds == 1 ? "was 1" : "were " + builds)
                : "the runs have too few requests for these percentiles";
    }

    private List<Page.Note> notes() {
        List<Page.Note> notes = new ArrayList<>();
        Optional<Incomparable> newest = history.newestLeftOut();
        List<Incomparable> all = Stream.concat(newest.stream(), history.leftOut().stream())
                .distinct()
                .toList();
        all.stream()
                .limit(MOST_NOTES)
                .forEach(one -> notes.add(
                        new Page.Note(newest.filter(one::equals).isPresent(), one.code(), "left out: " + one.text())));
        int more = all.size() - MOST_NOTES;
        if (more > 0) {
            notes.add(new Page.Note(false, "left_out", Numbers.count(more, "more run") + " left out, listed in JSON"));
        }
        history.notJudged().forEach(one -> notes.add(new Page.Note(one.isRequested(), "not_judged", one.text())));
        List<SlowOnce> older =
                slowOnce.stream().filter(one -> !one.isNewestOf(history)).toList();
        if (!older.isEmpty()) {
            int unnamed = older.size() - MOST_NOTES;
            notes.add(new Page.Note(
                    false,
                    "slow_once",
                    "slower once: "
                            + older.stream()
                                    .limit(MOST_NOTES)
                                    .map(one -> one.name() + " (" + one.percentileName() + " " + one.times() + ")")
                                    .collect(Collectors.joining(", "))
                            + (unnamed > 0 ? " and " + Numbers.count(unnamed, "older build") : "")));
        }
        if (!report.since().isEmpty()) {
            notes.add(new Page.Note(
                    false,
                    "since",
                    "changes up to " + report.since() + " are accepted: they do not affect the exit code"));
        }
        return notes;
    }

    private Table changes() {
        Table table = Table.with(
                Column.of(""),
                Column.words("at"),
                Column.words("since"),
                Column.of("before"),
                Column.of("after"),
                Column.of("change"),
                Column.of("95 % CI"),
                Column.words("possible builds"));
        for (Found one : history.changes()) {
            LevelChange change = one.change();
            String at = history.builds().get(change.at()).name();
            table = table.cells(
                    Cell.of(Percentiles.name(one.percentile())),
                    Cell.of(
                            change.isDrift()
                                    ? at + " to "
                                            + history.builds()
                                                    .get(change.until())
                                                    .name()
                                    : at),
                    Cell.of(change.isDrift() ? "drift" : text.ago(change.at())),
                    Cell.of(level(change.before())),
                    Cell.of(level(change.after())),
                    Cell.of(one.isRise() ? Mark.BAD : Mark.GOOD, ChangeText.of(change.change())),
                    Cell.of(ChangeText.of(change.low()) + " to " + ChangeText.of(change.high())),
                    Cell.of(text.mayBe(change)));
        }
        return table;
    }

    private static String level(double log) {
        return DurationText.rounded(LevelChange.nanos(log));
    }

    private Table builds() {
        List<Column> columns = new ArrayList<>(List.of(
                Column.words("build"),
                Column.words("measured"),
                Column.of("runs"),
                Column.of("requests"),
                Column.of("errors")));
        history.series().forEach(one -> columns.add(Column.of(Percentiles.name(one.percentile()))));
        Table table = new Table(columns, List.of());
        for (int i = 0; i < history.builds().size(); i++) {
            Build build = history.builds().get(i);
            Recording total = build.side().total();
            long planned = ComparedRun.planned(total);
            List<String> cells = new ArrayList<>(List.of(
                    build.name(),
                    build.started().map(Page::moment).orElse(""),
                    Numbers.count(build.runs().size()),
                    Numbers.count(planned),
                    PercentText.of((double) ComparedRun.notAnswered(total) / Math.max(1, planned))));
            history.series().forEach(one -> cells.add(PercentileCells.time(total, one.percentile())));
            table = table.row(cells);
        }
        return table;
    }

    /**
     * A build that is slower than those around it, beyond the tolerance and after the last accepted one.
     *
     * @param build index of the build
     * @param percentile the lowest at which it is
     * @param nanos at least, if {@code isLowerBound}
     */
    private record SlowOnce(
            int build, String name, double percentile, long nanos, boolean isLowerBound, long levelNanos) {
        /** Newest first. */
        static List<SlowOnce> of(HistoryReport report) {
            History history = report.history();
            List<SlowOnce> all = new ArrayList<>();
            for (int build = history.builds().size() - 1; build > report.place(); build--) {
                for (History.OfPercentile one : history.series()) {
                    long nanos = one.nanos().get(build);
                    long level = LevelChange.nanos(one.levels().level(build));
                    if (one.levels().outliers().contains(build) && nanos > level * (1 + report.tolerance())) {
                        Build slow = history.builds().get(build);
                        boolean isKnown = slow.side().total().isKnownAt(one.percentile());
                        all.add(new SlowOnce(build, slow.name(), one.percentile(), nanos, !isKnown, level));
                        break;
                    }
                }
            }
            return all;
        }

        boolean isNewestOf(History history) {
            return history.buildsSince(build) == 0;
        }

        String percentileName() {
            return Percentiles.name(percentile);
        }

        /** "6.00 ms, the others 2.00 ms". */
        String times() {
            return (isLowerBound ? "at least " : "") + DurationText.rounded(nanos) + ", the others "
                    + DurationText.rounded(levelNanos);
        }
    }

    /** A history in words, shared by all formats. */
    private record HistoryText(History history, List<Found> regressions, List<SlowOnce> slowOnce) {
        /**
         * "p99 rose by 18 to 27 % at a1b2c3d, 12 builds ago"; simultaneous changes are combined. A regression, which
         * decides the exit code, comes before any newer change, and what was not judged before both.
         */
        String headline() {
            return history.newestLeftOut()
                            .map(one -> "The newest build was left out: " + one.text() + ". ")
                            .orElse("")
                    + history.notJudged().stream()
                            .filter(NotJudged::isRequested)
                            .map(one -> one.text() + ". ")
                            .collect(Collectors.joining())
                    + found()
                    + slowOnce.stream()
                            .filter(one -> one.isNewestOf(history))
                            .map(one -> " The newest build " + (slowOnce.size() == 1 ? "alone " : "") + "is slower: "
                                    + one.percentileName() + " of "
                                    + one.name() + " is " + one.times()
                                    + ". One more such build would confirm a change.")
                            .collect(Collectors.joining());
        }

        private String found() {
            List<Found> changes = history.changes();
            if (history.series().isEmpty()) {
                int many = history.builds().size();
                return many < LevelChanges.LEAST_BUILDS
                        ? "No history yet: " + Numbers.count(many, "comparable build") + ", but at least "
                                + LevelChanges.LEAST_BUILDS + " are needed." + older()
                        : "No percentile can be judged in " + Numbers.count(many, "build") + ".";
            }
            if (changes.isEmpty()) {
                return "No lasting change in " + Numbers.count(history.builds().size(), "build") + ".";
            }
            Found leading =
                    changes.stream().filter(regressions::contains).findFirst().orElse(changes.get(0));
            List<String> parts = new ArrayList<>();
            changes.stream()
                    .filter(one -> isTogether(one.change(), leading.change()))
                    .sorted(Comparator.comparingDouble(Found::percentile))
                    .forEach(one -> parts.add(Percentiles.name(one.percentile())
                            + (parts.isEmpty() ? " " + verb(leading.change()) : "")
                            + " by " + range(one.change())));
            return Numbers.list(parts) + " " + where(leading.change()) + ".";
        }

        /** What would make a history. */
        private String older() {
            return history.leftOut().stream()
                    .filter(one -> one.kind() == Incomparable.Kind.OLDER)
                    .map(one -> " Left out: " + one.text() + ".")
                    .collect(Collectors.joining());
        }

        /** Whether both changes may belong to one build. */
        private static boolean isTogether(LevelChange one, LevelChange other) {
            return one.isDrift() == other.isDrift()
                    && (one.change() > 0) == (other.change() > 0)
                    && one.earliest() <= other.latest()
                    && other.earliest() <= one.latest();
        }

        private static String verb(LevelChange change) {
            return change.isDrift()
                    ? change.change() > 0 ? "drifted up" : "drifted down"
                    : change.change() > 0 ? "rose" : "fell";
        }

        /** "18 to 27 %", for a decrease "15 to 21 %". */
        static String range(LevelChange change) {
            double one = Math.abs(change.low());
            double other = Math.abs(change.high());
            boolean isSure = change.low() > 0 == change.high() > 0;
            String low = isSure ? percent(Math.min(one, other)) : "0";
            return low + " to " + percent(Math.max(one, other)) + " %";
        }

        private static String percent(double share) {
            return String.format(Locale.ROOT, share < 0.0995 ? "%.1f" : "%,.0f", 100 * share);
        }

        private String where(LevelChange change) {
            String at = history.builds().get(change.at()).name();
            if (change.isDrift()) {
                return "from " + at + " to "
                        + history.builds().get(change.until()).name() + ", gradually";
            }
            return "at " + at + ", " + ago(change.at());
        }

        /** "12 builds ago". */
        String ago(int build) {
            int ago = history.buildsSince(build);
            return ago == 0 ? "the newest build" : Numbers.count(ago, "build") + " ago";
        }

        /** "c1 to c3", if several builds may have caused a change. */
        String mayBe(LevelChange change) {
            if (change.isDrift() || change.earliest() == change.latest()) {
                return "";
            }
            return history.builds().get(change.earliest()).name() + " to "
                    + history.builds().get(change.latest()).name();
        }

        private static String within(History.OfPercentile one) {
            OptionalDouble within = one.levels().noiseWithin();
            return within.isPresent()
                    ? percent(within.getAsDouble()) + " % within runs"
                    : "unknown within runs, which are too short";
        }

        /** The variation between builds, and the change that would be visible. */
        static String noise(History.OfPercentile one) {
            String wandering = one.levels().wanders()
                    ? "unstable level: neighbouring builds resemble each other, so an apparent change may revert; "
                    : "";
            return wandering + "unchanged builds vary by "
                    + percent(one.levels().noise())
                    + " % (standard deviation; " + within(one)
                    + "). Detectable in about 80 % of cases: +"
                    + percent(one.levels().visible(5))
                    + " % after 5 builds, +" + percent(one.levels().visible(2)) + " % after 2";
        }
    }

    /** The percentiles of many builds, and the changes found in them. */
    public record HistoryData(
            @Key("") Head head,
            String headline,
            double tolerance,
            String since,
            List<Change> changes,
            List<PercentileSeries> percentiles,
            List<BuildData> builds,
            List<LeftOutRun> leftOut,
            List<NotJudgedData> notJudged,
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
                        history.buildsSince(change.at()),
                        LevelChange.nanos(change.before()),
                        LevelChange.nanos(change.after()),
                        change.change(),
                        change.low(),
                        change.high());
            }
        }

        /** One percentile of all builds, in order. */
        record PercentileSeries(
                String percentile,
                double noise,
                Known<Double> noiseWithinRuns,
                double visibleAfter2Builds,
                double visibleAfter5Builds,
                List<Long> valuesNs,
                List<Long> levelsNs,
                List<String> apart) {
            static PercentileSeries of(History history, History.OfPercentile one) {
                List<Long> levels = new ArrayList<>();
                for (int i = 0; i < history.builds().size(); i++) {
                    levels.add(LevelChange.nanos(one.levels().level(i)));
                }
                return new PercentileSeries(
                        Percentiles.name(one.percentile()),
                        one.levels().noise(),
                        Known.of(one.levels().noiseWithin(), "all runs are too short"),
                        one.levels().visible(2),
                        one.levels().visible(5),
                        one.nanos(),
                        levels,
                        one.levels().outliers().stream()
                                .map(place -> history.builds().get(place).name())
                                .toList());
            }
        }

        /** One build. */
        record BuildData(String name, Known<String> started, int runs, long requests, long notAnswered)
                implements OneLine {
            static BuildData of(Build build) {
                Recording total = build.side().total();
                return new BuildData(
                        build.name(),
                        Known.of(
                                build.started().map(Instant::toString),
                                "the file does not record when it was" + " measured"),
                        build.runs().size(),
                        ComparedRun.planned(total),
                        ComparedRun.notAnswered(total));
            }
        }

        /** A run that was left out, and the reason. */
        record LeftOutRun(String code, String text) implements OneLine {}

        /** A percentile for which too many builds are too short, and the reason. */
        record NotJudgedData(String percentile, boolean asked, String text) implements OneLine {}

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
                    history.series().stream()
                            .map(one -> PercentileSeries.of(history, one))
                            .toList(),
                    history.builds().stream().map(BuildData::of).toList(),
                    history.leftOut().stream()
                            .map(one -> new LeftOutRun(one.code(), one.text()))
                            .toList(),
                    history.notJudged().stream()
                            .map(one -> new NotJudgedData(
                                    Percentiles.name(one.percentile()), one.isRequested(), one.text()))
                            .toList(),
                    report.exitCode());
        }
    }

    /**
     * Everything a report of a history shows. Immutable.
     *
     * @param history the history
     * @param title what was measured
     * @param tolerance the accepted slowdown; 0 if none was given
     * @param since last build whose changes are known; empty if there is none
     * @param command command line, one word each
     * @param version Downbeat's version
     */
    public record HistoryReport(
            History history, String title, double tolerance, String since, List<String> command, String version) {
        public HistoryReport {
            command = List.copyOf(command);
        }

        private int place() {
            return since.isEmpty() ? -1 : history.indexOf(since).orElse(-1);
        }

        /** The last change of each percentile, if it is a slowdown beyond the tolerance and not known. */
        public List<Found> regressions() {
            return history.regressions(tolerance, place());
        }

        public int exitCode() {
            return history.exitCode(tolerance, place());
        }
    }
}
