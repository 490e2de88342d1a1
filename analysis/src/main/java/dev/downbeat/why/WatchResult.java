package dev.downbeat.why;

import dev.downbeat.exchange.Redaction;
import dev.downbeat.exchange.SafeText;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

/**
 * What a watcher saw of a service during a run.
 *
 * @param source what was watched, as the user named it: "jvm:4711"
 * @param events in order of their starts
 * @param fromNanos start of the watch, from the start of the run
 * @param toNanos end of the watch
 * @param uncertaintyNanos possible error of the events' times in either direction; 0 on the run's own clock
 * @param notes limitations for the reader, one line each: what could not be watched, and why
 */
public record WatchResult(
        String source, List<Event> events, long fromNanos, long toNanos, long uncertaintyNanos, List<String> notes) {
    /** Events on a clock known less well are dropped, since slow requests are shorter. */
    public static final long MOST_UNCERTAINTY_NANOS = 10_000_000;

    /** The most events kept of all watchers together. */
    public static final int MOST = 100_000;

    /** Sorts the events, checks the ranges and redacts secrets. */
    public WatchResult {
        if (toNanos < fromNanos || uncertaintyNanos < 0) {
            throw new IllegalArgumentException(
                    "what was watched must have a length and an uncertainty of at least 0, but had "
                            + (toNanos - fromNanos) + " and " + uncertaintyNanos);
        }
        events = events.stream()
                .sorted(Comparator.comparingLong(Event::startNanos))
                .toList();
        source = SafeText.line(Redaction.line(source));
        notes = notes.stream().map(note -> SafeText.line(Redaction.line(note))).toList();
    }

    /** An empty result with a reason. */
    public static WatchResult nothing(String source, String why) {
        return new WatchResult(source, List.of(), 0, 0, 0, List.of(why));
    }

    /** The same on a clock with additional uncertainty; without events, with a note, if that is too great. */
    public WatchResult within(long moreNanos) {
        long allNanos = uncertaintyNanos + moreNanos;
        if (moreNanos <= MOST_UNCERTAINTY_NANOS) {
            return new WatchResult(source, events, fromNanos, toNanos, allNanos, notes);
        }
        List<String> more = new ArrayList<>(notes);
        more.add(String.format(
                Locale.ROOT,
                "its clock is known only to %.1f ms, not to 10 ms: its events are left out",
                moreNanos / 1e6));
        return new WatchResult(source, List.of(), 0, 0, allNanos, more);
    }

    /** The same without the events that another watcher of the service saw too, with a note. */
    public WatchResult without(WatchResult other) {
        long apartNanos = uncertaintyNanos + other.uncertaintyNanos;
        long longestNanos = 0;
        Map<EventIdentity, NavigableMap<Long, Event>> reported = new HashMap<>();
        for (Event event : other.events) {
            longestNanos = Math.max(longestNanos, event.lengthNanos());
            reported.computeIfAbsent(EventIdentity.of(event), first -> new TreeMap<>())
                    .merge(event.startNanos(), event, (a, b) -> a.lengthNanos() < b.lengthNanos() ? b : a);
        }
        long beforeNanos = apartNanos + longestNanos;
        List<Event> unseen = events.stream()
                .filter(event -> reported
                        .getOrDefault(EventIdentity.of(event), Collections.emptyNavigableMap())
                        .subMap(event.startNanos() - beforeNanos, true, event.endNanos() + apartNanos, true)
                        .values()
                        .stream()
                        .noneMatch(one -> isSame(event, one, apartNanos)))
                .toList();
        int known = events.size() - unseen.size();
        return with(
                unseen,
                known == 1
                        ? "1 event was also seen by " + other.source
                        : String.format(Locale.ROOT, "%,d events were also seen by %s", known, other.source));
    }

    /** Whether another event, shifted by at most {@code apartNanos}, covers half of this one. */
    private static boolean isSame(Event event, Event other, long apartNanos) {
        long lengthNanos = Math.max(1, event.lengthNanos()); // so that instants can be covered
        long from = Math.max(event.startNanos(), other.startNanos() - apartNanos);
        long to = Math.min(event.startNanos() + lengthNanos, other.endNanos() + apartNanos);
        return 2 * other.lengthNanos() >= event.lengthNanos() && 2 * (to - from) >= lengthNanos;
    }

    /** The properties by which two watchers identify one event. */
    private record EventIdentity(EventKind kind, String detail) {
        static EventIdentity of(Event event) {
            EventKind kind = event.kind();
            return new EventIdentity(
                    kind.isOfWholeJvm() ? EventKind.SAFEPOINT : kind, kind.isOfThreads() ? event.detail() : "");
        }
    }

    /** The same with at most {@link #MOST} events in total: the longest, with a note about the others. */
    public static List<WatchResult> longest(List<WatchResult> all) {
        long count = all.stream().mapToLong(one -> one.events.size()).sum();
        if (count <= MOST) {
            return List.copyOf(all);
        }
        long[] lengths = all.stream()
                .flatMap(one -> one.events.stream())
                .mapToLong(Event::lengthNanos)
                .sorted()
                .toArray();
        long leastNanos = lengths[lengths.length - MOST];
        long longer = Arrays.stream(lengths).filter(nanos -> nanos > leastNanos).count();
        long remaining = MOST - longer; // for events of exactly the least length
        List<WatchResult> kept = new ArrayList<>();
        for (WatchResult one : all) {
            List<Event> longest = new ArrayList<>();
            for (Event event : one.events) {
                if (event.lengthNanos() > leastNanos || (event.lengthNanos() == leastNanos && remaining-- > 0)) {
                    longest.add(event);
                }
            }
            kept.add(one.with(
                    longest,
                    String.format(
                            Locale.ROOT,
                            "%,d of %,d events of %s were kept, the longest",
                            longest.size(),
                            one.events.size(),
                            one.source)));
        }
        return List.copyOf(kept);
    }

    private WatchResult with(List<Event> some, String note) {
        if (some.size() == events.size()) {
            return this;
        }
        List<String> more = new ArrayList<>(notes);
        more.add(note);
        return new WatchResult(source, some, fromNanos, toNanos, uncertaintyNanos, more);
    }
}
