package dev.downbeat.report.view;

import dev.downbeat.analysis.Analysis;
import dev.downbeat.exchange.StreamCounts;
import dev.downbeat.exchange.TargetCounts;
import dev.downbeat.record.Distribution;
import dev.downbeat.record.Interruptions.Pause;
import dev.downbeat.record.Ledger;
import dev.downbeat.record.PartNames;
import dev.downbeat.record.Recording;
import dev.downbeat.record.recorder.ResponseGapDetector;
import dev.downbeat.report.data.ClockLabels;
import dev.downbeat.report.data.PercentileCells;
import dev.downbeat.report.data.RunReport;
import dev.downbeat.report.data.TailBands;
import dev.downbeat.report.render.Lines;
import dev.downbeat.report.render.Page;
import dev.downbeat.run.RunResult;
import dev.downbeat.run.RunSpan;
import dev.downbeat.run.ShardRun;
import dev.downbeat.run.Workload;
import dev.downbeat.selfcheck.GeneratorHealth;
import dev.downbeat.simulate.QueueLengths;
import dev.downbeat.stats.KaplanMeier;
import dev.downbeat.stats.Numbers;
import dev.downbeat.stats.Percentiles;
import dev.downbeat.stats.QuantileInterval;
import dev.downbeat.time.DurationText;
import dev.downbeat.verdict.JudgedObjective;
import dev.downbeat.verdict.bound.ResponseBounds;
import dev.downbeat.verdict.bound.ResponseIntervals;
import dev.downbeat.verdict.caveat.Caveat.Unsteady;
import dev.downbeat.verdict.caveat.CaveatText;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** The sentences of a report, one line each and without layout, shared by all formats for readers. */
public final class RunFacts {
    private static final int REASONS_SHOWN = 8;
    /** Shorter waits also occur if a connection is free at once. */
    private static final long NOTABLE_WAIT_NANOS = 1_000_000;

    /** The largest share of requests called a tail: one in this many. */
    private static final int LARGEST_TAIL = 20;

    private final RunReport report;
    private final RunResult result;
    private final Recording recording;
    private final ConnectionFacts connections;
    private final ClockLabels words;

    public RunFacts(RunReport report) {
        this.report = report;
        this.result = report.result();
        this.recording = result.recording();
        this.connections = new ConnectionFacts(report);
        this.words = ClockLabels.of(result);
    }

    /**
     * "INTERRUPTED after 3.8 s of 20 s: partial", "CUT OFF (shard 1 of 2) after 4.0 s of 6 s: partial"; empty if the run
     * is complete.
     */
    public String partial() {
        if (result.isComplete() || result.isNothing()) {
            return "";
        }
        long planned = result.plan().durationNanos();
        boolean isBounded = planned != Long.MAX_VALUE
                && !(result.plan().workload() instanceof Workload.External); // whose plan ends with its last request
        if (result.ending() == RunSpan.Ending.DECIDED) {
            return "DECIDED after " + Numbers.seconds(result.durationNanos())
                    + (isBounded ? " of at most " + DurationText.format(planned) : "");
        }
        String of = isBounded ? " of " + DurationText.format(planned) : "";
        List<ShardRun> some = result.shardsWithEnding();
        long nanos = some.stream().mapToLong(ShardRun::durationNanos).min().orElse(result.durationNanos());
        String shards = word(result.ending()) + names(some);
        if (!some.isEmpty() && nanos == 0) {
            return shards + ": partial"; // sums saved before have no times of single shards
        }
        String ending = shards + " after " + Numbers.seconds(nanos);
        return isBounded && nanos > planned
                ? ending + ", " + Numbers.seconds(nanos - planned) + " after the load ended: partial"
                : ending + of + ": partial";
    }

    private String names(List<ShardRun> shards) {
        List<Integer> numbers = shards.stream().map(ShardRun::shard).sorted().toList();
        return shards.isEmpty()
                ? ""
                : " (" + CaveatText.shards(numbers, result.shards().size()) + ")";
    }

    public static String word(RunSpan.Ending ending) {
        return ending.name().replace('_', ' ');
    }

    String sender() {
        Ledger ledger = result.ledger();
        if (words.isIncoming()) {
            return Numbers.count(ledger.sent()) + " taken in";
        }
        String late = knowsLateness(result)
                ? "at worst " + DurationText.rounded(recording.lateness().maxNanos()) + " late; "
                : "";
        return late + Numbers.count(ledger.sent()) + " of " + Numbers.count(ledger.planned()) + " sent";
    }

