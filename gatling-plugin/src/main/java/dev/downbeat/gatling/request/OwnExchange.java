package dev.downbeat.gatling.request;

import dev.downbeat.exchange.Exchange;
import dev.downbeat.exchange.Fate;
import dev.downbeat.exchange.Outcome;
import dev.downbeat.gatling.correction.CaptureLoops;
import dev.downbeat.gatling.correction.CorrectedRun;
import dev.downbeat.gatling.correction.UserTiming;
import dev.downbeat.gatling.ledger.IntendedRequest;
import dev.downbeat.gatling.ledger.RequestInFlight;
import io.gatling.commons.stats.KO$;
import io.gatling.commons.stats.OK$;
import io.gatling.core.CoreComponents;
import io.gatling.core.action.Action;
import io.gatling.core.session.Session;
import java.util.Optional;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One of Downbeat's own requests, from the user's action until Gatling has been notified. A transport thread reports
 * its fate; checks, statistics and the next action run on the user's event loop.
 */
abstract class OwnExchange {
    private static final double NANOS_PER_MILLI = 1e6;

    /** The action of the simulation that issued the request. */
    interface Owner {
        CorrectedRun run();

        CoreComponents components();

        /** The user's next action. */
        Action following();
    }

    final Session session;
    private final Owner owner;
    private final String name;
    private final AtomicBoolean over = new AtomicBoolean();
    private final AtomicBoolean waiting = new AtomicBoolean(true);
    private volatile @Nullable IntendedRequest intent;
    private long givenAt;
    private @Nullable Future<?> timeout;

    OwnExchange(Owner owner, String name, Session session) {
        this.owner = owner;
        this.name = name;
        this.session = session;
    }

    /**
     * The verdict on a response.
     *
     * @param code the status for Gatling's log; empty for none
     * @param failure the failed check; empty if all passed
     * @param session the session with saved values
     */
    public record Judgement(Optional<String> code, Optional<String> failure, Session session) {
        public static Judgement of(Optional<String> code, ResponseChecks.Result checked) {
            return new Judgement(code, checked.failure(), checked.session());
        }
    }

    final CorrectedRun run() {
        return owner.run();
    }

    /** Runs on the user's event loop. */
    final void send(UserTiming timing) {
        givenAt = System.nanoTime();
        IntendedRequest given = timing.give(givenAt, session.groups(), name);
        intent = given;
        long limitNanos = run().settings().sqs().requestTimeout().toNanos();
        timeout = session.eventLoop().schedule(this::timeOut, limitNanos, TimeUnit.NANOSECONDS);
        start(given.intendedAt());
    }

    /** Passes the request to the transport, which reports its fate through {@link #started} and {@link #end}. */
    abstract void start(long intendedAt);

    /** Abandons the request, as far as the transport supports it. */
    abstract void giveUp();

    /** Whether the request has ended. */
    final boolean isOver() {
        return over.get();
    }

    private IntendedRequest intent() {
        IntendedRequest given = intent;
        if (given == null) {
            throw new IllegalStateException("the request was not given to the transport");
        }
        return given;
    }

    /** The transport has started the request. Called by any thread. */
    public final void started(long startedAt) {
        if (!over.get()) {
            intent().send(startedAt);
        }
        leaveQueue(startedAt);
    }

    private void leaveQueue(long nowAt) {
        if (waiting.compareAndSet(true, false)) {
            run().journal().waiting(-1, nowAt);
        }
    }

    /**
     * The transport has finished the request. Called by any thread.
     *
     * @param seen not retained
     * @param judge checks the response, on the user's event loop; null if there is none
     */
    final void end(Exchange seen, @Nullable Supplier<Judgement> judge) {
        if (over.compareAndSet(false, true)) {
            Exchange copy = new Exchange(0);
            copy.copy(seen);
            CaptureLoops.execute(session.eventLoop(), () -> finish(copy, judge));
        }
    }

    /** The transport could not start the request. Called by any thread. */
    final void refuse(String reason) {
        long nowAt = System.nanoTime();
        Exchange never = new Exchange(0);
        never.begin(nowAt, nowAt, nowAt);
        never.outcome = Outcome.unbuilt(reason);
        end(never, null);
    }

    private void timeOut() {
        if (over.compareAndSet(false, true)) {
            giveUp();
            long nowAt = System.nanoTime();
            leaveQueue(nowAt);
            tell(nowAt, true, failed("request timeout"));
        }
    }

    private void finish(Exchange seen, @Nullable Supplier<Judgement> judge) {
        Future<?> pending = timeout;
        if (pending != null) {
            pending.cancel(false);
        }
        leaveQueue(seen.completedAt);
        intent().transported(seen);
        if (judge != null || seen.outcome.isResponse()) {
            intent().responded();
        }
        boolean timedOut = judge == null && seen.outcome.fate() == Fate.TIMED_OUT;
        tell(seen.completedAt, timedOut, judge == null ? failed(seen.outcome.reason()) : judged(judge));
    }

    private Judgement failed(String why) {
        return new Judgement(Optional.empty(), Optional.of(why), session);
    }

    private Judgement judged(Supplier<Judgement> judge) {
        try {
            return judge.get();
        } catch (RuntimeException broken) {
            return failed("check crashed: " + broken);
        }
    }

    private void tell(long endAt, boolean timedOut, Judgement judgement) {
        long endMillis =
                owner.components().clock().nowMillis() - Math.round((System.nanoTime() - endAt) / NANOS_PER_MILLI);
        long startMillis = endMillis - Math.round((endAt - givenAt) / NANOS_PER_MILLI);
        boolean ko = judgement.failure().isPresent();
        new RequestInFlight(intent(), run().journal())
                .endedAt(
                        endAt,
                        timedOut,
                        () -> owner.components()
                                .statsEngine()
                                .logResponse(
                                        session.scenario(),
                                        session.groups(),
                                        name,
                                        startMillis,
                                        endMillis,
                                        ko ? KO$.MODULE$ : OK$.MODULE$,
                                        scala.Option.apply(judgement.code().orElse(null)),
                                        scala.Option.apply(judgement.failure().orElse(null))));
        Session after = ko ? judgement.session().markAsFailed() : judgement.session();
        owner.following().$bang(after.logGroupRequestTimings(startMillis, endMillis));
    }
}
