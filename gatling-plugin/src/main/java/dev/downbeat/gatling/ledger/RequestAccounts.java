package dev.downbeat.gatling.ledger;

import dev.downbeat.exchange.Exchange;
import dev.downbeat.exchange.Outcome;
import dev.downbeat.exchange.Redaction;
import dev.downbeat.exchange.SafeText;
import dev.downbeat.record.KeptRequests;
import dev.downbeat.record.Recording;
import dev.downbeat.record.recorder.CorrectedRecorder;
import dev.downbeat.record.recorder.RequestKeeper;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import scala.collection.immutable.List$;

/**
 * Records finished requests under their names. Not thread-safe: the journal's lock guards it.
 */
final class RequestAccounts {
    /** Determines the sample of stored requests. */
    private static final long KEPT_SEED = 42;

    private final FailureReasons reasons = FailureReasons.ofSent();
    private final FailureReasons responses = FailureReasons.ofResponses();
    private final FailureReasons unbuilt = FailureReasons.ofUnbuilt();
    private final RequestNames names = new RequestNames();
    private RequestKeeper keeper;
    private CorrectedRecorder recorder;
    private final Exchange exchange = new Exchange(0);

    /**
     * A second count of requests that Gatling's own paces would not have sent; null until there is one, as in most
     * runs.
     */
    private @Nullable CorrectedRecorder overdue;

    RequestAccounts(long startAt) {
        recorder = recorder(startAt);
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

    void restart(long startAt) {
        recorder = recorder(startAt);
        keeper = keeper(startAt);
        overdue = null;
    }

    Recording overdue() {
        return overdue == null ? Recording.empty() : overdue.drain();
    }

    private void enter(IntendedRequest intent, Consumer<CorrectedRecorder> entry) {
        entry.accept(recorder);
        if (intent.isOverdue()) {
            enterOverdue(entry);
        }
    }

    private void enterOverdue(Consumer<CorrectedRecorder> entry) {
        CorrectedRecorder second = overdue;
        if (second == null) {
            second = new CorrectedRecorder();
            overdue = second;
        }
        second.planned(1);
        entry.accept(second);
    }

    /** Returns and resets the counts; see {@link CorrectedRecorder#drain(boolean, Runnable)}. */
    Recording drain(boolean starved) {
        return recorder.drain(starved, () -> {});
    }

    KeptRequests kept() {
        return keeper.kept();
    }

    void planned(long count) {
        recorder.planned(count);
    }

    /** The shown paths of the groups that a request with this name is in, outermost first; for any thread. */
    List<String> groupsOf(String shown) {
        return names.groupsOf(shown);
    }

    private void describe(IntendedRequest intent, long endAt, Outcome outcome) {
        intent.describe(exchange, endAt, outcome);
        exchange.name = names.placeOf(intent.name(), intent.groups());
    }

    /** Returns the recorded exchange, which the next one overwrites. */
    Exchange answered(IntendedRequest intent, long completedAt) {
        describe(intent, completedAt, Outcome.answered());
        enter(intent, counts -> counts.completed(exchange));
        keeper.ended(exchange, completedAt, true);
        return exchange;
    }

    void failed(IntendedRequest intent, long completedAt, String reason) {
        describe(intent, completedAt, (intent.hasResponse() ? responses : reasons).outcome(reason));
        exchange.unconnected = FailureReasons.couldNotConnect(intent, reason);
        enter(intent, counts -> counts.completed(exchange));
        keeper.ended(exchange, completedAt, false);
    }

    /** It has no times, so it is neither among the slowest requests nor in their sample. */
    void unbuilt(IntendedRequest intent, long nowAt, String reason) {
        describe(intent, nowAt, unbuilt.outcome(reason));
        enter(intent, counts -> counts.completed(exchange));
    }

    void timedOut(IntendedRequest intent, long deadlineAt) {
        endUnanswered(intent, deadlineAt);
        if (intent.isSent()) {
            enter(intent, counts -> counts.timedOut(exchange, intent.ageNanos(deadlineAt)));
        } else {
            unsent(intent, deadlineAt);
            enter(intent, counts -> counts.timedOutUnsent(exchange, intent.ageNanos(deadlineAt)));
        }
    }

    private void endUnanswered(IntendedRequest intent, long at) {
        describe(intent, at, Outcome.timedOut());
        keeper.ended(exchange, at, false);
    }

    private void unsent(IntendedRequest intent, long at) {
        exchange.dispatchedAt = exchange.intendedAt + intent.latenessNanos(at);
    }

    void inFlight(IntendedRequest intent, long endAt) {
        describe(intent, endAt, Outcome.answered());
        keeper.ended(exchange, endAt, false);
        enter(intent, counts -> counts.inFlight(exchange, intent.ageNanos(endAt)));
    }

    void neverSent(IntendedRequest intent, long nowAt) {
        endUnanswered(intent, nowAt);
        unsent(intent, nowAt);
        enter(intent, counts -> counts.neverSent(exchange, intent.ageNanos(nowAt)));
    }

    /** A planned iteration that its busy user did not reach for this long; unknown to Gatling's pace. */
    void missed(String name, long ageNanos) {
        Exchange never = new Exchange(0);
        never.name = names.placeOf(name, List$.MODULE$.empty());
        recorder.planned(1);
        recorder.neverSent(never, ageNanos);
        enterOverdue(counts -> counts.neverSent(never, ageNanos));
    }

    /**
     * Displayable request names, each with an index. Names should be few: after the first hundreds, further ones share an
     * index. Finding an index requires the journal's lock; any thread may read the list.
     */
    private static final class RequestNames {
        private static final int MOST = 500;

        private final Map<String, Integer> places = new HashMap<>();
        private final CopyOnWriteArrayList<String> shown = new CopyOnWriteArrayList<>();
        private final Map<String, List<String>> groups = new ConcurrentHashMap<>();

        CopyOnWriteArrayList<String> shown() {
            return shown;
        }

        int placeOf(String name, scala.collection.immutable.List<String> enclosing) {
            Integer known = places.get(name);
            if (known != null) {
                return known;
            }
            return places.size() < MOST
                    ? places.computeIfAbsent(name, each -> place(each, enclosing))
                    : places.computeIfAbsent(Recording.OTHERS, each -> place(each, List$.MODULE$.empty()));
        }

        private int place(String name, scala.collection.immutable.List<String> enclosing) {
            String display = shown(name);
            List<String> paths = new ArrayList<>();
            for (int depth = 1; depth <= enclosing.size(); depth++) {
                paths.add(shown(enclosing.take(depth).mkString(IntendedRequest.BETWEEN)));
            }
            groups.put(display, paths);
            shown.addIfAbsent(display);
            return shown.indexOf(display);
        }

        private static String shown(String text) {
            return SafeText.line(Redaction.line(text));
        }

        List<String> groupsOf(String display) {
            return groups.getOrDefault(display, List.of());
        }
    }
}