    /** A live recorder sees neither intended nor actual send times. */
    static boolean knowsLateness(RunResult result) {
        return !(result.plan().workload() instanceof Workload.External external && external.isLive());
    }

    /** All facts, including those of some runs only. */
    List<Page.Fact> all() {
        return facts(IncidentFacts.of(report).all());
    }

    /** The facts for a screen; the ledger only if a response is missing. */
    List<Page.Fact> brief() {
        return facts(IncidentFacts.of(report).brief()).stream()
                .filter(fact -> !fact.isDetail())
                .toList();
    }

    private List<Page.Fact> facts(List<Page.Fact> incidents) {
        List<Page.Fact> facts = new ArrayList<>();
        Ledger sum = result.ledger();
        facts.add(new Page.Fact("ledger", ledger(), sum.addsUp() && sum.answered() == sum.planned()));
        String again = sentAgain();
        if (!again.isEmpty()) {
            facts.add(new Page.Fact("sent again", again));
        }
        if (!result.counts().unreached().isEmpty()) {
            facts.add(new Page.Fact("addresses", unreached(), false));
        }
        if (result.isNothing()) {
            return facts;
        }
        facts.add(Page.Fact.detail("throughput", throughput()));
        if (!recording.failures().isEmpty()) {
            facts.add(new Page.Fact("failures", failures()));
            if (!recording.failed().isEmpty()) {
                facts.add(new Page.Fact("", failedTimes()));
            }
        }
        if (!recording.tallies().isAllSuccess() || recording.statuses().size() > 1) {
            facts.add(new Page.Fact("statuses", statuses()));
        }
        if (knowsLateness(result) && !result.health().isUnknown()) {
            facts.add(Page.Fact.detail("backlog", backlog()));
        }
        report.queue()
                .map(queue -> new QueueText(queue, result.plan().durationNanos()))
                .ifPresent(queue -> {
                    facts.add(new Page.Fact("queue", queue.sentence()));
                    if (queue.queue().most() > 0) {
                        facts.add(new Page.Fact("over time", queue.chart()));
                    }
                });
        String confidence = IntervalText.of(report.analysis());
        if (!confidence.isEmpty()) {
            facts.add(Page.Fact.detail("95 % CI", confidence));
        }
        Unfinished.sentence(report.analysis()).ifPresent(estimate -> facts.add(new Page.Fact("estimate", estimate)));
        report.analysis()
                .steadiness()
                .filter(steadiness -> steadiness.change().isEmpty() || !isChangeNoted())
                .ifPresent(steadiness -> facts.add(
                        steadiness.change().isPresent() || !steadiness.found().isJudged() && isTimeUndecided()
                                ? new Page.Fact("steadiness", steadiness.text())
                                : Page.Fact.detail("steadiness", steadiness.text())));
        String tail = tail();
        if (!tail.isEmpty()) {
            facts.add(Page.Fact.detail("tail", tail));
        }
        facts.addAll(incidents);
        facts.addAll(new WhyParts(report.why()).facts());
        facts.addAll(connections.all());
        if (!result.counts().isEmpty()) {
            facts.add(Page.Fact.detail("counters", counts()));
        }
        if (!words.isIncoming()) { // the pauses of a service that records its own requests are reported above
            String health = health();
            if (!health.isEmpty()) {
                facts.add(
                        result.shards().isEmpty()
                                ? Page.Fact.detail("Downbeat", health)
                                : new Page.Fact("the worst", health));
            }
        }
        return facts;
    }

    public String ledger() {
        return ledger(result);
    }

    /** The fates of all requests as a sum, breakable only before a plus. */
    public static String ledger(RunResult result) {
        Recording recording = result.recording();
        Ledger ledger = recording.ledger();
        String unsent =
                ledger.timedOutUnsent() == 0 ? "" : " (" + Numbers.count(ledger.timedOutUnsent()) + " of them unsent)";
        return term("planned", ledger.planned()) + (ledger.addsUp() ? " = " : " IS NOT ")
                + term("answered", ledger.answered()) + " " + term("+ failed", ledger.failed()) + " "
                + term("+ timed out", ledger.timedOut()) + unsent + " " + term("+ in flight", ledger.inFlight()) + " "
                + term("+ never sent", ledger.neverSent())
                + unsent(ledger.unconnected() - recording.unbuilt(), whyUnsent(result))
                + unsent(recording.unbuilt(), "could not be built");
    }

    /** A request without a connection has no stream either. */
    private static String whyUnsent(RunResult result) {
        if (result.counts().count(TargetCounts.WITHOUT_STREAMS) > 0) {
            return "the server allows no streams";
        }
        return result.connections().streams().begun() > 0 ? "got no connection or stream" : "got no connection";
    }

