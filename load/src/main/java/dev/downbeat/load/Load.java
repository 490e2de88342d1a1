package dev.downbeat.load;

import dev.downbeat.exchange.SystemUnderTest;
import dev.downbeat.exchange.Target;
import dev.downbeat.run.RunPlan;
import dev.downbeat.run.Script;
import dev.downbeat.run.Workload;
import dev.downbeat.verdict.Rigour;
import dev.downbeat.verdict.Slo;
import dev.downbeat.why.ServiceWatch;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * A load to put on code of one's own, in the words of whoever asks for it.
 *
 * <pre>{@code
 * Measured orders = Load.perSecond(500)
 *         .duration(Duration.ofSeconds(30))
 *         .objectives("p99<50ms", "errors<0.1%")
 *         .run(beat -> client.place(order(beat.index())));
 * orders.throwUnlessMet();
 * }</pre>
 *
 * <p>Every request counts from when it was meant to start, also if all threads are busy by then.
 *
 * <p>Immutable: each setter returns a new load. Thread-safe; what is measured at the same time in one process is measured
 * together, so run one after the other. An argument that is null is refused with a {@link NullPointerException}, before
 * anything is sent.
 */
public final class Load {
    private static final int MOST_STAGES = 10_000;
    private static final String CODE = "code";

    private final LoadSettings settings;

    private Load(LoadSettings settings) {
        this.settings = settings;
    }

    private Load with(Consumer<LoadSettings> change) {
        LoadSettings changed = new LoadSettings(settings);
        change.accept(changed);
        return new Load(changed);
    }

    /**
     * An open load at random times, as from many callers who know nothing of each other: short for {@link #open} with {@link
     * Arrivals#perSecond}.
     *
     * @param count mean number of requests a second, at least 1
     * @throws IllegalArgumentException if {@code count} is below 1
     */
    public static Load perSecond(long count) {
        return open(Arrivals.perSecond(count));
    }

    /**
     * An open load: requests come by a law of their own, whether or not earlier ones have been answered.
     *
     * @param arrivals the law
     */
    public static Load open(Arrivals arrivals) {
        Objects.requireNonNull(arrivals, "arrivals");
        return new Load(new LoadSettings(new Shapes.Open(arrivals)));
    }

    /**
     * Sessions, which begin by a law of their own, whether or not earlier ones are over. Each sends the requests of a file
     * from the first to the last, and pauses between them where the file says so. A request counts from when its session
     * meant to send it.
     *
     * @param begins the law by which sessions begin
     */
    public static Load sessions(Arrivals begins) {
        Objects.requireNonNull(begins, "begins");
        return new Load(new LoadSettings(new Shapes.Sessions(begins)));
    }

    /**
     * A closed loop: so many virtual users, each of whom waits for its response and asks again at once. A slow service slows
     * this load down, so its response times are not those that independent callers would meet.
     *
     * @param clients at least 1
     * @throws IllegalArgumentException if {@code clients} is below 1
     */
    public static Load closed(int clients) {
        return closed(clients, Duration.ZERO);
    }

    /**
     * A closed loop whose virtual users think before they ask again.
     *
     * @param clients at least 1
     * @param think the pause between a response and the next request, not negative, at most 3650 days
     * @throws IllegalArgumentException if an argument is out of range
     */
    public static Load closed(int clients, Duration think) {
        int count = (int) Given.atLeastOne("clients", clients);
        return new Load(new LoadSettings(new Shapes.Closed(count, Given.notNegative("think", think))));
    }

    /**
     * Which of the possible random times requests have; 42 unless said otherwise. The same seed gives the same times.
     *
     * @throws IllegalArgumentException if this is a closed loop, which has no such times
     */
    public Load seed(long seed) {
        if (settings.shape instanceof Shapes.Closed) {
            throw new IllegalArgumentException("seed is for an open load: the times of a closed loop are not random");
        }
        return with(changed -> changed.seed = seed);
    }

    /**
     * What is measured, for the report's first line; "code", or the service's address, unless said otherwise.
     *
     * @throws IllegalArgumentException if {@code what} is blank
     */
    public Load named(String what) {
        if (what.isBlank()) {
            throw new IllegalArgumentException("the name of a load must not be blank");
        }
        return with(changed -> changed.name = Optional.of(what));
    }

    /**
     * How long requests are meant to start; 10 s unless said otherwise.
     *
     * @param length above zero, at most 3650 days
     * @throws IllegalArgumentException if {@code length} is out of range
     */
    public Load duration(Duration length) {
        Given.aboveZero("duration", length);
        return with(changed -> changed.duration = length);
    }

    /**
     * The same load for so long beforehand, unmeasured; none unless said otherwise.
     *
     * @param length not negative, at most 3650 days; zero for none
     * @throws IllegalArgumentException if {@code length} is out of range
     */
    public Load warmUp(Duration length) {
        Given.notNegative("warmUp", length);
        return with(changed -> {
            changed.warmUp = length;
            changed.warmsUpUntilSteady = false;
        });
    }

    /**
     * The same load beforehand, unmeasured, until the median is steady: the medians of the three thirds of its latest half
     * agree. It takes six seconds or more, 60 s at most, and never more than three times the {@link #duration}.
     */
    public Load warmUpUntilSteady() {
        return with(changed -> changed.warmsUpUntilSteady = true);
    }

    /**
     * A caller's patience, from the intended time; 30 s unless said otherwise. Blocking code is interrupted then, and the
     * stage of asynchronous code is cancelled.
     *
     * @param patience above zero, at most 3650 days
     * @throws IllegalArgumentException if {@code patience} is out of range
     */
    public Load timeout(Duration patience) {
        Given.aboveZero("timeout", patience);
        return with(changed -> changed.timeout = patience);
    }

