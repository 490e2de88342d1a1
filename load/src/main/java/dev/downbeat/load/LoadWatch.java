package dev.downbeat.load;

import dev.downbeat.why.ServiceWatch;
import dev.downbeat.why.Watcher;
import java.util.concurrent.atomic.AtomicBoolean;

/** A watcher for a single run. Thread-safe. */
final class LoadWatch {
    private final Watcher watcher;
    private final AtomicBoolean isUsed = new AtomicBoolean();

    LoadWatch(ServiceWatch watcher) {
        this.watcher = (Watcher) watcher;
    }

    /**
     * Returns the watcher, once.
     *
     * @throws IllegalStateException if an earlier run used it
     */
    Watcher use() {
        if (!isUsed.compareAndSet(false, true)) {
            throw new IllegalStateException(
                    "a watcher is for one run, and that of " + watcher.source() + " was used by an earlier one");
        }
        return watcher;
    }
}
