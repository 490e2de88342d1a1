package dev.downbeat.capacity;

import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

/**
 * Searches the highest rates of two services in turns, a run of one and a run of the other, so that what drifts on the
 * machine meanwhile meets both. Use once, on one thread.
 */
public final class SearchInTurns {
    /** Fair: whoever has just measured goes behind the one who waits. */
    private final ReentrantLock turn = new ReentrantLock(true);

    private final RateSearch base;
    private final RateSearch other;

    /**
     * One of the two.
     *
     * @param measurement makes its runs
     * @param progress told of its steps; never at the same time as that of the other
     */
    public record Side(RateMeasurement measurement, Consumer<RateStep> progress) {}

    /** Prepares; nothing is measured yet. Both are searched by the same plan, each with its own budget. */
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

    /** Begins no further run. Thread-safe. */
    public void stop() {
        base.stop();
        other.stop();
    }

    /**
     * Searches to the end. Where one of them cannot be measured any more, the other ends too: what is known by then is the
     * answer.
     *
     * @throws IOException if nothing at all could be measured of one of them, and nobody ended the searches
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
