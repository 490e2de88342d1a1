package dev.downbeat.watch;

import dev.downbeat.watch.sample.EventLog;
import dev.downbeat.why.Event;
import dev.downbeat.why.EventKind;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Pauses and the collections that they belong to, which are logged separately and in any order. */
final class CollectionPauses {
    private static final Set<String> FULL_COLLECTORS =
            Set.of("G1Full", "SerialOld", "ParallelOld", "PSMarkSweep", "MarkSweepCompact");

    private record Pause(long id, String phase, long startNanos, long lengthNanos) {}

    private record Collection(String name, String cause) {}

    private final Map<Long, Collection> collections = new HashMap<>();
    private final List<Pause> open = new ArrayList<>();
    private final EventLog log = new EventLog();

    void collection(long id, String name, String cause) {
        if (open.size() + collections.size() > EventLog.MOST) {
            resolve();
        }
        collections.put(id, new Collection(name, cause));
    }

    void pause(long id, String phase, long startNanos, long lengthNanos) {
        if (open.size() + collections.size() > EventLog.MOST) {
            resolve();
        }
        open.add(new Pause(id, phase, startNanos, lengthNanos));
    }

    private void resolve() {
        for (Pause pause : open) {
            Collection of = collections.getOrDefault(pause.id, new Collection("", ""));
            boolean full = FULL_COLLECTORS.contains(of.name) || pause.phase.contains("Full");
            log.add(
                    full ? EventKind.FULL_COLLECTION : EventKind.COLLECTION_PAUSE,
                    pause.startNanos,
                    pause.lengthNanos,
                    detail(pause.phase, of));
        }
        open.clear();
        collections.clear();
    }

    private static String detail(String phase, Collection of) {
        String what = phase.isEmpty() || phase.equals("GC Pause") ? of.name : of.name + " " + phase;
        return of.cause.isEmpty() ? what.trim() : what.trim() + ", " + of.cause;
    }

    List<Event> pauses() {
        resolve();
        return log.events();
    }
}