    private static String unsent(long count, String reason) {
        return count == 0 ? "" : "; " + Numbers.count(count) + " of these unsent: " + reason;
    }

    private String unreached() {
        return String.join("; ", result.counts().unreached().keySet()) + "; another address of the host was used";
    }

    /** Not a fate: requests that were sent again have one in the ledger. */
    private String sentAgain() {
        StreamCounts streams = result.connections().streams();
        if (streams.sentAgain() == 0) {
            return "";
        }
        String them = streams.sentAgain() == 1 ? "it" : "them";
        return Numbers.count(streams.sentAgain(), "request")
                + (streams.begun() > 0
                        ? ": the server had not processed " + them + " (GOAWAY or REFUSED_STREAM)"
                        : ": a kept connection closed before the response; the server may have processed " + them);
    }

    private static String term(String name, long count) {
        return (name + " " + Numbers.count(count)).replace(" ", Lines.GLUE);
    }

    private String throughput() {
        String window = DurationText.rounded(result.windowNanos());
        String answered = DurationText.rounded(result.throughput().overNanos());
        return Numbers.rate(result.intendedPerSecond()) + (words.isIncoming() ? " taken in" : " intended")
                + (answered.equals(window) ? "" : " over " + window) + ", "
                + Numbers.rate(result.throughput().perSecond()) + " answered over " + answered
                + (isAnsweredLater(result)
                        ? ", " + Numbers.count(answeredLater(result)) + " after the load ended"
                        : "");
    }

    /** "497/s answered", or if most answers came later, "3/s answered, 44 after the load ended". */
    static String answered(RunResult result) {
        String rate = Numbers.rate(result.throughput().perSecond()) + " answered";
        if (!isAnsweredLater(result)) {
            return rate;
        }
        String later = Numbers.count(answeredLater(result)) + " after the load ended";
        return result.throughput().answered() > 0
                ? rate + ", " + later
                : (result.ledger().answered() == result.ledger().planned()
                                ? "all"
                                : Numbers.count(answeredLater(result)))
                        + " answered after the load ended";
    }

    /** Whether a rate of answers under load describes the smaller part of them, as with delayed deliveries. */
    private static boolean isAnsweredLater(RunResult result) {
        return 2 * answeredLater(result) > result.ledger().answered();
    }

    private static long answeredLater(RunResult result) {
        return result.ledger().answered() - result.throughput().answered();
    }

    private String failures() {
        Map<String, Long> failures = recording.failures();
        String text = failures.entrySet().stream()
                .sorted(Map.Entry.<String, Long>comparingByValue().reversed())
                .limit(REASONS_SHOWN)
                .map(failure -> Numbers.count(failure.getValue()) + " " + failure.getKey())
                .collect(Collectors.joining(", "));
        int more = failures.size() - REASONS_SHOWN;
        return more <= 0 ? text : text + " and " + Numbers.count(more, "more reason");
    }

    /** Shown unless all are 2xx. Redirects count as answers and are not followed. */
    private String statuses() {
        String counted = recording.statuses().entrySet().stream()
                .map(status -> Numbers.count(status.getValue()) + " with " + status.getKey())
                .collect(Collectors.joining(", "));
        long redirected = recording.tallies().redirects(recording.ledger().answered());
        return 2 * redirected < recording.response().count() || redirected == 0
                ? counted
                : counted + ": you are measuring the redirect, which is not followed";
    }

    /** Response times of failed requests, which the percentiles exclude. */
    private String failedTimes() {
        Distribution failed = recording.failed();
        boolean hasMedian = ResponseBounds.hasEnoughFor(50, failed.count());
        return "response times of failed requests: "
                + (hasMedian ? "p50 " + DurationText.rounded(failed.valueAtPercentile(50)) + ", " : "")
                + (ResponseBounds.hasEnoughFor(99, failed.count())
                        ? "p99 " + DurationText.rounded(failed.valueAtPercentile(99)) + ", "
                        : "")
                + "max " + DurationText.rounded(failed.maxNanos());
    }

    private String backlog() {
        if (result.lanes().peakBacklog() == 0) {
            long unsent = recording.ledger().timedOutUnsent();
            if (unsent > 0) {
                return "none, but " + Numbers.count(unsent, "request") + " timed out unsent";
            }
            long waited = recording.backlogWait().maxNanos();
            long late = recording.lateness().maxNanos();
            if (late >= NOTABLE_WAIT_NANOS && late > waited) {
                return "none, but requests were sent up to " + DurationText.rounded(late) + " late";
            }
            return waited < NOTABLE_WAIT_NANOS
                    ? "none: every request was sent on time"
                    : "none; within Downbeat, requests waited up to " + DurationText.rounded(waited) + " to be sent";
        }
        return "peak " + Numbers.count(result.lanes().peakBacklog()) + " at "
                + Numbers.seconds(result.lanes().peakBacklogAtNanos())
                + (connections.hasStreams() ? ": no stream free" : "");
    }

