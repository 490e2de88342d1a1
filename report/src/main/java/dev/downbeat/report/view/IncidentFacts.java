package dev.downbeat.report.view;

import dev.downbeat.event.Incident;
import dev.downbeat.report.data.Diagnosis;
import dev.downbeat.report.data.RunReport;
import dev.downbeat.report.render.Page;
import dev.downbeat.report.render.Page.Where;
import dev.downbeat.report.render.Table;
import dev.downbeat.report.render.Table.Column;
import dev.downbeat.stats.Numbers;
import dev.downbeat.stats.PercentText;
import dev.downbeat.time.DurationText;
import dev.downbeat.why.WhyText;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The incidents of a run. A screen shows the most important ones and a summary of the others, or with {@code -v} all of
 * them. Wider formats have a table with the cause of each.
 *
 * @param incidents in order of time
 * @param why the service's events during the run
 * @param hasTail whether the requests are enough for a p99, beyond which an incident has a share
 */
record IncidentFacts(List<Incident> incidents, Diagnosis why, boolean hasTail) {
    private static final int SHOWN = 3;
    private static final int MOST_ROWS = 20;

    /** An incident with a smaller share of the tail is only counted, unless it is the first. */
    private static final double SMALL_SHARE = 0.1;

    static IncidentFacts of(RunReport report) {
        return new IncidentFacts(
                report.analysis().events(),
                report.why(),
                report.analysis().response().hasEnoughFor(99));
    }

    /** Empty if there are none. */
    Optional<Page.Section> table(Where where) {
        if (incidents.isEmpty()) {
            return Optional.empty();
        }
        Table table = Table.with(
                Column.of("at"),
                Column.of("for"),
                Column.of("requests hit").only(Where.HTML),
                Column.of("slowest").only(Where.HTML),
                Column.of("share beyond p99").only(Where.HTML),
                Column.words("likely reason"),
                Column.words("what the service did"));
        for (Incident incident : incidents.subList(0, Math.min(MOST_ROWS, incidents.size()))) {
            table = table.row(
                    Numbers.seconds(incident.startNanos()),
                    (incident.isOpen() ? "≥ " : "") + DurationText.rounded(incident.lengthNanos()),
                    incident.hit(),
                    incident.slowest(),
                    PercentText.of(incident.tailShare()),
                    incident.cause().words(),
                    why.of(incident).map(WhyText::incident).orElse(""));
        }
        if (why.rest().isPresent()) {
            table = table.row(
                    "else", "", "", "", "", "", WhyText.incident(why.rest().get()));
        }
        int more = incidents.size() - MOST_ROWS;
        return Optional.of(Page.Section.of("incidents", "Incidents", where, table)
                .lead("One incident slows many requests at once: count incidents, not slow requests.")
                .remarks(more > 0 ? List.of("and " + more + " more") : List.of()));
    }

    /** Each incident, after the most important ones and a summary if there are several others. */
    List<Page.Fact> all() {
        return facts(this::tail, 1);
    }

    /** The incidents that are always shown. The headline gives the tail share of a single one. */
    List<Page.Fact> brief() {
        return facts(incident -> incidents.size() == 1 ? "" : tail(incident), 0).stream()
                .filter(fact -> !fact.isDetail())
                .toList();
    }

    private String tail(Incident incident) {
        return hasTail ? incident.tail() : incident.slow();
    }

    /** With no more others than {@code least}, these are shown in their place, and not summed up. */
    private List<Page.Fact> facts(Function<Incident, String> tail, int least) {
        Set<Incident> shown = shown();
        boolean isSummedUp = incidents.size() - shown.size() > least;
        List<Page.Fact> facts = new ArrayList<>();
        List<Incident> others = new ArrayList<>();
        for (Incident incident : incidents) {
            if (shown.contains(incident)) {
                facts.add(new Page.Fact(incident.begin(), text(incident, tail)));
            } else if (isSummedUp) {
                others.add(incident);
            } else {
                facts.add(Page.Fact.detail(incident.begin(), text(incident, tail)));
            }
        }
        if (!others.isEmpty()) {
            facts.add(others(others));
            others.forEach(incident -> facts.add(Page.Fact.detail(incident.begin(), text(incident, tail))));
        }
        return facts;
    }

    /** Those that explain most of the tail, then failures, which are in no percentile; without either, the first. */
    private Set<Incident> shown() {
        Set<Incident> shown = Stream.concat(
                        incidents.stream()
                                .filter(incident -> incident.tailShare() >= SMALL_SHARE)
                                .sorted(Comparator.comparingDouble(Incident::tailShare)
                                        .reversed()),
                        incidents.stream().filter(IncidentFacts::isOfFailures))
                .distinct()
                .limit(SHOWN)
                .collect(Collectors.toSet());
        return shown.isEmpty() ? incidents.stream().limit(1).collect(Collectors.toSet()) : shown;
    }

    private static boolean isOfFailures(Incident incident) {
        return incident.cause() == Incident.Cause.ERRORS || incident.cause() == Incident.Cause.UNREACHABLE;
    }

    private String text(Incident incident, Function<Incident, String> tail) {
        return incident.brief()
                + tail.apply(incident)
                + why.of(incident).map(found -> "; " + WhyText.incident(found)).orElse("");
    }

    private Page.Fact others(List<Incident> others) {
        double share =
                Math.min(1, others.stream().mapToDouble(Incident::tailShare).sum());
        long leastNanos = others.stream().mapToLong(Incident::lengthNanos).min().orElse(0);
        String causes = others.stream()
                .map(incident -> incident.cause().words())
                .distinct()
                .collect(Collectors.joining(", "));
        String text = String.format(
                Locale.ROOT,
                "%d more, %s%s: %s",
                others.size(),
                DurationText.rounded(leastNanos),
                others.size() == 1 ? "" : " or longer",
                causes);
        return new Page.Fact(
                "",
                share < 0.005 || !hasTail ? text : text + "; " + PercentText.whole(share) + " of requests beyond p99");
    }
}
