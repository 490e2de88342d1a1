package dev.downbeat.compare;

import dev.downbeat.arrival.ArrivalProcess;
import dev.downbeat.arrival.Constant;
import dev.downbeat.arrival.Poisson;
import dev.downbeat.event.Incident;
import dev.downbeat.event.Overloads.Overload;
import dev.downbeat.record.Interval;
import dev.downbeat.record.Recording;
import dev.downbeat.run.RunResult;
import dev.downbeat.run.ShardRun;
import dev.downbeat.run.ThinkTime;
import dev.downbeat.run.Workload;
import dev.downbeat.selfcheck.CpuContentionMonitor.CpuContention;
import dev.downbeat.stats.Percentiles;
import dev.downbeat.verdict.Observations;
import dev.downbeat.verdict.RunVerdict;
import dev.downbeat.verdict.Steadiness;
import dev.downbeat.verdict.bound.ResponseBounds;
import dev.downbeat.verdict.bound.ResponseIntervals;
import dev.downbeat.verdict.bound.ResponseIntervals.Cuts;
import dev.downbeat.verdict.caveat.Caveat;
import dev.downbeat.verdict.caveat.Caveat.Unsteady;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/**
 * The data of a run that a comparison needs.
 *
 * @param name a name for readers
 * @param stretches recordings of a second or more each, in order of time
 * @param workload kind of the workload, such as {@code open}; empty if unknown
 * @param ratePerSecond planned requests per second; empty if unknown or if the load follows the responses
 * @param doubts reasons against comparing it
 * @param calm the run without its incidents; empty if they are unknown
 * @param host the machine, as far as known
 * @param requestedLoad the requested load besides its kind and rate, as far as known
 * @param othersNanos upper bound of what other processes added to a response time; 0 if they hardly ran
 * @param lengthNanos the length of all stretches together, incidents included
 */