    /** Whether the verdict notes that the service changed. The verdict of an older version may not. */
    private boolean isChangeNoted() {
        return report.verdict().caveats().stream().anyMatch(Unsteady.NotSteady.class::isInstance);
    }

    /** Whether an objective on times is undecided: a service that may be changing can be the reason. */
    private boolean isTimeUndecided() {
        return report.verdict().objectives().stream()
                .anyMatch(objective ->
                        objective.slo().isOfTimes() && objective.status() == JudgedObjective.Status.UNDECIDED);
    }

    /** Empty without a tail: parts not recorded, too few answers, requests not seen to end, or equal response times. */
    private String tail() {
        ResponseBounds bounds = report.analysis().response();
        TailBands.Band slowest = TailBands.beyond(recording, 99);
        if (slowest.count() == 0
                || !bounds.hasEnoughFor(99)
                || !bounds.isKnownAt(99)
                || slowest.count() > bounds.count() / LARGEST_TAIL) {
            return "";
        }
        return "time of the " + Numbers.count(slowest.count(), "slowest response") + " (p99 and beyond): "
                + slowest.shares(PartNames.of(result.connections(), result.counts()));
    }

    private String counts() {
        List<String> parts = new ArrayList<>();
        result.counts().all().forEach((name, count) -> parts.add(name + " " + Numbers.count(count)));
        result.counts()
                .amplification()
                .ifPresent(factor -> parts.add(String.format(Locale.ROOT, "amplification %.3f", factor)));
        return String.join(", ", parts);
    }

    /** Empty if nothing is known. */
    private String health() {
        GeneratorHealth health = result.health();
        if (health.isIdeal()) {
            return "in virtual time: never late, never paused";
        }
        List<String> parts = new ArrayList<>();
        if (!health.isUnknown()) {
            parts.add(longestPause());
            parts.add(
                    health.gcCount() == 0
                            ? "no GC"
                            : Numbers.count(health.gcCount()) + " GC, longest "
                                    + DurationText.rounded(health.largestGcNanos()));
        }
        health.cores()
                .ifPresent(cores -> parts.add(
                        result.shards().isEmpty()
                                ? String.format(
                                        Locale.ROOT,
                                        "%.2f of %d cores",
                                        cores,
                                        report.machine().cores())
                                : String.format(Locale.ROOT, "%.2f cores in all", cores)));
        RunReport.REASONS.forEach((name, of) -> {
            Object reason = report.details().get(name);
            if (reason != null) {
                parts.add(of.replace('_', ' ') + " " + report.details().get(of) + ": " + reason);
            }
        });
        if (health.stealNanos() > 0) {
            parts.add("steal " + DurationText.rounded(health.stealNanos()));
        }
        return String.join("; ", parts);
    }

    private String longestPause() {
        Pause longest = result.longestPause();
        if (longest.lengthNanos() > 0) {
            return "longest pause " + DurationText.rounded(longest.lengthNanos()) + " at "
                    + Numbers.seconds(longest.fromNanos());
        }
        return result.health().largestHiccupNanos() > 0
                ? "no pause of " + DurationText.rounded(ResponseGapDetector.PAUSE_NANOS) + " or longer"
                : "longest pause 0 ns";
    }

    /** The intervals of the percentiles, and the run length that gives an upper end to the first without one. */
    private static final class IntervalText {
        private static final double LONGEST_ADVICE_NANOS = 24 * 3600e9;

        private IntervalText() {}

        static String of(Analysis analysis) {
            ResponseIntervals intervals = analysis.intervals();
            List<String> parts = new ArrayList<>();
            String advice = "";
            for (double percentile : Percentiles.belowMax(Percentiles.Place.TABLE)) {
                Optional<QuantileInterval> interval = analysis.observations().interval(percentile);
                if (interval.isEmpty() || interval.get().lowNanos().isEmpty()) {
                    if (interval.isEmpty() && intervals.at(percentile).isPresent()) {
                        parts.add(Percentiles.name(percentile) + " one event");
                    }
                    continue;
                }
                parts.add(Percentiles.name(percentile) + " " + PercentileCells.range(interval.get()));
                if (interval.get().highNanos().isEmpty() && advice.isEmpty()) {
                    advice = intervals
                            .neededNanos(percentile)
                            .filter(nanos -> nanos <= LONGEST_ADVICE_NANOS)
                            .map(nanos -> "; an upper bound of " + Percentiles.name(percentile)
                                    + " needs a run of about " + ResponseIntervals.about(nanos))
                            .orElse("");
                }
            }
            if (parts.isEmpty()) {
                return "";
            }
            String memory = intervals.memoryText(50).map(text -> "; " + text).orElse("");
            return String.join(", ", parts) + advice + memory + "; events rarer than one per "
                    + DurationText.rounded(intervals.rarestNanos().orElseThrow()) + " may not be covered";
        }
    }

