package dev.downbeat.audit;

import dev.downbeat.audit.AuditFinding.Kind;
import dev.downbeat.audit.AuditResult.AuditVerdict;
import dev.downbeat.audit.AuditResult.Row;
import dev.downbeat.audit.ResultCollector.Users;
import dev.downbeat.audit.Stalls.FoundStall;
import dev.downbeat.audit.Stalls.FoundStall.AffectedUsers;
import dev.downbeat.stats.Numbers;
import dev.downbeat.stats.Percentiles;
import dev.downbeat.time.DurationText;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/** Judges another tool's result. Pure functions. */
public final class Audit {
    private static final List<Double> PERCENTILES = Percentiles.belowMax(Percentiles.Place.SUMMARY);
    private static final DateTimeFormatter TIME_OF_DAY = DateTimeFormatter.ofPattern("HH:mm:ss", Locale.ROOT);
    private static final long HALF_A_SECOND = 500_000_000;
    private static final int LEAST_BEYOND = 10;
    private static final int MOST_NAMED = 5;

    private final String name;
    private final ResultCollector collected;
    private final double tolerance;

    private Audit(String name, ResultCollector collected, double tolerance) {
        this.name = name;
        this.collected = collected;
        this.tolerance = tolerance;
    }

    /**
     * Judges a result, or each distribution in it.
     *
     * @param name name of the file
     * @param collected what was read from it: requests, or at least one distribution
     * @param tolerance by how much response times may exceed the printed ones: 0.1 for 10 %
     */
    public static List<AuditResult> of(String name, ResultCollector collected, double tolerance) {
        Audit audit = new Audit(name, collected, tolerance);
        return collected.count() > 0 && !collected.isCoarse()
                ? List.of(audit.ofRequests())
                : collected.distributions().stream()
                        .map(summary -> audit.new SummaryAudit(summary).audited())
                        .toList();
    }

    private AuditResult ofRequests() {
        List<FoundStall> stalls = Stalls.of(collected);
        RecoveredPlan plan = RecoveredPlan.of(collected, stalls);
        List<IsolatedSlowRequest> isolated = IsolatedSlowRequest.of(collected, stalls, plan);
        CallerBounds bounds = CallerBounds.of(collected, stalls, isolated);
        boolean isRecorded = bounds.areAsRecorded();
        List<Row> rows = new ArrayList<>();
        for (double percentile : PERCENTILES) {
            rows.add(row(percentile, bounds, isRecorded));
        }
        AuditVerdict verdict = AuditVerdict.of(rows, tolerance);
        List<AuditFinding> findings = new ArrayList<>();
        if (verdict == AuditVerdict.CANNOT_TELL) {
            isolated.stream().limit(MOST_NAMED).map(this::isolatedSlow).forEach(findings::add);
            bounds.fewStarts().map(this::fewerStarts).ifPresent(findings::add);
        }
        findings.addAll(notes(stalls, plan));
        findings.addAll(collected.findings());
        return new AuditResult(
                name,
                collected.tool(),
                collected.target(),
                collected.count(),
                collected.lengthNanos(),
                Optional.of(plan),
                rows,
                stalls,
                findings,
                verdict,
                tolerance);
    }

    /** Differences below the format's resolution are ignored. */
    private Row row(double percentile, CallerBounds bounds, boolean isRecorded) {
        long printed = collected.durations().getValueAtPercentile(percentile);
        boolean isJudged = beyond(collected.count(), percentile) >= LEAST_BEYOND;
        long rounding = collected.durationResolutionNanos();
        long least =
                rounding == 0 ? printed : Math.max(0, collected.durations().lowestEquivalentValue(printed) - rounding);
        long most = printed + rounding;
        if (!isRecorded) {
            long slack = collected.timeline().widthNanos() + collected.resolutionNanos();
            least = Math.max(least, bounds.low().atLeast(percentile) - slack);
            most = Math.max(Math.max(least, most), bounds.high().atMost(percentile) + slack);
        }
        return new Row(percentile, printed, least, OptionalLong.of(most), isJudged, rounding);
    }

    /** The requests expected beyond a percentile. Rounded, since 100 - 99.9 is not 0.1 in binary. */
    private static double beyond(long count, double percentile) {
        return Math.rint(count * (100 - percentile) * 1e4) / 1e6;
    }

