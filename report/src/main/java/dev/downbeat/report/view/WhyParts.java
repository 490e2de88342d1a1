package dev.downbeat.report.view;

import dev.downbeat.event.Incident;
import dev.downbeat.report.data.Diagnosis;
import dev.downbeat.report.data.Diagnosis.EventTrack;
import dev.downbeat.report.render.Page;
import dev.downbeat.report.render.Page.Where;
import dev.downbeat.report.render.Table;
import dev.downbeat.report.render.Table.Column;
import dev.downbeat.stats.Numbers;
import dev.downbeat.time.DurationText;
import dev.downbeat.why.Event;
import dev.downbeat.why.EventCause;
import dev.downbeat.why.EventKind;
import dev.downbeat.why.Explanation;
import dev.downbeat.why.WatchResult;
import dev.downbeat.why.WhyText;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The events of a service as parts of a page: facts, causes, and all events. */
record WhyParts(Diagnosis why) {
    private static final int MOST_INCIDENTS = 4;

    static final String METHOD_NOTE =
            "A cause accounts for more of the slow requests' time than the same events would at random times;"
                    + " \"by chance\" is that random share. Events that coincide are listed together and counted once.";

    /** Empty if nothing was watched. */
    List<Page.Fact> facts() {
        List<Page.Fact> facts = new ArrayList<>();
        why.line().ifPresent(line -> facts.add(new Page.Fact("why", "why", line, false)));
        facts.addAll(watched());
        return facts;
    }

    /** What was watched, and what could not be. */
    List<Page.Fact> watched() {
        List<Page.Fact> facts = new ArrayList<>();
        for (WatchResult one : why.watched()) {
            if (one.toNanos() > one.fromNanos()) {
                facts.add(Page.Fact.detail("watched", watched(one)));
            }
        }
        String label = "note";
        for (String note : why.notes()) {
            facts.add(new Page.Fact(label, note));
            label = "";
        }
        return facts;
    }

    private static String watched(WatchResult one) {
        int events = one.events().size();
        return one.source() + ": " + Numbers.count(events, "event") + " from "
                + Numbers.seconds(Math.max(0, one.fromNanos())) + " to " + Numbers.seconds(one.toNanos())
                + (one.uncertaintyNanos() == 0
                        ? ", on the clock of this run"
                        : ", timed to within " + DurationText.rounded(one.uncertaintyNanos()));
    }

    /** What explains the tail; empty if nothing does. */
    Optional<Page.Section> causes(Where where) {
        return why.tail().filter(found -> !found.causes().isEmpty()).map(found -> causes(found, where));
    }

    private static Page.Section causes(Explanation found, Where where) {
        Table table = Table.with(
                Column.of("cause"),
                Column.of("share"),
                Column.of("95 % CI"),
                Column.of("by chance"),
                Column.words("what"));
        for (EventCause cause : found.causes()) {
            table = table.row(
                    cause.kind().words(),
                    WhyText.percent(cause.share()),
                    WhyText.interval(cause),
                    WhyText.percent(cause.chance()),
                    WhyText.name(cause));
        }
        table = table.row("unexplained", WhyText.percent(found.unexplained()), "", "", "");
        String shares = "Shares are of the time of the " + Numbers.count(found.requests())
                + " slowest requests (at least " + DurationText.rounded(found.fromNanos()) + ").";
        return Page.Section.of("why", "Why it was slow", where, table)
                .remarks(List.of(
                        where == Where.HTML ? shares + " " + METHOD_NOTE : shares)); // else the page ends with it
    }

    /** All events seen; those that explain nothing appear only in detailed output. */
    Optional<Page.Section> events(Where where) {
        Table table = Table.with(
                Column.of("event"),
                Column.of("events"),
                Column.of("total"),
                Column.of("longest"),
                Column.of("at"),
                Column.words("explains"),
                Column.words("longest one").only(Where.HTML));
        for (EventTrack track : why.tracks()) {
            Event longest = track.longest();
            List<Table.Cell> row = Stream.of(
                            track.kind().words(),
                            Numbers.count(track.events().size()),
                            length(track.totalNanos()),
                            length(longest.lengthNanos()),
                            Numbers.seconds(Math.max(0, longest.startNanos())),
                            track.isCause() ? explains(track.kind()) : "",
                            longest.detail())
                    .map(Table.Cell::of)
                    .toList();
            table = track.isCause() ? table.cells(row) : table.detail(row);
        }
        return Optional.of(table)
                .filter(all -> !all.rows().isEmpty())
                .map(all -> Page.Section.of("events", "What the service did", where, all));
    }

    /** "81 % of the time beyond p99; the incident at 8.0 s". */
    private String explains(EventKind kind) {
        List<String> parts = new ArrayList<>();
        Stream.of(why.tail(), why.rest())
                .flatMap(Optional::stream)
                .forEach(found -> found.causes().stream()
                        .filter(cause -> cause.kind() == kind)
                        .forEach(cause -> parts.add(WhyText.percent(cause.share()) + " of "
                                + found.subject().time())));
        List<Incident> incidents = why.explained(kind);
        if (!incidents.isEmpty()) {
            String shown = incidents.stream()
                    .limit(MOST_INCIDENTS)
                    .map(incident -> Numbers.seconds(incident.startNanos()))
                    .collect(Collectors.joining(", "));
            int more = incidents.size() - MOST_INCIDENTS;
            parts.add((incidents.size() == 1 ? "the incident at " : "the incidents at ")
                    + shown
                    + (more > 0 ? " and " + more + " more" : ""));
        }
        return String.join("; ", parts);
    }

    private static String length(long nanos) {
        return nanos == 0 ? "" : DurationText.rounded(nanos);
    }
}
