package dev.downbeat.report.view;

import dev.downbeat.report.data.Numbers;
import dev.downbeat.report.data.Rates;
import dev.downbeat.report.data.RunReport;
import dev.downbeat.report.data.Why;
import dev.downbeat.time.DurationText;
import dev.downbeat.verdict.Caveat;
import dev.downbeat.verdict.Incident;
import dev.downbeat.verdict.Incidents;
import dev.downbeat.verdict.Objective;
import dev.downbeat.verdict.PercentileName;
import dev.downbeat.verdict.ResponseBounds;
import dev.downbeat.verdict.Verdict;
import dev.downbeat.why.Explanation;
import dev.downbeat.why.WhyText;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** What was found in a run, in the sentence that a user would forward. */
final class RunHeadline {
    /** An incident with so much of the tail is what the run is about. */
    private static final double MOST_OF_THE_TAIL = 0.5;

    private final RunReport report;
    private final Why why;

    RunHeadline(RunReport report, Why why) {
        this.report = report;
        this.why = why;
    }

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
        if (doubt.isPresent()) {
            return "Do not trust these numbers: " + doubt.get().text().split("[.:;] ", 2)[0] + ".";
        }
        List<Objective> missed = of(Objective.Status.MISSED);
        Optional<String> incident = incident();
        if (!missed.isEmpty()) {
            String what = Numbers.list(missed.stream().map(RunHeadline::limit).toList());
            return "Missed " + what
                    + (incident.isPresent()
                            ? ": " + incident.get()
                            : ": " + missed.get(0).reason() + tail()) + ".";
        }
        if (incident.isPresent()) {
            return capital(incident.get()) + ".";
        }
        List<Objective> undecided = of(Objective.Status.UNDECIDED);
        if (!undecided.isEmpty()) {
            return "Undecided whether " + limit(undecided.get(0)) + ": "
                    + undecided.get(0).reason() + ".";
        }
        String times = times();
        List<Objective> met = of(Objective.Status.MET);
        return met.isEmpty()
                ? capital(times) + "."
                : "Met " + Numbers.list(met.stream().map(RunHeadline::limit).toList()) + ": " + times + ".";
    }

    private List<Objective> of(Objective.Status status) {
        return report.verdict().objectives().stream()
                .filter(objective -> objective.status() == status)
                .toList();
    }

    private static String limit(Objective objective) {
        return objective.slo().subject() + " " + objective.slo().limit();
    }

    private Optional<String> incident() {
        return Incidents.of(report.result()).stream()
                .filter(incident -> incident.tailShare() >= MOST_OF_THE_TAIL)
                .findFirst()
                .map(incident -> incident(incident)
                        + why.of(incident).map(found -> cause(found, "it")).orElse(""));
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

    private static String incident(Incident incident) {
        String what = switch (incident.cause()) {
            case SERVICE_STALL -> "stall";
            case SERVICE_SLOW -> "slow spell of the service";
            case UNREACHABLE -> "outage";
            case OUR_PAUSE -> "pause of Downbeat itself";
            case STARTING -> "slow start";
            case CONNECTION_CHURN -> "burst of new connections";
            case BACKLOG -> "wait for free connections";
            case UNKNOWN -> "slow spell";
        };
        String share = incident.tailShare() > 0.9999
                ? "every request"
                : String.format(Locale.ROOT, "%.0f %% of the requests", 100 * incident.tailShare());
        return "one " + DurationText.rounded(incident.lengthNanos()) + " " + what + " at "
                + Numbers.seconds(incident.startNanos()) + " caused " + share + " beyond p99";
    }

    private String times() {
        ResponseBounds bounds = ResponseBounds.of(report.result().recording());
        List<String> parts = new ArrayList<>();
        for (double percentile : new double[] {50, 99}) {
            if (bounds.carries(percentile)) {
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