    private List<AuditFinding> notes(List<FoundStall> stalls, RecoveredPlan plan) {
        List<AuditFinding> findings = new ArrayList<>();
        stalls.stream().limit(MOST_NAMED).map(this::stall).forEach(findings::add);
        if (stalls.size() > MOST_NAMED) {
            long longest =
                    stalls.stream().mapToLong(FoundStall::lengthNanos).max().orElse(0);
            findings.add(AuditFinding.weighty(
                    Kind.MORE_STALLS,
                    Numbers.count(stalls.size() - MOST_NAMED, "more stall was", "more stalls were")
                            + " found; the longest of all took "
                            + DurationText.rounded(longest)));
        }
        Users users = collected.users();
        if (users.areSerial() && !stalls.isEmpty() && users.longestGapOf() >= 0) {
            findings.add(AuditFinding.note(
                    Kind.GAP_OF_USER,
                    "from " + moment(users.longestGapAt()) + timesOfDay(users.longestGapAt(), users.longestGapAt()),
                    "the longest time from one start of a user to its next is "
                            + DurationText.rounded(users.longestGapNanos()) + "; the median is "
                            + DurationText.rounded(users.cycleNanos(50))));
        }
        if (collected.failed() * 100 >= collected.count()) {
            findings.add(AuditFinding.note(
                    Kind.FAILURES,
                    String.format(
                            Locale.ROOT,
                            "%,d of %,d requests failed; their times are among the percentiles",
                            collected.failed(),
                            collected.count())));
        }
        long median = collected.durations().getValueAtPercentile(50);
        resolution(collected.resolutionNanos(), median).ifPresent(findings::add);
        if (collected.count() / 100 < LEAST_BEYOND) {
            findings.add(AuditFinding.note(
                    Kind.FEW_SAMPLES,
                    String.format(Locale.ROOT, "p99 needs 1,000 requests, but the file has %,d", collected.count())));
        }
        if (plan.kind() == RecoveredPlan.Kind.CLOSED || plan.kind() == RecoveredPlan.Kind.THINKING) {
            findings.add(AuditFinding.note(
                    Kind.CLOSED_LOOP,
                    "a closed loop sends less while the service is slow: it shows only the waits of its own users"
                            + (plan.kind() == RecoveredPlan.Kind.CLOSED ? "; there was no planned rate" : "")));
        }
        return findings;
    }

    private static Optional<AuditFinding> resolution(long nanos, long median) {
        return nanos * 10 > median && nanos > 1_000
                ? Optional.of(AuditFinding.note(
                        Kind.RESOLUTION,
                        "times have a resolution of only " + DurationText.rounded(nanos) + "; the median is "
                                + DurationText.rounded(median)))
                : Optional.empty();
    }

    private AuditFinding isolatedSlow(IsolatedSlowRequest wait) {
        long unsent = Math.round(Math.max(1, wait.unsent()));
        return AuditFinding.weighty(
                Kind.SLOW_OR_STALLED,
                place(wait.request().startNanos(), wait.request().endNanos()),
                "one request took " + DurationText.rounded(wait.request().nanos())
                        + ". If its user waited for it, up to " + Numbers.count(unsent, "request was", "requests were")
                        + " never sent. The file does not show whether it did");
    }

    private AuditFinding fewerStarts(CallerBounds.FewStarts period) {
        return AuditFinding.weighty(
                Kind.FEWER_STARTS,
                place(period.fromNanos(), period.untilNanos()),
                "less than half as many requests started as before and after: the tool waited, was paused, or its clock"
                        + " changed; the file does not show which");
    }

