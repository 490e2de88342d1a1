package dev.downbeat.load;

import dev.downbeat.arrival.ArrivalProcess;
import dev.downbeat.exchange.SystemUnderTest;
import dev.downbeat.load.LoadSettings.LoadWatch;
import dev.downbeat.run.Script;
import dev.downbeat.run.ThinkTime;
import dev.downbeat.run.Workload;
import dev.downbeat.stats.Numbers;
import dev.downbeat.verdict.RequiredCertainty;
import dev.downbeat.verdict.ServiceLevelObjective;
import dev.downbeat.why.ServiceWatch;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * A load on your own code or a remote service.
 *
 * <pre>{@code
 * Measured orders = Load.perSecond(500)
 *         .duration(Duration.ofSeconds(30))
 *         .objectives("p99<50ms", "errors<0.1%")
 *         .run(beat -> client.place(order(beat.index())));
 * orders.throwUnlessMet();
 * }</pre>
 *
 * <p>The clock of a request starts at its intended time, even if all threads are busy then.
 *
 * <p>Immutable: each setter returns a new load. Thread-safe, but concurrent runs in one process disturb each other: run
 * one at a time. A null argument throws a {@link NullPointerException} before anything is sent.
 */
public final class Load {
    private final LoadSettings settings;

    private Load(LoadSettings settings) {
        this.settings = settings;
    }

    private Load with(Consumer<LoadSettings> change) {
        LoadSettings changed = settings.copy();
        change.accept(changed);
        return new Load(changed);
    }

    /**
     * An open load at random times, as from many independent callers. Short for {@link #open} with {@link
     * Arrivals#perSecond}.
     *
     * @param count mean number of requests per second, from 1 to 100,000,000
     * @throws IllegalArgumentException if {@code count} is out of range
     */
    public static Load perSecond(long count) {
        return open(Arrivals.perSecond(count));
    }

    /**
     * An open load: requests arrive on schedule, whether or not earlier ones have been answered.
     *
     * @param arrivals the schedule
     */
    public static Load open(Arrivals arrivals) {
        Objects.requireNonNull(arrivals, "arrivals");
        return new Load(new LoadSettings(new Scheduled(arrivals, false)));
    }

    /**
     * Sessions that begin on schedule, whether or not earlier ones have ended. Each sends the requests of a script in
     * order, with the script's pauses. The clock of the first request starts on schedule. Each later one's starts
     * when the pause after the previous response ends.
     *
     * @param begins the schedule of session starts
     */
    public static Load sessions(Arrivals begins) {
        Objects.requireNonNull(begins, "begins");
        return new Load(new LoadSettings(new Scheduled(begins, true)));
    }

    /**
     * A closed loop of virtual users, each of which waits for its response and sends the next request at once. A slow service
     * slows this load down, so its response times are not those of independent callers.
     *
     * @param clients from 1 to 1,000,000
     * @throws IllegalArgumentException if {@code clients} is out of range
     */
    public static Load closed(int clients) {
        return closed(clients, Duration.ZERO);
    }

    /**
     * A closed loop whose virtual users pause before the next request.
     *
     * @param clients from 1 to 1,000,000
     * @param think the pause between a response and the next request, not negative, at most 3650 days
     * @throws IllegalArgumentException if an argument is out of range
     */
    public static Load closed(int clients, Duration think) {
        int count = ArgumentChecks.concurrency("clients", clients);
        return new Load(new LoadSettings(new Closed(count, ArgumentChecks.notNegative("think", think))));
    }

    /**
     * The seed of random arrival times; the default is 42. The same seed gives the same times. Of a file of requests, it
     * also determines the order and the random values, and the default is a new one for each run: a service may know
     * the unique values of an earlier run.
     *
     * @throws IllegalArgumentException for a closed loop, whose times follow the responses
     */
    public Load seed(long seed) {
        if (settings.shape instanceof Closed) {
            throw new IllegalArgumentException(
                    "seed is for an open load: the times of a closed loop are not random; Http.seed is for a file's values");
        }
        return with(changed -> changed.seed = OptionalLong.of(seed));
    }

    /**
     * The name of what is measured, for the report's first line; the default is "code", or the request to a service.
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
     * The length of the load; the default is that of its {@linkplain Arrivals#length arrivals}, or until 10 s of their endless
     * end.
     *
     * @param length above zero, at most 3650 days
     * @throws IllegalArgumentException if {@code length} is out of range
     */
    public Load duration(Duration length) {
        ArgumentChecks.aboveZero("duration", length);
        return with(changed -> changed.duration = length);
    }

