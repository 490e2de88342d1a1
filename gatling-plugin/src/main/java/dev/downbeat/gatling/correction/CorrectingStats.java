package dev.downbeat.gatling.correction;

import dev.downbeat.gatling.ledger.FailureReasons;
import dev.downbeat.gatling.ledger.Intent;
import dev.downbeat.gatling.ledger.Sent;
import dev.downbeat.gatling.version.Parts;
import io.gatling.commons.stats.OK$;
import io.gatling.commons.stats.Status;
import io.gatling.core.actor.ActorRef;
import io.gatling.core.controller.Controller;
import io.gatling.core.session.GroupBlock;
import io.gatling.core.stats.StatsEngine;
import scala.Option;
import scala.collection.immutable.List;

/**
 * Gatling's statistics, overheard: each response it logs is recorded from its intended time. What Gatling itself keeps is
 * left as it is, unless the run is asked to move the starts in Gatling's own report back to the intended times.
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

    @Override
    public void stop(ActorRef<Controller.Command> controller, Option<Exception> exception) {
        stats.stop(controller, exception);
    }

    /** As Gatling 3.11 has it, with Akka's actors. */
    public void stop(akka.actor.ActorRef controller, Option<Exception> exception) {
        Parts.stop(stats, controller, exception);
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
            timing.crashed(groups, request, "request not built: " + error);
        }
        stats.logRequestCrash(scenario, groups, request, error);
    }

    /** As many parameters as Gatling's own method has. */
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
        Sent sent = Sent.current();
        long responseNanos = -1;
        if (sent != null) {
            sent.intent().name(groups, request);
            responseNanos = sent.logged(ok, reason);
        } else if (endMillis >= 0) {
            UserTiming timing = run.users().get(scenario);
            if (timing != null) {
                Intent intent = timing.send(run.clock().instantOf(startMillis));
                intent.name(groups, request);
                responseNanos = otherProtocol(intent, endMillis, reason);
            }
        }
        long start = run.settings().correctsGatlingReport() && responseNanos >= 0
                ? Math.min(startMillis, endMillis - Math.round(responseNanos / 1e6))
                : startMillis;
        stats.logResponse(scenario, groups, request, start, endMillis, status, code, message);
    }

    /** Of other protocols than HTTP we know what Gatling knows: milliseconds. */
    private long otherProtocol(Intent intent, long endMillis, String reason) {
        long endAt = run.clock().instantOf(endMillis);
        if (reason.isEmpty()) {
            run.journal().answered(intent, endAt);
        } else {
            run.journal().failed(intent, endAt, reason);
        }
        return intent.ageNanos(endAt);
    }
}
