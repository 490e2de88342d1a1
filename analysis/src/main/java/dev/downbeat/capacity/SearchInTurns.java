package dev.downbeat.capacity;

import dev.downbeat.capacity.RateSearch.RateMeasurement;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

/**
 * Searches two services in alternating runs, so that drift of the machine affects both equally. Use once, on one
 * thread.
 */
public final class SearchInTurns {
    /** A fair lock, so that the two searches alternate. */
    private final ReentrantLock turn = new ReentrantLock(true);

    private final RateSearch base;
    private final RateSearch other;

    /**
     * One of the two searches.
     *
     * @param measurement runs its measurements
     * @param progress receives its steps; never called while the other search's is running
     */
    public record Side(RateMeasurement measurement, Consumer<RateStep> progress) {}

    /** Prepares both searches with the same plan, each with its own budget. Nothing is measured yet. */
    public SearchInTurns(SearchPlan plan, Side base, Side other) {
        this.base = search(plan, base);
        this.other = search(plan, other);
    }

    private RateSearch search(SearchPlan plan, Side side) {
        RateMeasurement inTurn = (perSecond, nanos) -> {
            turn.lock();
            try {
                return side.measurement().measure(perSecond, nanos);
            } finally {
                turn.unlock();
            }
        };
        return new RateSearch(plan, inTurn, step -> told(side, step));
    }

    private synchronized void told(Side side, RateStep step) {
        side.progress().accept(step);
    }

    private static final String OTHER_GONE = "the other target could no longer be measured";

    /** Starts no further runs. Thread-safe. */
    public void stop() {
        base.stop();
        other.stop();
    }

    /**
     * Searches to the end. If one service can no longer be measured, both searches end with the results so far.
     *
     * @throws IOException if one of them could not be measured at all and nobody stopped the searches
     */
    public CapacityComparison run() throws IOException {
        CompletableFuture<Capacity> found = new CompletableFuture<>();
        Thread thread = new Thread(() -> complete(found), "downbeat-search-other");
        thread.setDaemon(true);
        thread.start();
        try {
            Capacity first = base.run();
            endWith(first, other);
            return new CapacityComparison(first, found.join());
        } catch (CompletionException broken) {
            if (broken.getCause() instanceof IOException nothing) {
                throw nothing;
            }
            throw broken;
        } finally {
            stop();
        }
    }

    private void complete(CompletableFuture<Capacity> found) {
        try {
            Capacity second = other.run();
            endWith(second, base);
            found.complete(second);
        } catch (IOException | RuntimeException broken) {
            base.stop(OTHER_GONE);
            found.completeExceptionally(broken);
        }
    }

    private static void endWith(Capacity ended, RateSearch search) {
        if (ended.unmeasured().isPresent()) {
            search.stop(OTHER_GONE);
        }
    }
}