    private AuditFinding stall(FoundStall stall) {
        String place = place(stall.fromNanos(), stall.untilNanos());
        String stuck = String.format(
                Locale.ROOT,
                "no response for %s with %s in flight",
                DurationText.rounded(stall.lengthNanos()),
                Numbers.count(stall.stuck(), "request"));
        if (stall.part().isPresent()) {
            return partial(stall, stall.part().get(), place);
        }
        if (!stall.isCoordinated()) {
            return AuditFinding.note(Kind.STALL, place, stuck + "; the tool went on sending");
        }
        if (!stall.isCertain() && stall.untilNanos() > collected.lastStartNanos()) {
            return AuditFinding.weighty(
                    Kind.SLOW_OR_STALLED,
                    place,
                    stuck
                            + "; nothing started afterwards: the load was over, or the tool waited; the file does not show"
                            + " which");
        }
        if (!stall.isCertain()) {
            return AuditFinding.weighty(
                    Kind.SLOW_OR_STALLED,
                    place,
                    stuck + ": a slow request or a stall of the service; the file does not show which");
        }
        return AuditFinding.weighty(
                Kind.OMITTED_REQUESTS,
                place,
                stuck
                        + "; at its usual rate the tool would have sent at least "
                        + Numbers.count(stall.omitted(), "more request"));
    }

    private AuditFinding partial(FoundStall stall, AffectedUsers part, String place) {
        String affected = part.users() > 0
                ? String.format(Locale.ROOT, "%,d of %,d users", part.users(), part.ofUsers())
                : String.format(Locale.ROOT, "%,d requests", stall.stuck());
        String together =
                affected + " waited up to " + DurationText.rounded(stall.lengthNanos()) + " and were answered together";
        if (!stall.isCoordinated() && stall.untilNanos() > collected.lastStartNanos()) {
            return AuditFinding.note(Kind.PART_STALLED, place, together + "; nothing started afterwards");
        }
        String stuck = together + "; others were answered meanwhile";
        if (!stall.isCoordinated()) {
            return AuditFinding.note(Kind.PART_STALLED, place, stuck + "; the tool went on sending");
        }
        return stall.isCertain()
                ? AuditFinding.weighty(
                        Kind.PART_STALLED,
                        place,
                        stuck + "; at least " + Numbers.count(stall.omitted(), "request was", "requests were")
                                + " not sent")
                : AuditFinding.weighty(
                        Kind.SLOW_OR_STALLED,
                        place,
                        stuck + ": slow requests or a stall of part of the service; the file does not show which");
    }

    private String place(long fromNanos, long untilNanos) {
        return "from " + moment(fromNanos) + " to " + moment(untilNanos) + timesOfDay(fromNanos, untilNanos);
    }

    /** In the file's time of day if it has one, so that readers can look up the cause in other logs. */
    private String timesOfDay(long fromNanos, long untilNanos) {
        if (collected.timeOfDay(fromNanos).isEmpty()) {
            return "";
        }
        String first = timeOfDay(fromNanos);
        String last = timeOfDay(untilNanos);
        String zone = collected
                .zone()
                .map(offset -> offset.equals(ZoneOffset.UTC) ? " UTC" : " " + offset.getId())
                .orElse("");
        return " (" + first + (first.equals(last) ? "" : " to " + last) + zone + ")";
    }

    /** Rounded to the second, like the offset that precedes it. */
    private String timeOfDay(long nanos) {
        Instant moment = collected.timeOfDay(nanos + HALF_A_SECOND).orElseThrow();
        return TIME_OF_DAY.format(moment.atOffset(collected.zone().orElse(ZoneOffset.UTC)));
    }

    private static String moment(long nanos) {
        return String.format(Locale.ROOT, "%,.2f s", nanos / 1e9);
    }

    /**
     * Audits a distribution without individual requests. It does not show whether slow requests were spread out or
     * simultaneous. It therefore never proves a stall; at most it rules out a long one.
     */
    private final class SummaryAudit {
        private static final int STALL = 3;
        private static final int RISE = 10;

        private final Summary summary;
        private final List<AuditFinding> findings = new ArrayList<>();
        private boolean isPossible = true;

        SummaryAudit(Summary summary) {
            this.summary = summary;
        }

        AuditResult audited() {
            impossible();
            verticalRise();
            fewSamples();
            Optional.ofNullable(summary.percentiles().get(50.0))
                    .flatMap(median -> resolution(collected.durationResolutionNanos(), median))
                    .ifPresent(findings::add);
            findings.addAll(collected.findings());
            List<Row> rows = new ArrayList<>();
            summary.percentiles().forEach((percentile, nanos) -> {
                if (percentile >= 50 && percentile < 100 && isShown(percentile)) {
                    rows.add(row(percentile, nanos));
                }
            });
            return new AuditResult(
                    name,
                    collected.tool(),
                    collected.target(),
                    summary.count(),
                    summary.lengthNanos(),
                    RecoveredPlan.of(summary),
                    rows,
                    List.of(),
                    findings,
                    isPossible ? AuditResult.AuditVerdict.of(rows, tolerance) : AuditResult.AuditVerdict.CANNOT_TELL,
                    tolerance);
        }

