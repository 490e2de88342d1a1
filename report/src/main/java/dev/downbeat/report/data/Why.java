package dev.downbeat.report.data;

import dev.downbeat.event.Incident;
import dev.downbeat.run.RunResult;
import dev.downbeat.why.Cause;
import dev.downbeat.why.Event;
import dev.downbeat.why.EventKind;
import dev.downbeat.why.Explanation;
import dev.downbeat.why.Explanations;
import dev.downbeat.why.Watched;
import dev.downbeat.why.WhyText;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What was seen of a service during a run, and what it explains. Immutable.
 *
 * @param watched what each watcher saw; empty if nobody watched
 * @param explanations of the tail, such as "p99", and of incidents, each by its words
 */
public record Why(List<Watched> watched, List<Explanation> explanations) {
    /** Nobody watched. */
    public static final Why NONE = new Why(List.of(), List.of());

    /** Of a long run the slowest are those beyond p99.9, or further. */
    private static final String TAIL = "p99";

    public Why {
        watched = List.copyOf(watched);
        explanations = List.copyOf(explanations);
    }

    /** What follows from what was seen during a run. */
    public static Why of(RunResult result, List<Watched> watched) {
        return new Why(watched, Explanations.of(result, watched));
    }

    /** Whether somebody watched, or was to. */
    public boolean isAsked() {
        return !watched.isEmpty();
    }

    /** Of all requests beyond p99. */
    public Optional<Explanation> tail() {
        return explanations.stream()
                .filter(one -> one.beyond().startsWith(TAIL))
                .findFirst();
    }

    public Optional<Explanation> of(Incident incident) {
        return of(incident.text());
    }

    private Optional<Explanation> of(String beyond) {
        return explanations.stream().filter(one -> one.beyond().equals(beyond)).findFirst();
    }

    /** The sentence on the tail; empty if nobody watched, or nothing could be watched. */
    public Optional<String> line() {
        boolean isSeen = watched.stream().anyMatch(one -> one.toNanos() > one.fromNanos());
        return isSeen ? tail().map(found -> WhyText.line(found, watched)) : Optional.empty();
    }

    /** What the reader has to know of how it was watched, a line each. */
    public List<String> notes() {
        List<String> notes = new ArrayList<>();
        for (Watched one : watched) {
            one.notes().forEach(note -> notes.add(one.source() + ": " + note));
        }
        tail().ifPresent(found -> notes.addAll(found.notes()));
        return notes;
    }

    /** Events by their kind: what explains most first, then what lasted longest. */
    @SuppressWarnings("EnumOrdinal") // kinds stand in the order in which they are shown
    public List<EventLane> lanes() {
        Map<EventKind, List<Event>> byKind = new EnumMap<>(EventKind.class);
        for (Watched one : watched) {
            one.events()
                    .forEach(event -> byKind.computeIfAbsent(event.kind(), first -> new ArrayList<>())
                            .add(event));
        }
        List<EventLane> lanes = new ArrayList<>();
        byKind.forEach((kind, events) -> {
            events.sort(Comparator.comparingLong(Event::startNanos));
            lanes.add(new EventLane(kind, events, share(kind)));
        });
        lanes.sort(
                Comparator.comparingDouble(EventLane::share) // causes that explain as much stay in the order of kinds
                        .reversed()
                        .thenComparingLong(lane -> lane.isCause() ? 0 : -lane.totalNanos()));
        return lanes;
    }

    private double share(EventKind kind) {
        return explanations.stream()
                .flatMap(one -> one.causes().stream())
                .filter(cause -> cause.kind() == kind || cause.together().contains(kind))
                .mapToDouble(Cause::share)
                .max()
                .orElse(0);
    }
}
