package dev.downbeat.gatling.ledger;

import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The requests that are planned and have no end yet, each linked to its neighbours: to note one costs no memory and touches no
 * table, whose every write the collector of a JVM would have to hear of. Not thread-safe.
 */
final class OpenIntents {
    private @Nullable Intent newest;
    private int size;

    void add(Intent intent) {
        Intent older = newest;
        intent.older = older;
        intent.newer = null;
        intent.isOpen = true;
        if (older != null) {
            older.newer = intent;
        }
        newest = intent;
        size++;
    }

    boolean contains(Intent intent) {
        return intent.isOpen;
    }

    /** Removes it; false if it was not there. */
    boolean remove(Intent intent) {
        if (!intent.isOpen) {
            return false;
        }
        Intent older = intent.older;
        Intent newer = intent.newer;
        if (newer == null) {
            newest = older;
        } else {
            newer.older = older;
        }
        if (older != null) {
            older.newer = newer;
        }
        intent.older = null;
        intent.newer = null;
        intent.isOpen = false;
        size--;
        return true;
    }

    int size() {
        return size;
    }

    /** Tells of each, newest first; what it is told of may be removed meanwhile, and nothing else. */
    void forEach(Consumer<Intent> told) {
        Intent intent = newest;
        while (intent != null) {
            Intent next = intent.older;
            told.accept(intent);
            intent = next;
        }
    }
}
