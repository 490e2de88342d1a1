package dev.downbeat.watch;

import dev.downbeat.why.Event;
import dev.downbeat.why.Watched;
import dev.downbeat.why.Watcher;
import java.util.ArrayList;
import java.util.List;

/** One service, seen from several sides. */
final class Together implements Watcher {
    private final String source;
    private final List<Watcher> sides;

    Together(String source, List<Watcher> sides) {
        this.source = source;
        this.sides = sides;
    }

    @Override
    public String source() {
        return source;
    }

    @Override
    public void begin() {
        sides.forEach(Watcher::begin);
    }

    @Override
    public Watched end(long startAt, long durationNanos) {
        List<Event> events = new ArrayList<>();
        List<String> notes = new ArrayList<>();
        long from = durationNanos;
        long to = 0;
        long uncertainty = 0;
        for (Watcher side : sides) {
            Watched seen = side.end(startAt, durationNanos);
            events.addAll(seen.events());
            seen.notes().stream().filter(note -> !notes.contains(note)).forEach(notes::add);
            if (seen.toNanos() > seen.fromNanos()) {
                from = Math.min(from, seen.fromNanos());
                to = Math.max(to, seen.toNanos());
                uncertainty = Math.max(uncertainty, seen.uncertaintyNanos());
            }
        }
        return new Watched(source, events, Math.min(from, to), to, uncertainty, notes);
    }

    @Override
    public void close() {
        sides.forEach(Watcher::close);
    }
}