    /** The queue of a simulated service, in words and as a chart of one line. */
    private record QueueText(QueueLengths queue, long loadNanos) {
        private static final int COLUMNS = 40;
        private static final String BARS = "._-:=+*#%@";

        String sentence() {
            if (queue.most() == 0) {
                return "none: no request queued for a server";
            }
            String text = String.format(
                    Locale.ROOT,
                    "%,.1f requests waiting on average, at most %,d (at %s)",
                    queue.mean(),
                    queue.most(),
                    Numbers.seconds(queue.mostAtNanos()));
            if (loadNanos == Long.MAX_VALUE) {
                return text;
            }
            text += ", " + Numbers.count(queue.atEndOfLoad()) + " when the load ended";
            return queue.grows(loadNanos) ? text + ": it grew by " + Numbers.rate(queue.growthPerSecond()) : text;
        }

        /** The longest queue of each part of the run, relative to the longest of all. */
        String chart() {
            List<QueueLengths.Stretch> stretches = queue.stretches();
            int columns = Math.min(COLUMNS, stretches.size());
            StringBuilder bars = new StringBuilder();
            for (int column = 0; column < columns; column++) {
                int from = column * stretches.size() / columns;
                int to = (column + 1) * stretches.size() / columns;
                long most = 0;
                for (QueueLengths.Stretch stretch : stretches.subList(from, to)) {
                    most = Math.max(most, stretch.most());
                }
                bars.append(BARS.charAt(height(most)));
            }
            long endNanos = stretches.isEmpty()
                    ? 0
                    : stretches.get(stretches.size() - 1).endNanos();
            return bars + " to " + Numbers.seconds(endNanos);
        }

        private int height(long length) {
            return queue.most() == 0 ? 0 : (int) (length * (BARS.length() - 1) / queue.most());
        }
    }

    /**
     * Estimates the percentiles if censored requests resembled the others (Kaplan and Meier), next to the bounds, which
     * hold in any case. Only for runs that ended with requests in flight, whose ages are known. With timeouts or a stalled
     * service the assumption would be false.
     */
    static final class Unfinished {
        private Unfinished() {}

        /** Those percentiles of the table that are not exact; empty if all are, or the assumption would be false. */
        static Map<Double, Long> nanos(Analysis analysis) {
            RunResult result = analysis.result();
            Recording recording = result.recording();
            long inFlight = recording.ledger().inFlight();
            boolean stalled = analysis.events().stream()
                    .anyMatch(incident -> incident.startNanos() + incident.lengthNanos() >= result.durationNanos());
            Map<Double, Long> nanos = new TreeMap<>();
            boolean areAgesKnown = result.ending() != RunSpan.Ending.CUT_OFF
                    && !result.health().isUnknown();
            if (inFlight == 0 || inFlight != recording.censored().count() || stalled || !areAgesKnown) {
                return nanos;
            }
            ResponseBounds bounds = analysis.response();
            KaplanMeier estimate = KaplanMeier.of(recording.response(), recording.censored());
            for (double percentile : Percentiles.belowMax(Percentiles.Place.TABLE)) {
                if (bounds.hasEnoughFor(percentile) && !bounds.isKnownAt(percentile)) {
                    estimate.valueAtPercentile(percentile).ifPresent(time -> nanos.put(percentile, time));
                }
            }
            return nanos;
        }

        /** One sentence; empty if there is no estimate. */
        static Optional<String> sentence(Analysis analysis) {
            String parts = nanos(analysis).entrySet().stream()
                    .map(one -> Percentiles.name(one.getKey()) + " " + DurationText.rounded(one.getValue()))
                    .collect(Collectors.joining(", "));
            return parts.isEmpty()
                    ? Optional.empty()
                    : Optional.of(parts + ", if the "
                            + Numbers.count(analysis.result().ledger().inFlight(), "request")
                            + " in flight at the end were like the others (Kaplan-Meier)");
        }
    }
}