        private Row row(double percentile, long printed) {
            long rounding = collected.durationResolutionNanos();
            OptionalLong most = upperBound(percentile, printed);
            return new Row(
                    percentile,
                    printed,
                    Math.max(0, printed - rounding),
                    most.isEmpty() ? most : OptionalLong.of(most.getAsLong() + rounding),
                    isJudged(percentile),
                    rounding);
        }

        /** Shows the percentiles that are commonly quoted, or all if there are few. */
        private boolean isShown(double percentile) {
            return summary.percentiles().size() <= 15
                    || Percentiles.belowMax(Percentiles.Place.JSON).contains(percentile);
        }

        private boolean isJudged(double percentile) {
            return percentile <= 99.9 && beyond(summary.timed(), percentile) >= LEAST_BEYOND;
        }

        /** The share of the time in which a caller may have hit a stall. */
        private double stalledShare(long median, long max) {
            boolean isOfTimed = summary.users() == 0
                    && summary.untimed() > 0
                    && summary.mean().isPresent();
            double inFlight = isOfTimed // at least
                    ? (double) summary.timed() * summary.mean().getAsLong()
                    : (double) summary.users() * summary.lengthNanos();
            if (inFlight == 0 || summary.lengthNanos() == 0 || summary.count() == 0) {
                return 1;
            }
            double below = 0;
            double shortest = 0;
            double last = 0;
            for (Map.Entry<Double, Long> each : summary.percentiles().entrySet()) {
                if (each.getValue() < STALL * median) {
                    below = each.getKey();
                    shortest += (each.getKey() - last) / 100 * floor(last);
                    last = each.getKey();
                }
            }
            double ofCounts = max < STALL * median ? 0 : beyond(summary.timed(), below) * max;
            double ofMean = summary.mean().isPresent()
                    ? summary.timed() * (summary.mean().getAsLong() - shortest)
                    : inFlight;
            double slow = Math.min(ofCounts, ofMean) + ofUntimed(isOfTimed ? Double.MAX_VALUE : inFlight, shortest);
            return Math.max(0, Math.min(1, slow / inFlight));
        }

        /** The time of requests without a recorded one: at most the whole run each, and what the others left. */
        private double ofUntimed(double inFlight, double shortest) {
            double left = inFlight
                    - summary.timed()
                            * (summary.mean().isPresent() ? summary.mean().getAsLong() : shortest);
            return Math.min((double) summary.untimed() * summary.lengthNanos(), Math.max(0, left));
        }

        private long floor(double percentile) {
            Map.Entry<Double, Long> below = summary.percentiles().floorEntry(percentile);
            return below == null || percentile == 0 ? 0 : below.getValue();
        }

        private OptionalLong upperBound(double percentile, long printed) {
            Map.Entry<Double, Long> middle = summary.percentiles().ceilingEntry(50.0);
            if (summary.isCorrected()) {
                return OptionalLong.of(printed);
            }
            if (summary.max().isEmpty() || middle == null) {
                return OptionalLong.empty();
            }
            long max = Math.max(printed, summary.max().getAsLong());
            boolean isRare = 2 * stalledShare(middle.getValue(), max) <= (100 - percentile) / 100;
            if (summary.untimed() > 0) { // the longest request is not known
                return isRare ? withUntimed(percentile, printed) : OptionalLong.empty();
            }
            return OptionalLong.of(isRare || max < STALL * middle.getValue() ? printed : max);
        }

