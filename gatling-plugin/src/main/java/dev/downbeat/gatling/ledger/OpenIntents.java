package dev.downbeat.gatling.ledger;

import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Open requests as an intrusive linked list. Adding one allocates nothing and writes to no table, which would burden
 * the garbage collector. Not thread-safe.
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

    /** Removes a request; false if it was absent. */
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

    /** Visits the requests, newest first; only the visited request may be removed meanwhile. */
    void forEach(Consumer<Intent> told) {
        Intent intent = newest;
        while (intent != null) {
            Intent next = intent.older;
            told.accept(intent);
            intent = next;
        }
    }
}
