package dev.downbeat.audit;

import dev.downbeat.audit.Audited.Row;
import dev.downbeat.audit.Audited.Verdict;
import dev.downbeat.audit.FoundStall.Part;
import dev.downbeat.stats.Percentiles;
import dev.downbeat.time.DurationText;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import org.HdrHistogram.Histogram;

/** Judges another tool's result. Pure functions. */
public final class Audit {
    private static final List<Double> PERCENTILES = Percentiles.belowMax(Percentiles.Place.SUMMARY);
    private static final DateTimeFormatter TIME_OF_DAY =
            DateTimeFormatter.ofPattern("HH:mm:ss", Locale.ROOT).withZone(ZoneOffset.UTC);
    private static final int LEAST_BEYOND = 10;
    private static final int MOST_NAMED = 5;

    private final String name;
    private final Collected collected;
    private final double tolerance;

    private Audit(String name, Collected collected, double tolerance) {
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
    public static List<Audited> of(String name, Collected collected, double tolerance) {
        Audit audit = new Audit(name, collected, tolerance);
        return collected.count() > 0 && !collected.isCoarse()
                ? List.of(audit.ofRequests())
                : collected.distributions().stream()
                        .map(summary -> new SummaryAudit(name, collected, summary, tolerance).audited())
                        .toList();
    }

    private Audited ofRequests() {
        List<FoundStall> stalls = Stalls.of(collected);
        RecoveredPlan plan = RecoveredPlan.of(collected, stalls);
        CallerBounds bounds = CallerBounds.of(collected, stalls, plan);
        boolean isRecorded = bounds.areRecorded();
        List<Row> rows = new ArrayList<>();
        for (double percentile : PERCENTILES) {
            rows.add(row(percentile, bounds, isRecorded));
        }
        List<AuditFinding> findings = new ArrayList<>(collected.findings());
        findings.addAll(0, found(stalls, plan));
        return new Audited(
                name,
                collected.tool(),
                collected.target(),
                collected.count(),
                collected.lengthNanos(),
                Optional.of(plan),
                rows,
                stalls,
                findings,
                Verdict.of(rows, tolerance),
                tolerance,
                Optional.of(isRecorded ? collected.durations() : bounds.low().histogram()),
                Optional.of(isRecorded ? collected.durations() : bounds.high().histogram()));
    }

    /** Differences below the format's resolution are ignored. */
    private Row row(double percentile, CallerBounds bounds, boolean isRecorded) {
        Histogram durations = collected.durations();
        long printed = durations.getValueAtPercentile(percentile);
        boolean isJudged = collected.count() * (100 - percentile) / 100 >= LEAST_BEYOND;
        if (isRecorded) {
            return new Row(percentile, printed, printed, OptionalLong.of(printed), isJudged);
        }
        long slack = collected.timeline().widthNanos() + collected.resolutionNanos();
        long least = Math.max(printed, bounds.low().atLeast(percentile) - slack);
        long most = Math.max(least, bounds.high().atMost(percentile) + slack);
        return new Row(percentile, printed, least, OptionalLong.of(most), isJudged);
    }

    private List<AuditFinding> found(List<FoundStall> stalls, RecoveredPlan plan) {
        List<AuditFinding> findings = new ArrayList<>();
        stalls.stream().limit(MOST_NAMED).map(this::stall).forEach(findings::add);
        if (stalls.size() > MOST_NAMED) {
            long longest =
                    stalls.stream().mapToLong(FoundStall::lengthNanos).max().orElse(0);
            findings.add(AuditFinding.weighty(
                    "more_stalls",
                    "",
                    (stalls.size() - MOST_NAMED) + " more stalls were found; the longest of all took "
                            + DurationText.rounded(longest)));
        }
        Users users = collected.users();
        if (users.areSerial() && !stalls.isEmpty() && users.longestGapOf() >= 0) {
            findings.add(AuditFinding.note(
                    "gap_of_user",
                    "from " + moment(users.longestGapAt()) + timesOfDay(users.longestGapAt(), users.longestGapAt()),
                    "the longest time from one start of a user to its next is "
                            + DurationText.rounded(users.longestGapNanos()) + "; the median is "
                            + DurationText.rounded(users.cycleNanos(50))));
        }
        if (collected.failed() * 100 >= collected.count()) {
            findings.add(AuditFinding.note(
                    "failures",
                    "",
                    String.format(
                            Locale.ROOT,
                            "%,d of %,d requests failed; their times are among the percentiles",
                            collected.failed(),
                            collected.count())));
        }
        long median = collected.durations().getValueAtPercentile(50);
        if (collected.resolutionNanos() * 10 > median && collected.resolutionNanos() > 1_000) {
            findings.add(AuditFinding.note(
                    "resolution",
                    "",
                    "times are written in steps of " + DurationText.rounded(collected.resolutionNanos())
                            + ", and the median is " + DurationText.rounded(median)));
        }
        if (collected.count() / 100 < LEAST_BEYOND) {
            findings.add(AuditFinding.note(
                    "few_samples",
                    "",
                    String.format(Locale.ROOT, "%,d requests are too few for p99: it needs 1,000", collected.count())));
        }
        if (plan.kind() == RecoveredPlan.Kind.CLOSED || plan.kind() == RecoveredPlan.Kind.THINKING) {
            findings.add(AuditFinding.note(
                    "closed_loop",
                    "",
                    "a closed loop sends less while the service is slow: it shows what its own users waited, and no rate was"
                            + " planned"));
        }
        return findings;
    }

    private AuditFinding stall(FoundStall stall) {
        String place = "from " + moment(stall.fromNanos()) + " to " + moment(stall.untilNanos())
                + timesOfDay(stall.fromNanos(), stall.untilNanos());
        String stuck = String.format(
                Locale.ROOT,
                "no request was answered for %s, while %s in flight",
                DurationText.rounded(stall.lengthNanos()),
                stall.stuck() == 1 ? "1 was" : String.format(Locale.ROOT, "%,d were", stall.stuck()));
        if (stall.part().isPresent()) {
            return partial(stall, stall.part().get(), place);
        }
        if (!stall.isCoordinated()) {
            return AuditFinding.note("stall", place, stuck + "; the tool went on sending");
        }
        if (!stall.isCertain()) {
            return AuditFinding.weighty(
                    "slow_or_stalled",
                    place,
                    stuck + ": a slow request or a stall of the service, the file cannot tell");
        }
        return AuditFinding.weighty(
                "omitted_requests",
                place,
                stuck
                        + String.format(
                                Locale.ROOT,
                                "; the tool sent at least %,d requests fewer than at its rate outside of stalls",
                                stall.omitted()));
    }

    private static AuditFinding partial(FoundStall stall, Part part, String place) {
        String who = part.users() > 0
                ? String.format(Locale.ROOT, "%,d of %,d users", part.users(), part.ofUsers())
                : String.format(Locale.ROOT, "%,d requests", stall.stuck());
        String stuck = who + " waited up to " + DurationText.rounded(stall.lengthNanos())
                + " and were answered together; others were answered meanwhile";
        if (!stall.isCoordinated()) {
            return AuditFinding.note("part_stalled", place, stuck + "; the tool went on sending");
        }
        return stall.isCertain()
                ? AuditFinding.weighty(
                        "part_stalled",
                        place,
                        stuck + String.format(Locale.ROOT, "; at least %,d requests were not sent", stall.omitted()))
                : AuditFinding.weighty(
                        "slow_or_stalled",
                        place,
                        stuck + ": slow requests or a stall of a part of the service, the file cannot tell");
    }

    /** In the file's time of day if it has one, so that readers can look up the cause in other logs. */
    private String timesOfDay(long fromNanos, long untilNanos) {
        Optional<Instant> from = collected.timeOfDay(fromNanos);
        if (from.isEmpty()) {
            return "";
        }
        String first = TIME_OF_DAY.format(from.get());
        String last = TIME_OF_DAY.format(collected.timeOfDay(untilNanos).orElseThrow());
        return " (" + first + (first.equals(last) ? "" : " to " + last) + " UTC)";
    }

    private static String moment(long nanos) {
        return String.format(Locale.ROOT, "%,.2f s", nanos / 1e9);
    }
}
