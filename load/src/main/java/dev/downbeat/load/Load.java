package dev.downbeat.load;

import dev.downbeat.arrival.ArrivalProcess;
import dev.downbeat.exchange.Target;
import dev.downbeat.report.data.RunReport;
import dev.downbeat.run.LoadRun;
import dev.downbeat.run.Progress;
import dev.downbeat.run.RunPlan;
import dev.downbeat.run.RunResult;
import dev.downbeat.run.ThinkTime;
import dev.downbeat.run.Workload;
import dev.downbeat.selfcheck.MachineProfile;
import dev.downbeat.time.DurationText;
import dev.downbeat.verdict.Slo;
import dev.downbeat.verdict.Verdict;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;

/**
 * A load to put on code of one's own, in the words of whoever asks for it.
 *
 * <pre>{@code
 * Measured orders = Load.open(new Poisson(Rate.perSecond(500), 42))
 *         .duration(Duration.ofSeconds(30))
 *         .objectives("p99<50ms", "errors<0.1%")
 *         .run(beat -> client.place(order(beat.index())));
 * orders.throwUnlessMet();
 * }</pre>
 *
 * <p>Every request counts from when it was meant to start, also if all threads are busy by then. Set up and run by one
 * thread; each run measures anew.
 */
public final class Load {
    private static final int MOST_STAGES = 10_000;

    private final Workload workload;
    private String name = "code";
    private Duration duration = Duration.ofSeconds(10);
    private Duration warmUp = Duration.ZERO;
    private Duration timeout = Duration.ofSeconds(30);
    private OptionalInt inFlight = OptionalInt.empty();
    private List<Slo> objectives = Slo.defaults();

    private Load(Workload workload) {
        this.workload = workload;
    }

    /**
     * An open load: requests come by a law of their own, whether or not earlier ones have been answered, as from many
     * callers who know nothing of each other.
     *
     * @param arrivals the law, such as {@link dev.downbeat.arrival.Poisson}
     */
    public static Load open(ArrivalProcess arrivals) {
        return new Load(new Workload.Open(arrivals));
    }

    /**
     * A closed load: each client waits for its answer, thinks, and asks again. A slow service slows this load down, so its
     * response times are not those that independent callers would meet.
     *
     * @param clients at least 1
     * @param think pause between an answer and the next request
     */
    public static Load closed(int clients, ThinkTime think) {
        return new Load(new Workload.Closed(clients, think));
    }

    /** What is measured, for the report's first line; "code" unless said otherwise. */
    public Load named(String what) {
        name = Objects.requireNonNull(what, "what");
        return this;
    }

    /** Requests are meant to start within this time, above zero; 10 s unless said otherwise. */
    public Load duration(Duration length) {
        duration = Objects.requireNonNull(length, "length");
        return this;
    }

    /** The same load for this long beforehand, unmeasured; zero, which is the default, for none. */
    public Load warmUp(Duration length) {
        if (length.isNegative()) {
            throw new IllegalArgumentException("warmUp must not be negative, but was " + length);
        }
        warmUp = length;
        return this;
    }

    /**
     * A caller's patience, above zero, from the intended time; 30 s unless said otherwise. Blocking code is interrupted
     * then, and the stage of asynchronous code is cancelled.
     */
    public Load timeout(Duration patience) {
        timeout = Objects.requireNonNull(patience, "patience");
        return this;
    }

    /**
     * How many requests may be in flight, at least 1. Who comes when so many are waits in the backlog, and the wait is
     * part of its response time. Unless said otherwise 10,000; for blocking code on a JDK without virtual threads 256,
     * each of which has a thread.
     */
    public Load inFlight(int most) {
        if (most < 1) {
            throw new IllegalArgumentException("inFlight must be at least 1, but was " + most);
        }
        inFlight = OptionalInt.of(most);
        return this;
    }

    /**
     * What is asked of the service, such as {@code p99<50ms}; {@code errors<1%} holds unless another limit of errors or
     * rate is given.
     *
     * @throws IllegalArgumentException with one line that says what is accepted
     */
    public Load objectives(String... asked) {
        List<Slo> read = new ArrayList<>();
        for (String one : asked) {
            read.add(Slo.parse(one));
        }
        objectives = Slo.withDefaults(read);
        return this;
    }

    /** Measures code that blocks until it is done: on virtual threads where the JDK has them, else on a pool. */
    public Measured run(BlockingCode code) {
        Reasons reasons = new Reasons();
        int limit = inFlight.orElse(Workers.most());
        Target target = CodeTarget.blocking(name, limit, code, reasons);
        return measureCode(target, reasons, Map.of("in_flight_limit", limit, "threads", Workers.kind()));
    }

    /** Measures code that completes a stage. */
    public Measured runAsync(AsyncCode code) {
        Reasons reasons = new Reasons();
        int limit = inFlight.orElse(MOST_STAGES);
        Target target = CodeTarget.async(name, limit, code, reasons);
        return measureCode(target, reasons, Map.of("in_flight_limit", limit));
    }

    /**
     * Measures a target, which has its own limit of requests in flight.
     *
     * @throws IOException if nothing could be measured, such as when nobody listens; its message is one clear line
     */
    public Measured run(Target target) throws IOException {
        return measure(target, new Reasons(), Map.of());
    }

    private Measured measureCode(Target target, Reasons reasons, Map<String, Object> details) {
        try {
            return measure(target, reasons, details);
        } catch (IOException stopped) {
            throw new IllegalStateException(stopped.getMessage(), stopped); // code has nothing to connect to
        }
    }

    private Measured measure(Target target, Reasons reasons, Map<String, Object> details) throws IOException {
        SelfWarmUp.once();
        MachineProfile machine = MachineProfile.measure();
        if (!warmUp.isZero()) {
            new LoadRun(plan(warmUp), target).run(Progress.none());
        }
        RunResult result = new LoadRun(plan(duration), target).run(Progress.none());
        return new Measured(report(result, objectives, machine, withWarmUp(details)), reasons.first());
    }

    private Map<String, Object> withWarmUp(Map<String, Object> details) {
        Map<String, Object> more = new TreeMap<>(details);
        if (!warmUp.isZero()) {
            more.put("warm_up", DurationText.format(warmUp.toNanos()));
        }
        return more;
    }

    /** A run of this JVM, ready to be shown. */
    static RunReport report(
            RunResult result, List<Slo> objectives, MachineProfile machine, Map<String, Object> details) {
        String version = Load.class.getPackage().getImplementationVersion();
        return new RunReport(
                result,
                Verdict.of(result, objectives),
                List.of(),
                Optional.empty(),
                version == null ? "development" : version,
                machine,
                details);
    }

    private RunPlan plan(Duration length) {
        return RunPlan.builder(workload).duration(length).timeout(timeout).build();
    }
}