    /**
     * How many requests may be in flight. Who comes when so many are waits in the backlog, and the wait is part of its
     * response time. Unless said otherwise 10,000; for blocking code on a JDK without virtual threads 256, each of which has
     * a thread. Services over a wire have connections instead.
     *
     * @param most at least 1
     * @throws IllegalArgumentException if {@code most} is below 1
     */
    public Load inFlight(int most) {
        Given.atLeastOne("inFlight", most);
        return with(changed -> changed.inFlight = OptionalInt.of(most));
    }

    /**
     * What is asked of the service, instead of what was asked before; {@code errors<1%} is added unless a limit of errors or
     * of the rate is given.
     *
     * @param asked such as {@code p99<50ms}, {@code p99.9<=1s}, {@code max<2s}, {@code mean<10ms}, {@code errors<0.1%} or
     *     {@code rate>=99%}
     * @throws IllegalArgumentException with one line that says what is accepted
     */
    public Load objectives(String... asked) {
        List<Slo> read = slos(asked);
        return with(changed -> changed.objectives = read);
    }

    /**
     * What is asked of the service, instead of what was asked before; {@code errors<1%} is added unless a limit of errors or
     * of the rate is given.
     */
    public Load objectives(Objective... asked) {
        List<Slo> all = Slo.withDefaults(Objective.slos(asked));
        return with(changed -> changed.objectives = all);
    }

    /**
     * Asks for a sure verdict: an objective is met or missed only if its whole 95 % confidence interval is on that side of the
     * limit, and undecided otherwise. Unless this is asked, the estimate decides, and {@link Measured#sentence} says where it
     * is not sure.
     */
    public Load sure() {
        return with(changed -> changed.rigour = new Rigour(true, changed.rigour.isStrict()));
    }

    /**
     * Lets every doubt leave every objective undecided: also delays of this process that change no answer, and a service that
     * is not steady.
     */
    public Load strict() {
        return with(changed -> changed.rigour = new Rigour(changed.rigour.isSure(), true));
    }

    /**
     * Watches the service while it is measured, so that {@link Measured#sentence} and the reports can say what slow requests
     * waited for. What cannot be watched is said, and ends no run. For one run: each needs a watcher of its own.
     *
     * @param watcher such as {@code Watchers.parse("jvm:4711")} of downbeat-watch
     */
    public Load watch(ServiceWatch watcher) {
        LoadWatch added = new LoadWatch(Objects.requireNonNull(watcher, "watcher"));
        return with(changed -> changed.watches =
                Stream.concat(changed.watches.stream(), Stream.of(added)).toList());
    }

    static List<Slo> slos(String... asked) {
        return Slo.withDefaults(Stream.of(asked).map(Slo::parse).toList());
    }

    /**
     * Measures code that blocks until it is done: on virtual threads where the JDK has them, else on a pool. Returns when the
     * run is over; an interrupt of this thread ends it early, and what was measured until then is returned.
     *
     * @throws LoadException if nothing could be measured
     */
    public Measured run(BlockingCode code) {
        Objects.requireNonNull(code, "code");
        Reasons reasons = new Reasons();
        int limit = settings.inFlight.orElse(Workers.most());
        Target target = CodeTarget.blocking(settings.name.orElse(CODE), limit, code, reasons);
        return settings.measure(
                settings.plan(Optional.empty()),
                target,
                reasons,
                Map.of("in_flight_limit", limit, "threads", Workers.kind()),
                List.of());
    }

    /**
     * Measures code that completes a stage. Returns when the run is over; an interrupt of this thread ends it early, and what
     * was measured until then is returned.
     *
     * @throws LoadException if nothing could be measured
     */
    public Measured runAsync(AsyncCode code) {
        Objects.requireNonNull(code, "code");
        Reasons reasons = new Reasons();
        int limit = settings.inFlight.orElse(MOST_STAGES);
        Target target = CodeTarget.async(settings.name.orElse(CODE), limit, code, reasons);
        return settings.measure(
                settings.plan(Optional.empty()), target, reasons, Map.of("in_flight_limit", limit), List.of());
    }

    /**
     * Measures a service over a wire: {@code Http} of downbeat-http, {@code Sqs} of downbeat-sqs, {@code Jdbc} of
     * downbeat-jdbc. Of a file of requests an open load takes one for each intended time, by their weights; a session, and a
     * user of a closed loop, sends them from the first to the last. Each is a row of the result by its name, and {@code "name:
     * p99<80ms"} is an objective for it. Returns when the run is over; an interrupt of this thread ends it early, and what was
     * measured until then is returned.
     *
     * @throws IllegalArgumentException if the requests cannot be sent so, an objective is for a name that there is not, or
     *     {@link #inFlight} was set: such a service has connections
     * @throws LoadException if nothing could be measured, such as when nobody listens
     */
    public Measured run(SystemUnderTest system) {
        Objects.requireNonNull(system, "system");
        if (settings.inFlight.isPresent()) {
            throw new IllegalArgumentException("inFlight is for code: set how many connections " + system + " has");
        }
        Optional<Script> script = system instanceof Script several ? Optional.of(several) : Optional.empty();
        RunPlan plan = settings.plan(script);
        boolean isMix = plan.workload() instanceof Workload.Open;
        Target target = script.map(several -> isMix ? several.mix(settings.seed) : several.session(settings.seed))
                .orElseGet(() -> (Target) system);
        Target named =
                settings.name.<Target>map(name -> new NamedTarget(name, target)).orElse(target);
        return settings.measure(plan, named, new Reasons(), Map.of(), settings.command(system.words()));
    }
}
