package dev.downbeat.report.view;

import dev.downbeat.report.data.Numbers;
import dev.downbeat.report.data.Rates;
import dev.downbeat.report.data.RunReport;
import dev.downbeat.report.data.Why;
import dev.downbeat.time.DurationText;
import dev.downbeat.verdict.Caveat;
import dev.downbeat.verdict.Incident;
import dev.downbeat.verdict.Incidents;
import dev.downbeat.verdict.LoadCaveat;
import dev.downbeat.verdict.Objective;
import dev.downbeat.verdict.OwnDelay;
import dev.downbeat.verdict.PercentileName;
import dev.downbeat.verdict.ResponseBounds;
import dev.downbeat.verdict.Slo;
import dev.downbeat.verdict.Verdict;
import dev.downbeat.why.Explanation;
import dev.downbeat.why.WhyText;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.LongSummaryStatistics;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** What was found in a run, in the sentence that a user would forward. */
record RunHeadline(RunReport report, Why why) {
    /** Incidents of one cause with so much of the tail are what the run is about. */
    private static final double MOST_OF_THE_TAIL = 0.5;

    /** One with less is not counted among several. */
    private static final double LEAST_OF_THE_TAIL = 0.02;

    /** Whether to believe it, what was missed, what happened: the first that there is. */
    String text() {
        if (report.result().isNothing()) {
            return "Nothing could be measured: " + report.result().failure().orElse("it broke off") + ".";
        }
        Verdict verdict = report.verdict();
        Optional<Caveat> doubt = verdict.doubts().stream().findFirst();
        if (verdict.overload().isPresent()) {
            return verdict.overload().get().headline() + ".";
        }
        List<Objective> missed = of(Objective.Status.MISSED);
        if (!missed.isEmpty() && doubt.stream().noneMatch(RunHeadline::isOfMoreThanTimes)) {
            return missed(missed) + distrust(verdict);
        }
        if (doubt.isPresent()) {
            return "Do not trust these numbers: " + first(doubt.get()) + ".";
        }
        List<Objective> met = of(Objective.Status.MET);
        if (verdict.measurement() == Verdict.Measurement.PARTLY_SOUND && !verdict.hasSoundTimes()) {
            return "Met " + limits(met) + "." + distrust(verdict);
        }
        List<Incident> happened = happened();
        if (!happened.isEmpty()) {
            return capital(text(happened)) + ".";
        }
        List<Objective> undecided = of(Objective.Status.UNDECIDED);
        if (!undecided.isEmpty()) {
            return "Undecided whether " + limit(undecided.get(0)) + ": "
                    + undecided.get(0).reason() + ".";
        }
        String times = times();
        return met.isEmpty() ? capital(times) + "." : "Met " + limits(met) + ": " + times + ".";
    }

    private List<Objective> of(Objective.Status status) {
        return report.verdict().objectives().stream()
                .filter(objective -> objective.status() == status)
                .toList();
    }

    private static String distrust(Verdict verdict) {
        Optional<Caveat> doubt = verdict.doubtsOfTimes().stream().findFirst();
        String why = doubt.map(caveat -> ": " + first(caveat)).orElse("");
        return verdict.hasSoundTimes() ? "" : " Do not trust the times" + why + ".";
    }

    private static String limits(List<Objective> objectives) {
        return Numbers.list(objectives.stream().map(RunHeadline::limit).toList());
    }

    private static String limit(Objective objective) {
        return objective.slo().subject() + " " + objective.slo().limit();
    }

    /** Whether not even what was missed for certain can be believed. */
    private static boolean isOfMoreThanTimes(Caveat doubt) {
        return !(doubt instanceof OwnDelay || doubt instanceof LoadCaveat);
    }

    private static String first(Caveat doubt) {
        return doubt.text().split("[.:;] ", 2)[0];
    }

    /** What happened explains what lies beyond p99, neither errors nor a median; and a pause of our own misses nothing. */
    private String missed(List<Objective> missed) {
        List<Incident> happened = missed.get(0).slo() instanceof Slo.Percentile ? happened() : List.of();
        boolean explains = !happened.isEmpty() && happened.get(0).cause() != Incident.Cause.OUR_PAUSE;
        List<Objective> first = explains && isTail(missed.get(0))
                ? missed.stream().filter(RunHeadline::isTail).toList()
                : missed.subList(0, 1);
        String why = explains ? text(happened) : "";
        if (!explains || !isTail(missed.get(0))) {
            why = missed.get(0).reason() + (explains ? "; " + why : tail());
        }
        List<Objective> others =
                missed.stream().filter(objective -> !first.contains(objective)).toList();
        return "Missed " + limits(first) + ": " + why + "."
                + (others.isEmpty() ? "" : " Also missed: " + limits(others) + ".");
    }

