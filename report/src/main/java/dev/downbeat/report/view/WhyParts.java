package dev.downbeat.report.view;

import dev.downbeat.report.data.EventLane;
import dev.downbeat.report.data.Numbers;
import dev.downbeat.report.data.Why;
import dev.downbeat.report.paper.Page;
import dev.downbeat.report.paper.Table;
import dev.downbeat.report.paper.Table.Column;
import dev.downbeat.report.paper.Where;
import dev.downbeat.time.DurationText;
import dev.downbeat.why.Cause;
import dev.downbeat.why.Event;
import dev.downbeat.why.Explanation;
import dev.downbeat.why.Watched;
import dev.downbeat.why.WhyText;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The events of a service as parts of a page: facts, causes, and all events. */
record WhyParts(Why why) {
    static final String HOW =
            "A cause covers more of the slow requests' time than events at other times would: \"by chance\""
                    + " is what those would cover. What coincides is named together and counted once.";

    /** Empty if nothing was watched. */
    List<Page.Fact> facts() {
        List<Page.Fact> facts = new ArrayList<>();
        why.line().ifPresent(line -> facts.add(new Page.Fact("why", line)));
        facts.addAll(watched());
        return facts;
    }

    /** What was watched, and what could not be. */
    List<Page.Fact> watched() {
        List<Page.Fact> facts = new ArrayList<>();
        for (Watched one : why.watched()) {
            if (one.toNanos() > one.fromNanos()) {
                facts.add(Page.Fact.detail("watched", watched(one)));
            }
        }
        String label = "to know";
        for (String note : why.notes()) {
            facts.add(new Page.Fact(label, note));
            label = "";
        }
        return facts;
    }

    private static String watched(Watched one) {
        int events = one.events().size();
        return one.source() + ": " + Numbers.count(events) + (events == 1 ? " event" : " events") + " from "
                + Numbers.seconds(Math.max(0, one.fromNanos())) + " to " + Numbers.seconds(one.toNanos())
                + (one.uncertaintyNanos() == 0
                        ? ", on the clock of this run"
                        : ", their times known to within " + DurationText.rounded(one.uncertaintyNanos()));
    }

    /** The tables that have rows. */
    List<Page.Section> sections(Where where) {
        List<Page.Section> sections = new ArrayList<>();
        why.tail().flatMap(found -> causes(found, where)).ifPresent(sections::add);
        if (!why.lanes().isEmpty()) {
            sections.add(events(where));
        }
        return sections;
    }

    private Optional<Page.Section> causes(Explanation found, Where where) {
        if (found.causes().isEmpty()) {
            return Optional.empty();
        }
        Table table = Table.with(
                Column.of("cause"),
                Column.of("share"),
                Column.of("95 % CI"),
                Column.of("by chance"),
                Column.words("what"));
        for (Cause cause : found.causes()) {
            table = table.row(
                    cause.kind().words(),
                    WhyText.percent(cause.share()),
                    WhyText.interval(cause),
                    WhyText.percent(cause.chance()),
                    WhyText.name(cause));
        }
        table = table.row("unexplained", WhyText.percent(found.unexplained()), "", "", "");
        return Optional.of(new Page.Section(
                "why",
                "Why it was slow",
                where,
                List.of(),
                List.of(table),
                List.of("Shares are of the time of the " + Numbers.count(found.requests())
                        + " slowest requests, those of at least " + DurationText.rounded(found.fromNanos()) + ". "
                        + HOW)));
    }

    private Page.Section events(Where where) {
        Table table = Table.with(
                Column.of("event"),
                Column.of("events"),
                Column.of("in all"),
                Column.of("longest"),
                Column.of("at"),
                Column.words(""));
        for (EventLane lane : why.lanes()) {
            Event longest = lane.longest();
            table = table.row(
                    lane.kind().words(),
                    Numbers.count(lane.events().size()),
                    length(lane.totalNanos()),
                    length(longest.lengthNanos()),
                    Numbers.seconds(Math.max(0, longest.startNanos())),
                    longest.detail());
        }
        return new Page.Section(
                "events",
                "What the service did",
                where == Where.PAGE ? Where.FOLDED : where,
                List.of(),
                List.of(table),
                List.of());
    }

    private static String length(long nanos) {
        return nanos == 0 ? "" : DurationText.rounded(nanos);
    }
}
