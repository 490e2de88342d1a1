package dev.downbeat.gatling.ledger;

import dev.downbeat.exchange.Exchange;
import dev.downbeat.exchange.Outcome;
import dev.downbeat.record.KeptRequests;
import dev.downbeat.record.Recording;
import dev.downbeat.record.recorder.CorrectedRecorder;
import dev.downbeat.record.recorder.RequestKeeper;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Records finished requests under their names. Written by one thread at a time, under the journal's lock, into one of
 * two recorders; the other is drained outside the lock.
 */
final class RequestAccounts {
    /** Determines the sample of stored requests. */
    private static final long KEPT_SEED = 42;

    private final FailureReasons reasons = new FailureReasons();
    private final RequestNames names = new RequestNames();
    private RequestKeeper keeper;
    private CorrectedRecorder active;
    private CorrectedRecorder spare;
    /**
     * A second count of requests that Gatling's own paces would not have sent; null until there is one, as in most
     * runs.
     */
    private @Nullable CorrectedRecorder overdue;

    RequestAccounts(long startAt) {
        active = recorder(startAt);
        spare = recorder(startAt);
        keeper = keeper(startAt);
    }

    private CorrectedRecorder recorder(long startAt) {
        CorrectedRecorder recorder = CorrectedRecorder.ofGrowing(names.shown());
        recorder.startsAt(startAt);
        return recorder;
    }

    private static RequestKeeper keeper(long startAt) {
        RequestKeeper keeper = new RequestKeeper(KeptRequests.MOST, KEPT_SEED);
        keeper.startsAt(startAt);
        return keeper;
    }

    /** Discards everything. */
    void restart(long startAt) {
        active = recorder(startAt);
        spare = recorder(startAt);
        keeper = keeper(startAt);
        overdue = null;
    }

    Recording overdue() {
        return overdue == null ? Recording.empty() : overdue.drain();
    }

    private void enter(Intent intent, Consumer<CorrectedRecorder> entry) {
        entry.accept(active);
        if (intent.isOverdue()) {
            enterOverdue(entry);
        }
    }

    private void enterOverdue(Consumer<CorrectedRecorder> entry) {
        CorrectedRecorder recorder = overdue;
        if (recorder == null) {
            recorder = new CorrectedRecorder();
            overdue = recorder;
        }
        recorder.planned(1);
        entry.accept(recorder);
    }

    /** Switches to the other recorder and returns the previous one for draining. */
    CorrectedRecorder exchange() {
        CorrectedRecorder full = active;
        active = spare;
        spare = full;
        return full;
    }

    KeptRequests kept() {
        return keeper.kept();
    }

    void planned(long count) {
        active.planned(count);
    }

    private Exchange seen(Intent intent, long endAt, Outcome outcome) {
        Exchange seen = intent.exchange(endAt, outcome);
        seen.name = names.placeOf(intent.name());
        return seen;
    }

    /** Returns the recorded exchange. */
    Exchange answered(Intent intent, long completedAt) {
        Exchange seen = seen(intent, completedAt, Outcome.answered());
        enter(intent, books -> books.completed(seen));
        keeper.ended(seen, completedAt, true);
        return seen;
    }

    void failed(Intent intent, long completedAt, String reason) {
        Exchange seen = seen(intent, completedAt, reasons.outcome(reason));
        enter(intent, books -> books.completed(seen));
        keeper.ended(seen, completedAt, false);
    }

    void timedOut(Intent intent, long deadlineAt) {
        Exchange seen = over(intent, deadlineAt);
        if (intent.isSent()) {
            enter(intent, books -> books.timedOut(seen, intent.ageNanos(deadlineAt)));
        } else {
            unsent(seen, intent, deadlineAt);
            enter(intent, books -> books.timedOutUnsent(seen, intent.ageNanos(deadlineAt)));
        }
    }

    private Exchange over(Intent intent, long at) {
        Exchange seen = seen(intent, at, Outcome.timedOut());
        keeper.ended(seen, at, false);
        return seen;
    }

    private static void unsent(Exchange seen, Intent intent, long at) {
        seen.dispatchedAt = seen.intendedAt + intent.latenessNanos(at);
    }

    void inFlight(Intent intent, long endAt) {
        Exchange seen = seen(intent, endAt, Outcome.answered());
        keeper.ended(seen, endAt, false);
        enter(intent, books -> books.inFlight(seen, intent.ageNanos(endAt)));
    }

    void neverSent(Intent intent, long nowAt) {
        Exchange seen = over(intent, nowAt);
        unsent(seen, intent, nowAt);
        enter(intent, books -> books.neverSent(seen, intent.ageNanos(nowAt)));
    }

    /** A planned iteration that its busy user did not reach for this long; unknown to Gatling's pace. */
    void missed(String name, long ageNanos) {
        Exchange never = new Exchange(0);
        never.name = names.placeOf(name);
        active.planned(1);
        active.neverSent(never, ageNanos);
        enterOverdue(books -> books.neverSent(never, ageNanos));
    }
}
