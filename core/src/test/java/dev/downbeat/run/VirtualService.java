package dev.downbeat.run;

import dev.downbeat.exchange.Exchange;
import dev.downbeat.exchange.Lane;
import dev.downbeat.exchange.Target;
import dev.downbeat.record.Interruptions.Pause;
import dev.downbeat.run.engine.LoadRun;
import dev.downbeat.selfcheck.GeneratorHealth;
import dev.downbeat.time.ManualClock;
import dev.downbeat.time.NanoClock;
import java.io.IOException;
import java.util.List;
import java.util.function.LongUnaryOperator;
import java.util.function.UnaryOperator;

/** Runs against a service in virtual time for tests of other packages, on a machine that never pauses. */
public final class VirtualService {
    private static final GeneratorHealth CALM = new GeneratorHealth(0, 0, 0, 0, 0, 0, 0, 0, 0);

    private VirtualService() {}

    /**
     * Runs a plan.
     *
     * @param connections how many requests may be out at the same time
     * @param servers how many the service works on at the same time; the others wait in its queue
     * @param serviceNanos how long it works on each, by its index
     */
    public static RunResult run(RunPlan plan, int connections, int servers, LongUnaryOperator serviceNanos) {
        return run(plan, connections, servers, serviceNanos, lane -> lane);
    }

    /** As above, but each send costs the client so long. */
    public static RunResult run(
            RunPlan plan, int connections, int servers, LongUnaryOperator serviceNanos, long sendNanos) {
        return run(plan, connections, servers, serviceNanos, lane -> lane.sendingTakes(sendNanos));
    }

    /** As the first, but the service stalls for a while. */
    public static RunResult frozen(
            RunPlan plan, int connections, LongUnaryOperator serviceNanos, long fromNanos, long untilNanos) {
        return run(plan, connections, connections, serviceNanos, lane -> lane.freeze(fromNanos, untilNanos));
    }

    /** As the first, but the service stalls during some spans and the client during others, in order of time. */
    public static RunResult interrupted(
            RunPlan plan,
            int connections,
            LongUnaryOperator serviceNanos,
            List<Pause> ofTheService,
            List<Pause> ofTheClient) {
        return run(plan, connections, connections, serviceNanos, lane -> {
            ofTheService.forEach(span -> lane.freeze(span.fromNanos(), span.toNanos()));
            ofTheClient.forEach(span -> lane.standStillOurselves(span.fromNanos(), span.toNanos()));
            return lane;
        });
    }

    /** As the first, but the client itself is paused for a while. */
    public static RunResult paused(
            RunPlan plan, int connections, LongUnaryOperator serviceNanos, long fromNanos, long untilNanos) {
        return run(
                plan, connections, connections, serviceNanos, lane -> lane.standStillOurselves(fromNanos, untilNanos));
    }

    private static RunResult run(
            RunPlan plan,
            int connections,
            int servers,
            LongUnaryOperator serviceNanos,
            UnaryOperator<SimulatedLane> trouble) {
        ManualClock clock = new ManualClock(0);
        Target target = new Target() {
            @Override
            public String describe() {
                return "a simulated service";
            }

            @Override
            public Lane open(int share, int shares, NanoClock ignored, Exchange.Listener listener) {
                return trouble.apply(new SimulatedLane(clock, listener, connections, servers, serviceNanos));
            }
        };
        RunResult result;
        try {
            result = new LoadRun(plan, target, clock).run(Progress.none());
        } catch (IOException impossible) {
            throw new AssertionError(impossible);
        }
        return calm(result);
    }

    private static RunResult calm(RunResult result) {
        return new RunResult(
                        result.plan(),
                        result.target(),
                        result.span(),
                        result.recording(),
                        result.intervals(),
                        result.lanes(),
                        CALM)
                .with(result.interruptions());
    }
}