    /**
     * An unmeasured warm-up with the same load; the default is none.
     *
     * @param length not negative, at most 3650 days; zero for none
     * @throws IllegalArgumentException if {@code length} is out of range
     */
    public Load warmUp(Duration length) {
        ArgumentChecks.notNegative("warmUp", length);
        return with(changed -> {
            changed.warmUp = length;
            changed.warmsUpUntilSteady = false;
        });
    }

    /**
     * An unmeasured warm-up with the same load until the median is steady: the medians of the three thirds of its latest half
     * agree. It takes from 6 s to 60 s, and at most three times the {@link #duration}.
     */
    public Load warmUpUntilSteady() {
        return with(changed -> changed.warmsUpUntilSteady = true);
    }

    /**
     * The timeout, counted from the intended time; the default is 30 s. When it expires, blocking code is interrupted
     * and the stage of asynchronous code is cancelled.
     *
     * @param patience the timeout, above zero, at most 3650 days
     * @throws IllegalArgumentException if {@code patience} is out of range
     */
    public Load timeout(Duration patience) {
        ArgumentChecks.aboveZero("timeout", patience);
        return with(changed -> changed.timeout = patience);
    }

    /**
     * The maximum number of requests in flight. Further requests wait in the backlog, and the wait is part of their
     * response time. The default is 10,000; for blocking code on a JDK without virtual threads it is 256, with one
     * thread each. A target has its own limit.
     *
     * @param most the maximum, from 1 to 1,000,000
     * @throws IllegalArgumentException if {@code most} is out of range, or the load is not {@linkplain #open open}: others
     *     wait for their responses
     */
    public Load inFlight(int most) {
        ArgumentChecks.concurrency("inFlight", most);
        if (!(settings.shape instanceof Scheduled schedule) || schedule.isOfSessions()) {
            throw new IllegalArgumentException("inFlight is for an open load: sessions and users wait for responses");
        }
        return with(changed -> changed.inFlight = OptionalInt.of(most));
    }

    /**
     * Adds objectives. {@code errors<1%} is one of them unless the errors or the rate have a limit.
     *
     * @param objectives such as {@code p99<50ms}, {@code p99.9<=1s}, {@code max<2s}, {@code mean<10ms}, {@code errors<0.1%}
     *     or {@code rate>=99%}
     * @throws IllegalArgumentException with one line that names the accepted forms
     */
    public Load objectives(String... objectives) {
        return judgedBy(Objective.slos(objectives));
    }

    /** Adds objectives. {@code errors<1%} is one of them unless the errors or the rate have a limit. */
    public Load objectives(Objective first, Objective... more) {
        return judgedBy(Objective.slos(first, more));
    }

    private Load judgedBy(List<ServiceLevelObjective> objectives) {
        return with(changed -> changed.objectives =
                Stream.concat(changed.objectives.stream(), objectives.stream()).toList());
    }

    /**
     * Requires confidence: an objective is met or missed only if its whole 95 % confidence interval is on that side of
     * the limit, and undecided otherwise. By default the estimate decides, and {@link Measured#sentence} marks
     * uncertain results.
     */
    public Load sure() {
        return with(changed -> changed.rigour = new RequiredCertainty(true, changed.rigour.isStrict()));
    }

    /**
     * Leaves every objective undecided if there is any doubt, including delays of this process that affect no
     * objective, and a service that is not steady.
     */
    public Load strict() {
        return with(changed -> changed.rigour = new RequiredCertainty(changed.rigour.isSure(), true));
    }

    /**
     * Watches the service during the run, so that {@link Measured#sentence} and the reports can name what slow requests
     * waited for. A failing watcher is reported and does not end the run. A watcher serves one
     * run, and so does this load: a second run throws an {@link IllegalStateException}.
     *
     * @param watcher one of {@code Watchers} in downbeat-watch, such as {@code Watchers.parse("jvm:4711")}
     * @throws IllegalArgumentException if it is another implementation
     */
    public Load watch(ServiceWatch watcher) {
        LoadWatch added = new LoadWatch(Objects.requireNonNull(watcher, "watcher"));
        return with(changed -> changed.watches =
                Stream.concat(changed.watches.stream(), Stream.of(added)).toList());
    }

    /**
     * Measures blocking code: on virtual threads where the JDK has them, otherwise on a pool. A request ends when its
     * call returns, so code that only starts work, such as one that returns a stage, is for {@link #runAsync}; work that
     * most calls leave behind in the common pool is a doubt. Returns when the run is over. Interrupting this thread ends
     * the run early and returns the results so far, which may be none.
     *
     * @throws IllegalArgumentException if this is a load of sessions, or an objective names a request: code has no names
     * @throws IllegalStateException if an earlier run used a watcher
     * @throws LoadException if the run could not begin
     */
    public Measured run(BlockingCode code) {
        return settings.blocking(code).measure();
    }

