package dev.downbeat.gatling;

import dev.downbeat.http.HttpCall;
import dev.downbeat.http.HttpCalls;
import dev.downbeat.http.HttpRequest;
import dev.downbeat.http.HttpResponse;
import dev.downbeat.target.Exchange;
import dev.downbeat.target.Fate;
import io.gatling.commons.stats.KO$;
import io.gatling.commons.stats.OK$;
import io.gatling.core.session.Session;
import java.util.Optional;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * One of a user's own requests, from the moment the user asks until Gatling has been told. The connections' thread tells of
 * its fate; checks, statistics and the next action are the user's event loop's.
 */
final class HttpExchange implements HttpCalls.Listener {
    private static final double NANOS_PER_MILLI = 1e6;

    private final HttpRequestAction action;
    private final String name;
    private final Session session;
    private final HttpRequest request;
    private final AtomicBoolean over = new AtomicBoolean();
    private final AtomicBoolean waiting = new AtomicBoolean(true);
    private volatile @Nullable Intent intent;
    private long givenAt;
    private @Nullable HttpCall call;
    private @Nullable Future<?> timeout;

    HttpExchange(HttpRequestAction action, String name, Session session, HttpRequest request) {
        this.action = action;
        this.name = name;
        this.session = session;
        this.request = request;
    }

    void send(UserTiming timing) {
        givenAt = System.nanoTime();
        intent = timing.give(givenAt);
        HttpOrigins origins = action.run().origins();
        long limitNanos = origins.settings().requestTimeout().toNanos();
        timeout = session.eventLoop().schedule(this::timeOut, limitNanos, TimeUnit.NANOSECONDS);
        call = origins.to(request.endpoint()).send(request, this);
    }

    private Intent intent() {
        Intent given = intent;
        if (given == null) {
            throw new IllegalStateException("the request was not given to the connections");
        }
        return given;
    }

    @Override
    public void started(long startedAt) {
        if (!over.get()) {
            intent().send(startedAt);
        }
        leaveQueue(startedAt);
    }

    private void leaveQueue(long nowAt) {
        if (waiting.compareAndSet(true, false)) {
            action.run().journal().waiting(-1, nowAt);
        }
    }

    @Override
    public void ended(Exchange exchange, @Nullable HttpResponse response) {
        if (over.compareAndSet(false, true)) {
            Exchange copy = new Exchange(0);
            copy.copy(exchange);
            CaptureLoops.execute(session.eventLoop(), () -> finish(copy, response));
        }
    }

    private void timeOut() {
        if (over.compareAndSet(false, true)) {
            HttpCall given = call;
            if (given != null) {
                given.abort();
            }
            long nowAt = System.nanoTime();
            leaveQueue(nowAt);
            Fault fault = new Fault(Optional.empty(), Optional.of("request timeout"));
            tell(nowAt, true, fault, session.markAsFailed());
        }
    }

    /** What Gatling logs beside the times: the status, and what was wrong. */
    private record Fault(Optional<String> code, Optional<String> message) {}

    private void finish(Exchange seen, @Nullable HttpResponse response) {
        Future<?> pending = timeout;
        if (pending != null) {
            pending.cancel(false);
        }
        leaveQueue(seen.completedAt);
        intent().transported(seen);
        if (response == null) {
            boolean timedOut = seen.outcome.fate() == Fate.TIMED_OUT;
            Fault fault = new Fault(Optional.empty(), Optional.of(seen.outcome.reason()));
            tell(seen.completedAt, timedOut, fault, session.markAsFailed());
            return;
        }
        ResponseChecks.Result result = checked(response);
        Fault fault = new Fault(Optional.of(String.valueOf(response.status())), result.failure());
        Session after = result.failure().isPresent() ? result.session().markAsFailed() : result.session();
        tell(seen.completedAt, false, fault, after);
    }

    private ResponseChecks.Result checked(HttpResponse response) {
        try {
            return action.checks.check(request, response, session);
        } catch (RuntimeException broken) {
            return new ResponseChecks.Result(session, Optional.of("check crashed: " + broken));
        }
    }

    private void tell(long endAt, boolean timedOut, Fault fault, Session after) {
        long endMillis = action.core.clock().nowMillis() - Math.round((System.nanoTime() - endAt) / NANOS_PER_MILLI);
        long startMillis = endMillis - Math.round((endAt - givenAt) / NANOS_PER_MILLI);
        new Sent(intent(), action.run().journal())
                .endedAt(
                        endAt,
                        timedOut,
                        () -> action.core
                                .statsEngine()
                                .logResponse(
                                        session.scenario(),
                                        session.groups(),
                                        name,
                                        startMillis,
                                        endMillis,
                                        fault.message().isPresent() ? KO$.MODULE$ : OK$.MODULE$,
                                        scala.Option.apply(fault.code().orElse(null)),
                                        scala.Option.apply(fault.message().orElse(null))));
        action.next.$bang(after.logGroupRequestTimings(startMillis, endMillis));
    }
}