        /** The most that a percentile can be if the requests without a time took longer than all others. */
        private OptionalLong withUntimed(double percentile, long printed) {
            if (10 * summary.untimed() < beyond(summary.timed(), percentile)) {
                return OptionalLong.of(printed); // too few to move it
            }
            double ofTimed = percentile * (1 + (double) summary.untimed() / Math.max(1, summary.timed()));
            Map.Entry<Double, Long> reached = summary.percentiles().ceilingEntry(ofTimed);
            if (reached != null) {
                return OptionalLong.of(reached.getValue());
            }
            return ofTimed <= 100 ? summary.max() : OptionalLong.empty();
        }

        private void impossible() {
            long before = 0;
            double at = 0;
            for (Map.Entry<Double, Long> each : summary.percentiles().entrySet()) {
                if (each.getValue() < before) {
                    impossible(percentile(each.getKey()) + " is " + DurationText.rounded(each.getValue()) + " and "
                            + percentile(at) + " is " + DurationText.rounded(before));
                }
                before = each.getValue();
                at = each.getKey();
            }
            if (summary.max().isPresent() && before > summary.max().getAsLong() * 1.002 + 1_000) {
                impossible(percentile(at) + " is " + DurationText.rounded(before) + ", more than the maximum of "
                        + DurationText.rounded(summary.max().getAsLong()));
            }
            if (summary.mean().isPresent()
                    && summary.max().isPresent()
                    && summary.mean().getAsLong() > summary.max().getAsLong() * 1.002 + 1_000) {
                impossible("the mean is " + DurationText.rounded(summary.mean().getAsLong())
                        + ", more than the maximum of "
                        + DurationText.rounded(summary.max().getAsLong()));
            }
        }

        private void impossible(String contradiction) {
            isPossible = false;
            findings.add(AuditFinding.weighty(
                    Kind.IMPOSSIBLE_PERCENTILES,
                    contradiction + ": they were rounded, averaged or estimated, not counted"));
        }

        /** Notes the highest percentile, from p90 to p99.9, from which the next one or the maximum is far away. */
        private void verticalRise() {
            if (summary.isCorrected() || summary.max().isEmpty()) {
                return;
            }
            long max = summary.max().getAsLong();
            long next = max;
            Map.Entry<Double, Long> last = summary.percentiles().floorEntry(99.9);
            while (last != null && last.getKey() >= 90 && next <= RISE * Math.max(1, last.getValue())) {
                next = last.getValue();
                last = summary.percentiles().lowerEntry(last.getKey());
            }
            if (last != null && last.getKey() >= 90) {
                findings.add(AuditFinding.weighty(
                        Kind.VERTICAL_RISE,
                        String.format(
                                Locale.ROOT,
                                "the maximum, %s, is %,d times %s, typical of a stall during which the tool waited."
                                        + " Without per-request times, a few slow requests look the same",
                                DurationText.rounded(max),
                                Math.round((double) max / Math.max(1, last.getValue())),
                                percentile(last.getKey()))));
            }
        }

        private void fewSamples() {
            for (Map.Entry<Double, Long> each : summary.percentiles().entrySet()) {
                double beyond = beyond(summary.timed(), each.getKey());
                if (summary.count() > 0
                        && each.getKey() < 100
                        && each.getKey() <= 99.99
                        && beyond < LEAST_BEYOND
                        && isShown(each.getKey())) {
                    findings.add(AuditFinding.note(
                            Kind.FEW_SAMPLES,
                            String.format(
                                    Locale.ROOT,
                                    "%s rests on %,d of %,d requests",
                                    percentile(each.getKey()),
                                    Math.round(beyond),
                                    summary.timed())));
                    break;
                }
            }
            if (summary.count() == 0) {
                findings.add(AuditFinding.weighty(
                        Kind.NO_COUNT, "the file has no number of requests, so none of its percentiles is judged"));
            }
            if (summary.isCorrected()) {
                findings.add(AuditFinding.note(
                        Kind.ALREADY_CORRECTED,
                        "the times already count from the intended times and are not corrected again"));
            }
            if (summary.failed() > 0) {
                findings.add(AuditFinding.note(
                        Kind.FAILURES,
                        Numbers.count(summary.failed(), "request")
                                + " failed; whether their times are among the percentiles depends on the tool"));
            }
        }

        private static String percentile(double percentile) {
            String text = Double.toString(percentile);
            return "p" + (text.endsWith(".0") ? text.substring(0, text.length() - 2) : text);
        }
    }
}