    /**
     * Measures code that completes a stage. Returns when the run is over. Interrupting this thread ends the run early
     * and returns the results so far, which may be none.
     *
     * @throws IllegalArgumentException as {@link #run(BlockingCode)} does
     * @throws IllegalStateException if an earlier run used a watcher
     * @throws LoadException if the run could not begin
     */
    public Measured runAsync(AsyncCode code) {
        return settings.async(code).measure();
    }

    /**
     * Measures a remote service: {@code Http} of downbeat-http, {@code Sqs} of downbeat-sqs, {@code Jdbc} of
     * downbeat-jdbc. From a request file, an open load picks one request per intended time, by weight. Sessions and
     * users of a closed loop send all of them in order. Each request has its own row in the result, and {@code "name:
     * p99<80ms"} is an objective for it. Returns when the run is over. Interrupting this thread ends the run early and
     * returns the results so far, which may be none.
     *
     * @throws IllegalArgumentException if the requests cannot be sent this way, an objective names an unknown request,
     *     there is a warm-up although rows of data are used once, or {@link #inFlight} was set, which does not apply because such a service is limited by its connections
     * @throws IllegalStateException if an earlier run used a watcher
     * @throws LoadException if the run could not begin, such as when nobody listens
     */
    public Measured run(SystemUnderTest system) {
        return settings.system(system).measure();
    }

    /**
     * A search for the highest rate that meets the objectives, from the rate of this load to another. Each rate takes the
     * {@link #duration}, a fifth of it to settle; undecided rates and the ends take longer. A {@link #warmUp} comes before
     * each run.
     *
     * @param perSecond the highest rate to try, from the rate of this load to 100,000,000 requests per second
     * @throws IllegalArgumentException if {@code perSecond} is out of range, this is no open load at one rate, its duration
     *     is below 3 s, its rate is below 0.001/s or one request in a duration, or it is {@link #strict} or {@linkplain
     *     #watch watched}
     */
    public LoadSweep sweepTo(long perSecond) {
        return LoadSweep.of(settings, perSecond);
    }

    /** The load and its length, such as {@code Poisson 500/s for 10s}. */
    @Override
    public String toString() {
        return settings.shape + " for " + LoadSettings.text(settings.duration);
    }

    /** Requests, or sessions, that begin on a schedule. */
    private record Scheduled(Arrivals begins, boolean isOfSessions) implements LoadSettings.Shape {
        @Override
        public Workload workload(long seed, Optional<Script> script) {
            ArrivalProcess process = begins.process(seed);
            if (!isOfSessions) {
                return new Workload.Open(process);
            }
            ThinkTime think = script.orElseThrow(() -> new IllegalArgumentException(
                            "sessions need requests that each sends, such as Http.file(path)"))
                    .think(ThinkTime.none());
            return new Workload.PartlyOpen(process, think.steps(), think);
        }

        @Override
        public List<String> arguments(Duration length) {
            return begins.arguments(length, isOfSessions);
        }

        @Override
        public boolean isRandom() {
            return begins.isRandom();
        }

        @Override
        public OptionalDouble steadyPerSecond() {
            return isOfSessions ? OptionalDouble.empty() : begins.steadyPerSecond();
        }

        @Override
        public Duration defaultLength(Duration ofEndless) {
            return begins.length().orElseGet(() -> begins.finiteLength().plus(ofEndless));
        }

        @Override
        public String toString() {
            return (isOfSessions ? "sessions at " : "") + begins;
        }
    }

    /** A closed loop of users, each waiting for its response. */
    private record Closed(int users, Duration think) implements LoadSettings.Shape {
        @Override
        public Workload workload(long seed, Optional<Script> script) {
            ThinkTime pause = new ThinkTime.Constant(think.toNanos());
            return new Workload.Closed(
                    users, script.map(one -> one.think(pause)).orElse(pause));
        }

        @Override
        public List<String> arguments(Duration length) {
            List<String> arguments = new ArrayList<>(List.of("--closed=" + users));
            if (!think.isZero()) {
                arguments.add("--think=" + LoadSettings.text(think));
            }
            arguments.add("--duration=" + LoadSettings.text(length));
            return arguments;
        }

        @Override
        public boolean isRandom() {
            return false;
        }

        @Override
        public String toString() {
            return Numbers.count(users, "user");
        }
    }
}