    private static boolean isTail(Objective objective) {
        return objective.slo() instanceof Slo.Percentile slo && slo.percentile() >= 99;
    }

    /** The incidents with one cause that have most of the tail, those of them with a share worth a word. */
    private List<Incident> happened() {
        Map<Incident.Cause, List<Incident>> byCause = Incidents.of(report.result()).stream()
                .filter(incident -> incident.tailShare() >= LEAST_OF_THE_TAIL)
                .collect(Collectors.groupingBy(
                        Incident::cause, () -> new EnumMap<>(Incident.Cause.class), Collectors.toList()));
        return byCause.values().stream()
                .filter(alike -> tailShare(alike) >= MOST_OF_THE_TAIL)
                .max(Comparator.comparingDouble(RunHeadline::tailShare))
                .orElse(List.of());
    }

    private String text(List<Incident> alike) {
        Incident first = alike.get(0);
        return alike.size() == 1
                ? one(first) + why.of(first).map(found -> cause(found, "it")).orElse("")
                : several(alike);
    }

    private static double tailShare(List<Incident> alike) {
        return alike.stream().mapToDouble(Incident::tailShare).sum();
    }

    /** What the service did meanwhile, if that explains it. */
    private String tail() {
        return why.tail()
                .map(found -> cause(found, "the time beyond " + found.beyond()))
                .orElse("");
    }

    private static String cause(Explanation found, String of) {
        String first = WhyText.first(found, of);
        return first.isEmpty() ? "" : "; " + first;
    }

    private static String one(Incident incident) {
        return "one " + DurationText.rounded(incident.lengthNanos()) + " "
                + words(incident.cause(), false) + " at " + Numbers.seconds(incident.startNanos())
                + caused(incident.tailShare());
    }

    private static String several(List<Incident> alike) {
        LongSummaryStatistics lengths =
                alike.stream().mapToLong(Incident::lengthNanos).summaryStatistics();
        String shortest = DurationText.rounded(lengths.getMin());
        String longest = DurationText.rounded(lengths.getMax());
        return alike.size() + " " + words(alike.get(0).cause(), true) + " of "
                + (shortest.equals(longest) ? longest : shortest + " to " + longest) + caused(tailShare(alike));
    }

    private static String caused(double tailShare) {
        String share = tailShare > 0.9999
                ? "every request"
                : String.format(Locale.ROOT, "%.0f %% of the requests", 100 * tailShare);
        return " caused " + share + " beyond p99";
    }

    private static String words(Incident.Cause cause, boolean several) {
        return switch (cause) {
            case SERVICE_STALL -> several ? "stalls" : "stall";
            case SERVICE_SLOW -> several ? "slow spells of the service" : "slow spell of the service";
            case UNREACHABLE -> several ? "outages" : "outage";
            case OUR_PAUSE -> several ? "pauses of Downbeat itself" : "pause of Downbeat itself";
            case STARTING -> several ? "slow starts" : "slow start";
            case CONNECTION_CHURN -> several ? "bursts of new connections" : "burst of new connections";
            case BACKLOG -> several ? "waits for free connections" : "wait for free connections";
            case UNKNOWN -> several ? "slow spells" : "slow spell";
        };
    }

    private String times() {
        ResponseBounds bounds = ResponseBounds.of(report.result().recording());
        List<String> parts = new ArrayList<>();
        for (double percentile : new double[] {50, 99}) {
            if (bounds.carries(percentile)
                    && percentile <= report.verdict().soundUpTo().orElse(100)) {
                parts.add((percentile == 50 ? "the median was " : PercentileName.of(percentile) + " ")
                        + (bounds.isKnownAt(percentile) ? "" : "at least ")
                        + DurationText.rounded(bounds.atLeastNanos(percentile)));
            }
        }
        return parts.isEmpty()
                ? "too few requests were answered for a percentile"
                : String.join(", ", parts) + ", at "
                        + Numbers.rate(Rates.of(report.result()).achievedPerSecond());
    }

    static String capital(String text) {
        return text.substring(0, 1).toUpperCase(Locale.ROOT) + text.substring(1);
    }
}
