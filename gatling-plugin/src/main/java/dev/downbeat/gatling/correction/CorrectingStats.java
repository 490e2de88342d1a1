package dev.downbeat.gatling.correction;

import dev.downbeat.gatling.ledger.FailureReasons;
import dev.downbeat.gatling.ledger.IntendedRequest;
import dev.downbeat.gatling.ledger.RequestInFlight;
import dev.downbeat.gatling.version.GatlingComponents;
import io.gatling.commons.stats.OK$;
import io.gatling.commons.stats.Status;
import io.gatling.core.actor.ActorRef;
import io.gatling.core.controller.Controller;
import io.gatling.core.session.GroupBlock;
import io.gatling.core.stats.StatsEngine;
import scala.Option;
import scala.collection.immutable.List;

/**
 * A decorator for Gatling's statistics that records each logged response from its intended start. Gatling's own data is
 * unchanged, unless the run is configured to correct the starts in Gatling's report.
 */
public final class CorrectingStats implements StatsEngine {
    private final StatsEngine stats;
    private final CorrectedRun run;

    CorrectingStats(StatsEngine stats, CorrectedRun run) {
        this.stats = stats;
        this.run = run;
    }

    public CorrectedRun run() {
        return run;
    }

    @Override
    public void start() {
        stats.start();
    }

    /** From 3.16 on, the second parameter is the reason: the build adds that form, by {@code src/build/NewNames.java}. */
    @Override
    public void stop(ActorRef<Controller.Command> controller, Option<Exception> exception) {
        stats.stop(controller, exception);
    }

    /** The form of Gatling 3.11, with Akka actors. */
    public void stop(akka.actor.ActorRef controller, Option<Exception> exception) {
        GatlingComponents.stop(stats, controller, exception);
    }

    @Override
    public void logUserStart(String scenario) {
        stats.logUserStart(scenario);
    }

    @Override
    public void logUserEnd(String scenario) {
        stats.logUserEnd(scenario);
    }

    @Override
    public void logGroupEnd(String scenario, GroupBlock group, long exitMillis) {
        stats.logGroupEnd(scenario, group, exitMillis);
    }

    @Override
    public void logRequestCrash(String scenario, List<String> groups, String request, String error) {
        UserTiming timing = run.users().get(scenario);
        if (timing != null) {
            timing.crashed(groups, request, FailureReasons.unbuilt(error));
        }
        stats.logRequestCrash(scenario, groups, request, error);
    }

    /** The parameter list is Gatling's. */
    @Override
    public void logResponse(
            String scenario,
            List<String> groups,
            String request,
            long startMillis,
            long endMillis,
            Status status,
            Option<String> code,
            Option<String> message) {
        boolean ok = status == OK$.MODULE$;
        String reason = ok ? "" : FailureReasons.of(code, message);
        RequestInFlight sent = RequestInFlight.current();
        long responseNanos = -1;
        if (sent != null) {
            sent.intent().name(groups, request);
            if (code.isDefined()) {
                sent.intent().responded();
            }
            responseNanos = sent.settle(ok, reason);
        } else if (endMillis >= 0) {
            UserTiming timing = run.users().get(scenario);
            if (timing != null) {
                IntendedRequest intent = timing.send(run.clock().instantOf(startMillis), groups, request);
                responseNanos = otherProtocol(intent, endMillis, reason);
            }
        }
        long start = run.settings().correctsGatlingReport() && responseNanos >= 0
                ? Math.min(startMillis, endMillis - Math.round(responseNanos / 1e6))
                : startMillis;
        stats.logResponse(scenario, groups, request, start, endMillis, status, code, message);
    }

    /** For protocols other than HTTP, only Gatling's milliseconds are known. */
    private long otherProtocol(IntendedRequest intent, long endMillis, String reason) {
        long endAt = run.clock().instantOf(endMillis);
        if (reason.isEmpty()) {
            run.journal().answered(intent, endAt);
        } else {
            run.journal().failed(intent, endAt, reason);
        }
        return intent.ageNanos(endAt);
    }
}