public record ComparedRun(
        String name,
        List<Recording> stretches,
        String workload,
        OptionalDouble ratePerSecond,
        List<Incomparable> doubts,
        Optional<Calm> calm,
        Host host,
        RequestedLoad requestedLoad,
        long othersNanos,
        long lengthNanos) {
    /** A load whose thirds differ by more than this factor is not steady. */
    private static final double EVEN = 1.2;

    private static final Set<Incident.Cause> NOT_OF_THE_SERVICE =
            EnumSet.of(Incident.Cause.OUR_PAUSE, Incident.Cause.STARTING, Incident.Cause.SLOW_LOOKUP);

    /** The code of {@link RunDefect.NothingAnswered}. */
    private static final String NOTHING_ANSWERED = "nothing_answered";

    /**
     * A run without its incidents.
     *
     * @param incidents in order of time
     * @param overload the worst phase of overload; empty if there was none
     * @param stretches the seconds not affected by incidents
     * @param named the same stretches by request name, where names were recorded
     */
    public record Calm(
            List<Incident> incidents, Optional<Overload> overload, List<Recording> stretches, List<Recording> named) {
        public Calm {
            incidents = List.copyOf(incidents);
            stretches = List.copyOf(stretches);
            named = List.copyOf(named);
        }

        /** The incidents except Downbeat's own pauses and start, and name lookups, which the service does not do. */
        List<Incident> ofTheService() {
            return incidents.stream()
                    .filter(incident -> !NOT_OF_THE_SERVICE.contains(incident.cause()))
                    .toList();
        }

        /** Overloads and errors are not stalls and stay in the data. */
        private static Calm of(Observations observations) {
            RunResult result = observations.result();
            List<Incident> incidents = observations.events().stream()
                    .filter(event -> event.cause() != Incident.Cause.OVERLOAD && event.cause() != Incident.Cause.ERRORS)
                    .toList();
            return new Calm(
                    incidents,
                    observations.overloads().stream().max(Comparator.comparingDouble(Overload::missingShare)),
                    calm(result.intervals(), incidents),
                    calm(result.intervalsOfNames(), incidents));
        }

        private static List<Recording> calm(List<Interval> intervals, List<Incident> incidents) {
            return ComparedRun.stretches(intervals.stream()
                    .filter(interval -> incidents.stream().noneMatch(incident -> isAffected(incident, interval)))
                    .toList());
        }

        private Calm allowingFor(CpuContention crowding, long startAt) {
            return new Calm(
                    incidents.stream()
                            .filter(incident ->
                                    !crowding.explains(startAt + incident.startNanos(), incident.lengthNanos()))
                            .toList(),
                    overload.filter(phase -> !crowding.isCrowded()),
                    stretches,
                    named);
        }

        /** An overload is not attributed to single names. */
        private Calm ofName(String request) {
            List<Recording> own = ComparedRun.named(named, request);
            return new Calm(incidents, Optional.empty(), own, own);
        }

        /** From the start of the incident to a second after its end, while its backlog drains. */
        private static boolean isAffected(Incident incident, Interval interval) {
            return interval.endNanos() > incident.startNanos()
                    && interval.startNanos()
                            < incident.startNanos()
                                    + incident.lengthNanos()
                                    + incident.catchUpNanos()
                                    + ResponseIntervals.LEAST_STRETCH_NANOS;
        }
    }

    /** A run of stretches of a second, whose host is unknown. */
    public ComparedRun(
            String name,
            List<Recording> stretches,
            String workload,
            OptionalDouble ratePerSecond,
            List<Incomparable> doubts,
            Optional<Calm> calm) {
        this(
                name,
                stretches,
                workload,
                ratePerSecond,
                doubts,
                calm,
                Host.UNKNOWN,
                RequestedLoad.UNKNOWN,
                0,
                TimeUnit.SECONDS.toNanos(stretches.size()));
    }

    /** A run whose incidents are unknown. */
    public ComparedRun(
            String name,
            List<Recording> stretches,
            String workload,
            OptionalDouble ratePerSecond,
            List<Incomparable> doubts) {
        this(name, stretches, workload, ratePerSecond, doubts, Optional.empty());
    }

    public ComparedRun {
        stretches = List.copyOf(stretches);
        doubts = List.copyOf(doubts);
    }

    /** The run's requests of one name; the incidents remain those of all requests. */
    ComparedRun named(String request) {
        List<Recording> own = named(stretches, request);
        return new ComparedRun(
                name,
                own,
                workload,
                ratePerSecond,
                doubts,
                calm.map(all -> all.ofName(request)),
                host,
                requestedLoad,
                othersNanos + (isBounded(own) ? 0 : mostOwnDelayNanos()),
                lengthNanos);
    }

    /** Logs record Downbeat's own delay only for all requests together. */
    private static boolean isBounded(List<Recording> stretches) {
        return stretches.stream().allMatch(stretch -> stretch.times().isOwnDelayKnown());
    }

    private long mostOwnDelayNanos() {
        return ResponseBounds.ownDelayNanos(total(), Percentiles.belowMax(Percentiles.Place.TABLE)).stream()
                .mapToLong(Long::longValue)
                .max()
                .orElse(0);
    }

    /** Stretches without names are merged into the next stretch that has names. */
    private static List<Recording> named(List<Recording> stretches, String request) {
        boolean hasNames =
                stretches.stream().anyMatch(stretch -> !stretch.byName().isEmpty());
        return stretches.stream()
                .filter(stretch -> !hasNames || !stretch.byName().isEmpty())
                .map(stretch -> stretch.named(request))
                .toList();
    }

    /** A run of this process. */
    public static ComparedRun of(String name, Observations observations, RunVerdict verdict) {
        RunResult result = observations.result();
        List<Incomparable> doubts = new ArrayList<>();
        if (!verdict.hasSoundTimes()) {
            Incomparable unsound = unsound(
                    name, verdict.doubtsOfTimes().stream().map(Caveat::code).toList());
            doubts.add(verdict.hasBoundedTimes() ? unsound.ofOwnDelay() : unsound);
        }
        boolean isSilentAtMost = doubts.stream().allMatch(doubt -> doubt.kind() == Incomparable.Kind.NOTHING_ANSWERED);
        if (isSilentAtMost && !result.isComplete()) {
            doubts.add(new Incomparable(Incomparable.Kind.PARTIAL, name + " ended early"));
        }
        observations
                .change()
                .filter(Unsteady.NotSteady::isHeadline)
                .ifPresent(change -> doubts.add(unsteady(name, change.description())));
        return new ComparedRun(
                name,
                stretches(result.intervals()),
                result.plan().workload().kind(),
                ratePerSecond(result),
                doubts,
                Optional.of(Calm.of(observations)),
                Host.UNKNOWN,
                RequestedLoad.of(result.plan().workload()),
                0,
                lengthNanos(result.intervals()));
    }

    /**
     * The rate of planned requests, which two runs must share. For sessions it is the requested rate, since a slow
     * service makes them plan fewer requests before the end. Empty if the load follows the responses.
     */
    private static OptionalDouble ratePerSecond(RunResult result) {
        Workload workload = result.plan().workload();
        long windowNanos = result.windowNanos();
        if (workload.waitingClients() > 0 || windowNanos == 0 || result.ledger().planned() == 0) {
            return OptionalDouble.empty();
        }
        boolean isWhole =
                result.plan().shard().count() == 1 && result.shards().stream().noneMatch(ShardRun::isMissing);
        return workload instanceof Workload.PartlyOpen
                        && isWhole
                        && workload.ratePerSecond().isPresent()
                ? workload.ratePerSecond()
                : OptionalDouble.of(result.ledger().planned() * 1e9 / windowNanos);
    }

    /** The worst phase of overload; empty if there was none, or it is unknown. */
    Optional<Overload> overload() {
        return calm.flatMap(Calm::overload);
    }

    /** Whether the service had no incident, or none that is known. */
    boolean isCalm() {
        return calm.stream().allMatch(known -> known.ofTheService().isEmpty());
    }

    /** A copy as one of several turns: a single stretch, without overload, for which a turn is too short. */
    ComparedRun asTurn(Recording whole) {
        return new ComparedRun(
                        name,
                        List.of(whole),
                        workload,
                        ratePerSecond,
                        doubts,
                        calm.map(
                                known -> new Calm(known.incidents(), Optional.empty(), List.of(whole), List.of(whole))))
                .withLength(lengthNanos);
    }

    public ComparedRun withHost(Host there) {
        return new ComparedRun(
                name, stretches, workload, ratePerSecond, doubts, calm, there, requestedLoad, othersNanos, lengthNanos);
    }

    public ComparedRun withRequestedLoad(RequestedLoad load) {
        return new ComparedRun(
                name, stretches, workload, ratePerSecond, doubts, calm, host, load, othersNanos, lengthNanos);
    }

    /** A copy with the total length of its stretches. */
    public ComparedRun withLength(long nanos) {
        return new ComparedRun(
                name, stretches, workload, ratePerSecond, doubts, calm, host, requestedLoad, othersNanos, nanos);
    }

    /**
     * A copy that accounts for other processes. Events and overloads that they explain are not the service's, and their
     * delay may be a part of every response time.
     *
     * @param startAt start of the run, by {@link System#nanoTime}
     */
    public ComparedRun allowingFor(CpuContention crowding, long startAt) {
        return new ComparedRun(
                name,
                stretches,
                workload,
                ratePerSecond,
                doubts,
                calm.map(all -> all.allowingFor(crowding, startAt)),
                host,
                requestedLoad,
                crowding.explainedNanos(),
                lengthNanos);
    }

    private static Incomparable unsteady(String name, String change) {
        return new Incomparable(
                Incomparable.Kind.UNSTEADY,
                name + " is not steady: " + change + ", so percentiles of the whole run do not describe the service");
    }

    /**
     * Reports that response times changed during a run with a steady load.
     *
     * @param intervals in order of time
     * @return empty if they did not change, the load was not steady, or the run was too short to tell
     */
    public static Optional<Incomparable> unsteady(String name, List<Interval> intervals) {
        List<Recording> stretches = stretches(intervals);
        int third = stretches.size() / 3;
        double[] planned = new double[3];
        for (int i = 0; i < 3 * third; i++) {
            planned[i / third] += planned(stretches.get(i));
        }
        Arrays.sort(planned);
        return planned[2] > EVEN * planned[0]
                ? Optional.empty()
                : Steadiness.ofIntervals(intervals)
                        .flatMap(Steadiness::change)
                        .map(change -> change.since(intervals.get(0).startNanos()))
                        .filter(Unsteady.NotSteady::isHeadline)
                        .map(change -> unsteady(name, change.description()));
    }

    ComparedRun withoutIncidents() {
        List<Recording> left = calm.map(Calm::stretches).orElse(stretches);
        return new ComparedRun(
                name, left, workload, ratePerSecond, doubts, calm, host, requestedLoad, othersNanos, lengthNanos);
    }

    /**
     * Reports that a run is unsound, with the codes of the reasons, if known. If the only reason is that nothing was
     * answered, the service may have caused it.
     */
    public static Incomparable unsound(String name, List<String> codes) {
        if (codes.equals(List.of(NOTHING_ANSWERED))) {
            return Incomparable.nothingAnswered(name);
        }
        return new Incomparable(
                Incomparable.Kind.UNSOUND,
                "the measurement of " + name + " is unsound"
                        + (codes.isEmpty()
                                ? ""
                                : " (" + String.join(", ", codes).replace('_', ' ') + ")")
                        + (codes.contains(NOTHING_ANSWERED)
                                ? ": it has no response times"
                                : ": its times may be Downbeat's own delay"));
    }

    /** Recordings of stretches of at least about a second. */
    public static List<Recording> stretches(List<Interval> intervals) {
        return Cuts.stretches(intervals, ResponseIntervals.LEAST_STRETCH_NANOS).stream()
                .map(Interval::sum)
                .toList();
    }

    public static long lengthNanos(List<Interval> intervals) {
        return intervals.stream()
                .mapToLong(interval -> interval.endNanos() - interval.startNanos())
                .sum();
    }

    public Recording total() {
        return Recording.sum(stretches);
    }

    /** Requests that were answered, failed, or were not seen to end. */
    public static long planned(Recording recording) {
        return recording.response().count() + notAnswered(recording);
    }

    /** Requests that failed or were not seen to end. */
    public static long notAnswered(Recording recording) {
        return recording.failed().count()
                + recording.unbuilt()
                + recording.censored().count();
    }

    /**
     * Properties that two loads of one kind must share besides their rates. Unknown properties count as equal.
     * Immutable.
     *
     * @param facts by name, without blanks
     */
    public record RequestedLoad(Map<String, String> facts) {
        /** A load of which nothing is known. */
        public static final RequestedLoad UNKNOWN = new RequestedLoad(Map.of());

        public RequestedLoad {
            facts = Map.copyOf(facts);
        }

        /** The load of a plan. */
        public static RequestedLoad of(Workload workload) {
            Map<String, String> facts = new TreeMap<>();
            if (workload instanceof Workload.Open open) {
                facts.put("arrivals", law(open.arrivals()));
            } else if (workload instanceof Workload.PartlyOpen sessions) {
                facts.put("arrivals", law(sessions.sessions()));
                facts.put("session_requests", Integer.toString(sessions.requests()));
                facts.put("think", think(sessions.think()));
            } else if (workload instanceof Workload.Closed closed) {
                facts.put("think", think(closed.think()));
            }
            if (workload.waitingClients() > 0) {
                facts.put("virtual_users", Integer.toString(workload.waitingClients()));
            }
            return new RequestedLoad(facts);
        }

        private static String law(ArrivalProcess arrivals) {
            return arrivals instanceof Poisson
                    ? "random"
                    : arrivals instanceof Constant ? "even" : arrivals.isSteady() ? "steady" : "varying";
        }

        private static String think(ThinkTime think) {
            return think.meanNanos() == 0 ? "none" : Math.round(think.meanNanos() / 1e3) + "us";
        }

        /** In one line: {@code think=none virtual_users=4}; empty if nothing is known. */
        public String text() {
            return Host.text(facts);
        }

        /** "virtual users 8, not 4"; empty if all properties known of both are equal. */
        String differenceTo(RequestedLoad other) {
            return Host.difference(facts, other.facts).replace('_', ' ');
        }
    }
}
