package dev.downbeat.gatling.request;

import dev.downbeat.exchange.Exchange;
import dev.downbeat.exchange.Fate;
import dev.downbeat.exchange.Outcome;
import dev.downbeat.gatling.correction.CaptureLoops;
import dev.downbeat.gatling.correction.CorrectedRun;
import dev.downbeat.gatling.correction.UserTiming;
import dev.downbeat.gatling.ledger.Intent;
import dev.downbeat.gatling.ledger.Sent;
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
 * One of a user's own requests, from the moment the user asks until Gatling has been told. A thread of the transport tells
 * of its fate; checks, statistics and the next action are the user's event loop's.
 */
abstract class OwnExchange {
    private static final double NANOS_PER_MILLI = 1e6;

    /** The action of the simulation that the request is made for. */
    interface Owner {
        CorrectedRun run();

        CoreComponents components();

        /** What the user does afterwards. */
        Action following();
    }

    final Session session;
    private final Owner owner;
    private final String name;
    private final AtomicBoolean over = new AtomicBoolean();
    private final AtomicBoolean waiting = new AtomicBoolean(true);
    private volatile @Nullable Intent intent;
    private long givenAt;
    private @Nullable Future<?> timeout;

    OwnExchange(Owner owner, String name, Session session) {
        this.owner = owner;
        this.name = name;
        this.session = session;
    }

    /**
     * What is made of an answer.
     *
     * @param code what Gatling logs as the status; empty for none
     * @param failure what did not hold; empty if all did
     * @param session with what was saved
     */
    public record Judgement(Optional<String> code, Optional<String> failure, Session session) {
        public static Judgement of(Optional<String> code, ResponseChecks.Result checked) {
            return new Judgement(code, checked.failure(), checked.session());
        }
    }

    final CorrectedRun run() {
        return owner.run();
    }

    /** On the user's event loop. */
    final void send(UserTiming timing) {
        givenAt = System.nanoTime();
        Intent given = timing.give(givenAt);
        given.name(session.groups(), name);
        intent = given;
        long limitNanos = run().settings().own().requestTimeout().toNanos();
        timeout = session.eventLoop().schedule(this::timeOut, limitNanos, TimeUnit.NANOSECONDS);
        start(given.intendedAt());
    }

    /** Hands the request to the transport, which tells of its fate by {@link #started} and {@link #end}. */
    abstract void start(long intendedAt);

    /** Ends the request, as far as the transport can. */
    abstract void giveUp();

    /** Whether nobody waits for it any more. */
    final boolean isOver() {
        return over.get();
    }

    private Intent intent() {
        Intent given = intent;
        if (given == null) {
            throw new IllegalStateException("the request was not given to the transport");
        }
        return given;
    }

    /** The transport has begun with it. Called by any thread. */
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
     * The transport is done with it. Called by any thread.
     *
     * @param seen not kept
     * @param judge looks at the answer, on the user's event loop; null if there is none
     */
    final void end(Exchange seen, @Nullable Supplier<Judgement> judge) {
        if (over.compareAndSet(false, true)) {
            Exchange copy = new Exchange(0);
            copy.copy(seen);
            CaptureLoops.execute(session.eventLoop(), () -> finish(copy, judge));
        }
    }

    /** The transport could not begin with it. Called by any thread. */
    final void refuse(String reason) {
        long nowAt = System.nanoTime();
        Exchange never = new Exchange(0);
        never.begin(nowAt, nowAt, nowAt);
        never.outcome = Outcome.failed(reason);
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
        new Sent(intent(), run().journal())
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
