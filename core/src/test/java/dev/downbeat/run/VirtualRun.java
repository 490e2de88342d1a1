package dev.downbeat.run;

import dev.downbeat.exchange.Exchange;
import dev.downbeat.exchange.Lane;
import dev.downbeat.exchange.Target;
import dev.downbeat.run.engine.LoadRun;
import dev.downbeat.selfcheck.DelayTotals;
import dev.downbeat.time.ManualClock;
import dev.downbeat.time.NanoClock;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.function.LongUnaryOperator;
import java.util.function.UnaryOperator;

/** A run against a {@link SimulatedLane} in virtual time: hours pass in milliseconds, and every run is the same. */
@SuppressWarnings("this-escape") // a run asks its target for nothing before it begins
public class VirtualRun implements Target {
    public static final long MILLI = 1_000_000L;
    public static final long SECOND = 1_000_000_000L;

    private final RunPlan plan;
    private final ManualClock clock;
    private final long startedAt;
    private int capacity = 64;
    private int servers = 64;
    private LongUnaryOperator service = index -> MILLI;
    private UnaryOperator<SimulatedLane> trouble = lane -> lane;
    private List<String> names = List.of();
    private final LoadRun run;

    public VirtualRun(RunPlan plan) {
        this(plan, 0);
    }

    public VirtualRun(RunPlan plan, long clockStartsAt) {
        this.plan = plan;
        this.clock = new ManualClock(clockStartsAt);
        this.startedAt = clockStartsAt;
        this.run = new LoadRun(plan, this, clock);
    }

    public VirtualRun slots(int count) {
        capacity = count;
        return this;
    }

    public VirtualRun servers(int count) {
        servers = count;
        return this;
    }

    public VirtualRun service(LongUnaryOperator nanosOfIndex) {
        service = nanosOfIndex;
        return this;
    }

    /** Requests have the name of their step in the session. */
    public VirtualRun names(String... ofSteps) {
        names = List.of(ofSteps);
        return this;
    }

    public VirtualRun trouble(UnaryOperator<SimulatedLane> make) {
        trouble = make;
        return this;
    }

    /** What the generator learns of itself. */
    void ownTime(DelayTotals own) {
        run.ownTime(own);
    }

    /** From the start of the run. */
    long nanos() {
        return clock.nanoTime() - startedAt - LoadRun.LEAD_NANOS;
    }

    RunSnapshot live() {
        return run.live();
    }

    void stop() {
        run.stop();
    }

    void callOff() {
        run.callOff();
    }

    public RunResult result() {
        try {
            return run.run(Progress.none());
        } catch (IOException impossible) {
            throw new AssertionError(impossible);
        }
    }

    /** Of the same run with a start that is known only after its warm-up. */
    RunResult resultFrom(Instant start) throws IOException {
        run.warmUp();
        return run.afterWarmUp(plan.startingAt(start), this).run(Progress.none());
    }

    RunPlan plan() {
        return plan;
    }

    @Override
    public String describe() {
        return "a simulated service";
    }

    @Override
    public List<String> names() {
        return names;
    }

    @Override
    public int nameOf(Exchange exchange) {
        return names.isEmpty() ? 0 : exchange.step % names.size();
    }

    @Override
    public Lane open(int share, int shares, NanoClock ignored, Exchange.Listener listener) {
        return trouble.apply(new SimulatedLane(clock, listener, capacity, servers, service));
    }
}
