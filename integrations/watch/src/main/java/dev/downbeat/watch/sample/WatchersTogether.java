package dev.downbeat.watch.sample;

import dev.downbeat.why.Event;
import dev.downbeat.why.Watched;
import dev.downbeat.why.Watcher;
import java.util.ArrayList;
import java.util.List;

/** One service, watched in several ways. */
public record WatchersTogether(String source, List<Watcher> sides) implements Watcher {
    @Override
    public void begin() {
        sides.forEach(Watcher::begin);
    }

    @Override
    public Watched end(long startAt, long durationNanos) {
        List<Watched> all =
                sides.stream().map(side -> side.end(startAt, durationNanos)).toList();
        List<Watched> seeing =
                all.stream().filter(one -> one.toNanos() > one.fromNanos()).toList();
        long finest = seeing.stream().mapToLong(Watched::uncertaintyNanos).min().orElse(0);
        List<Event> events = new ArrayList<>();
        long from = durationNanos;
        long to = 0;
        for (Watched one : seeing) {
            long coarser = one.uncertaintyNanos() - finest;
            one.events().forEach(event -> events.add(wider(event, coarser)));
            from = Math.min(from, one.fromNanos());
            to = Math.max(to, one.toNanos());
        }
        List<String> notes =
                all.stream().flatMap(one -> one.notes().stream()).distinct().toList();
        return new Watched(source, events, Math.min(from, to), to, finest, notes);
    }

    /** An event seen by 10 ms sampling may have begun earlier and ended later by that much; collections are exact. */
    private static Event wider(Event event, long byNanos) {
        return new Event(event.kind(), event.startNanos() - byNanos, event.lengthNanos() + 2 * byNanos, event.detail());
    }

    @Override
    public void close() {
        sides.forEach(Watcher::close);
    }
}
