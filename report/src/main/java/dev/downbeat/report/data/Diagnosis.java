package dev.downbeat.report.data;

import dev.downbeat.event.Incident;
import dev.downbeat.run.RunResult;
import dev.downbeat.why.Event;
import dev.downbeat.why.EventCause;
import dev.downbeat.why.EventKind;
import dev.downbeat.why.Explanation;
import dev.downbeat.why.Explanations;
import dev.downbeat.why.WatchResult;
import dev.downbeat.why.WhyText;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * The events of a service during a run, and what they explain. Immutable.
 *
 * @param watched what each watcher saw; empty if nothing was watched
 * @param explanations explanations of the tail, of incidents, and of the tail outside of them
 */
public record Diagnosis(List<WatchResult> watched, List<Explanation> explanations) {
    /** Nothing was watched. */
    public static final Diagnosis NONE = new Diagnosis(List.of(), List.of());

    public Diagnosis {
        watched = List.copyOf(watched);
        explanations = List.copyOf(explanations);
    }

    public static Diagnosis of(RunResult result, List<WatchResult> watched, List<Incident> events) {
        return new Diagnosis(watched, Explanations.of(result, watched, events));
    }

    /** Whether the service was, or should have been, watched. */
    public boolean isWatched() {
        return !watched.isEmpty();
    }

    /** The explanation of the requests beyond p99; in long runs beyond p99.9 or higher. */
    public Optional<Explanation> tail() {
        return first(Explanation.Tail.class::isInstance);
    }

    /** The explanation of those that no incident affected. */
    public Optional<Explanation> rest() {
        return first(Explanation.Rest.class::isInstance);
    }

    public Optional<Explanation> of(Incident incident) {
        return first(new Explanation.During(incident)::equals);
    }

    private Optional<Explanation> first(Predicate<Explanation.Subject> subject) {
        return explanations.stream().filter(one -> subject.test(one.subject())).findFirst();
    }

    /** The sentence about the tail; empty if nothing was watched. */
    public Optional<String> line() {
        boolean isSeen = watched.stream().anyMatch(one -> one.toNanos() > one.fromNanos());
        return isSeen ? tail().map(this::line) : Optional.empty();
    }

    /** If no event explains the tail as a whole, those that explain some of its incidents count. */
    private String line(Explanation tail) {
        String incidents = tail.causes().isEmpty() ? WhyText.incidents(explanations) : "";
        return incidents.isEmpty() ? WhyText.line(tail, watched) + outside() : incidents;
    }

    private String outside() {
        return rest().filter(found -> !found.causes().isEmpty())
                .map(found -> ". " + WhyText.line(found, watched))
                .orElse("");
    }

    /** Limitations of the watch, one line each. */
    public List<String> notes() {
        List<String> notes = new ArrayList<>();
        for (WatchResult one : watched) {
            one.notes().forEach(note -> notes.add(one.source() + ": " + note));
        }
        tail().ifPresent(found -> notes.addAll(found.notes()));
        return notes;
    }

    /** Events by kind: the most explanatory first, then the longest. */
    @SuppressWarnings("EnumOrdinal") // kinds are declared in display order
    public List<EventTrack> tracks() {
        Map<EventKind, List<Event>> byKind = new EnumMap<>(EventKind.class);
        for (WatchResult one : watched) {
            one.events()
                    .forEach(event -> byKind.computeIfAbsent(event.kind(), first -> new ArrayList<>())
                            .add(event));
        }
        List<EventTrack> tracks = new ArrayList<>();
        byKind.forEach((kind, events) -> {
            events.sort(Comparator.comparingLong(Event::startNanos));
            tracks.add(new EventTrack(kind, events, explaining(kind, events), share(kind)));
        });
        tracks.sort(Comparator.comparingDouble(EventTrack::share) // equally explanatory causes keep the order of kinds
                .reversed()
                .thenComparingLong(track -> track.isCause() ? 0 : -track.totalNanos()));
        return tracks;
    }

    /** The incidents of which this is a cause. */
    public List<Incident> explained(EventKind kind) {
        return explanations.stream()
                .filter(one -> causes(one, kind).findAny().isPresent())
                .map(Explanation::subject)
                .filter(Explanation.During.class::isInstance)
                .map(subject -> ((Explanation.During) subject).incident())
                .toList();
    }

    /** All events, if the kind explains the tail or the requests outside incidents but no single incident. */
    private List<Event> explaining(EventKind kind, List<Event> events) {
        List<Incident> incidents = explained(kind);
        boolean isOfAll = Stream.of(incidents.isEmpty() ? tail() : rest())
                .flatMap(Optional::stream)
                .anyMatch(one -> causes(one, kind).findAny().isPresent());
        return isOfAll
                ? events
                : events.stream()
                        .filter(event -> incidents.stream().anyMatch(incident -> isDuring(event, incident)))
                        .toList();
    }

    private static boolean isDuring(Event event, Incident incident) {
        long end = incident.startNanos() + incident.lengthNanos() + incident.catchUpNanos();
        return event.startNanos() < end && event.endNanos() > incident.startNanos();
    }

    private static Stream<EventCause> causes(Explanation one, EventKind kind) {
        return one.causes().stream()
                .filter(cause -> cause.kind() == kind || cause.together().contains(kind));
    }

    private double share(EventKind kind) {
        return explanations.stream()
                .flatMap(one -> causes(one, kind))
                .mapToDouble(EventCause::share)
                .max()
                .orElse(0);
    }

    /**
     * All events of one kind during a run. Immutable.
     *
     * @param events in order of their starts; at least one
     * @param explaining the events that explain slow requests; for a cause of single incidents, those during the incidents
     * @param share share of the time beyond p99 that they cover in excess of chance, from 0 to 1; 0 if they explain nothing
     */
    public record EventTrack(EventKind kind, List<Event> events, List<Event> explaining, double share) {
        public EventTrack {
            events = List.copyOf(events);
            explaining = List.copyOf(explaining);
            if (events.isEmpty()) {
                throw new IllegalArgumentException("a track must have an event, but had none");
            }
        }

        /** The events that explain nothing. */
        public List<Event> unrelatedEvents() {
            return events.size() == explaining.size()
                    ? List.of()
                    : events.stream()
                            .filter(Predicate.not(new HashSet<>(explaining)::contains))
                            .toList();
        }

        /** The total time; simultaneous events count repeatedly. */
        public long totalNanos() {
            return events.stream().mapToLong(Event::lengthNanos).sum();
        }

        public Event longest() {
            return events.stream()
                    .max(Comparator.comparingLong(Event::lengthNanos))
                    .orElseThrow();
        }

        /** Whether it is a cause of slow requests. */
        public boolean isCause() {
            return share > 0;
        }
    }
}
