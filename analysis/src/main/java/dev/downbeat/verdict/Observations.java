package dev.downbeat.verdict;

import dev.downbeat.event.ExplainedGaps;
import dev.downbeat.event.Incident;
import dev.downbeat.event.Incidents;
import dev.downbeat.event.Overloads;
import dev.downbeat.event.Overloads.Overload;
import dev.downbeat.record.Recording;
import dev.downbeat.run.RunResult;
import dev.downbeat.stats.QuantileInterval;
import dev.downbeat.verdict.bound.ResponseBounds;
import dev.downbeat.verdict.bound.ResponseIntervals;
import dev.downbeat.verdict.caveat.Caveat.Unsteady;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/**
 * Everything derived from a run before judging: bounds, intervals, steadiness and events. Each value is computed once,
 * on first use. Immutable and thread-safe.
 */
public final class Observations {
    /** An event determines a percentile if it accounts for at least this share of the requests beyond it. */
    private static final double DETERMINING_SHARE = 0.8;

    private final RunResult result;
    private final Supplier<ResponseBounds> response;
    private final Supplier<ResponseBounds> service;
    private final Supplier<ResponseIntervals> intervals;
    private final Supplier<Optional<Steadiness>> steadiness;
    private final Supplier<List<Overload>> overloads;
    private final Supplier<List<Incident>> events;
    private final Supplier<ExplainedGaps> explained;
    private final Supplier<RunResult> ofNames;
    private final Map<String, Observations> byName = new ConcurrentHashMap<>();

    private Observations(RunResult result, Supplier<ExplainedGaps> explained, Optional<Found> saved) {
        this.result = result;
        this.explained = explained;
        ofNames = new Once<>(result::ofNames);
        response = new Once<>(() -> bounds(result.recording()));
        service = new Once<>(() -> ResponseBounds.ofService(result.recording()));
        intervals = new Once<>(() -> ResponseIntervals.of(result, response(), change().isEmpty()));
        steadiness = new Once<>(() -> Steadiness.of(result, events()));
        Supplier<List<Overload>> possible = new Once<>(() -> Overloads.of(result, explained.get()));
        Supplier<List<Overload>> certain = new Once<>(
                () -> isMedianMostlyOwnDelay() ? Overloads.withoutOwnDelay(result, explained.get()) : possible.get());
        overloads = new Once<>(() -> saved.map(Found::overloads).orElseGet(() -> Overload.joined(certain.get())));
        events = new Once<>(() -> saved.map(Found::events)
                .orElseGet(() -> Incidents.of(result, explained.get(), possible.get(), certain.get())));
    }

    /** Creates the observations; nothing is computed yet. */
    public static Observations of(RunResult result) {
        return of(result, Optional.empty());
    }

    /** The observations of a saved run, with the events and overloads that its verdict was based on. */
    public static Observations of(RunResult result, Optional<Found> saved) {
        return new Observations(result, new Once<>(() -> new ExplainedGaps(result)), saved);
    }

    /** What happened in the run, to be saved with its verdict. */
    public Found found() {
        return new Found(events(), overloads());
    }

    /**
     * What happened in a run.
     *
     * @param events as {@link Observations#events}
     * @param overloads as {@link Observations#overloads}
     */
    public record Found(List<Incident> events, List<Overload> overloads) {
        public Found {
            events = List.copyOf(events);
            overloads = List.copyOf(overloads);
        }
    }

    /** Bounds of the response times of a recording, such as that of one name. */
    public static ResponseBounds bounds(Recording recording) {
        return ResponseBounds.of(recording);
    }

    public RunResult result() {
        return result;
    }

    public ResponseBounds response() {
        return response.get();
    }

    public ResponseBounds service() {
        return service.get();
    }

    /** 95 % confidence intervals of the response times. */
    public ResponseIntervals intervals() {
        return intervals.get();
    }

    /**
     * The 95 % confidence interval of a percentile; empty as {@link ResponseIntervals#at}, and if one event determined it.
     *
     * @param percentile above 0, below 100
     */
    public Optional<QuantileInterval> interval(double percentile) {
        return soleEvent(percentile).isPresent()
                ? Optional.empty()
                : intervals().at(percentile);
    }

    /** Why {@link #interval} is empty or has no upper end. */
    public String whyNoInterval(double percentile) {
        return soleEvent(percentile).isPresent()
                ? "caused by a single event, whose frequency is unknown"
                : intervals().whyNot(percentile);
    }

    /** Whether the service was steady throughout; empty if the load was not steady or the run was too short to tell. */
    public Optional<Steadiness> steadiness() {
        return steadiness.get();
    }

    /** The change of the service that makes percentiles of the whole run meaningless; empty if there is none. */
    public Optional<Unsteady.NotSteady> change() {
        return steadiness()
                .flatMap(Steadiness::caveat)
                .filter(Unsteady.NotSteady.class::isInstance)
                .map(Unsteady.NotSteady.class::cast);
    }

    /** Whether half of the median may be Downbeat's delay, so that overloads are sought without it. */
    private boolean isMedianMostlyOwnDelay() {
        return response().hasNotableOwnDelay(50)
                && 2 * response().withoutOwnDelayNanos(50) < response().atLeastNanos(50);
    }

    /** The overloads of the service; consecutive stages form one phase. */
    public List<Overload> overloads() {
        return overloads.get();
    }

    /** Stalls, slow spells, outages, errors, pauses and overloads, in the order of time. */
    public List<Incident> events() {
        return events.get();
    }

    /** The observations for the requests of one name. */
    public Observations named(String name) {
        return byName.computeIfAbsent(
                name, own -> new Observations(ofNames.get().named(own), explained, Optional.empty()));
    }

    /**
     * The event that alone determined this percentile, possibly even the median. Such a percentile is a fact about this
     * run. It has no confidence interval, since one event does not show how often it happens.
     *
     * @param percentile from 0 to 100
     */
    public Optional<Incident> soleEvent(double percentile) {
        double beyond = response().count() * (1 - percentile / 100);
        long nanos = response().atLeastNanos(percentile);
        List<Incident> reaching = events().stream()
                .filter(event -> event.slowestNanos() >= nanos && event.requestsHit() > 0)
                .toList();
        return reaching.size() == 1
                        && share(reaching.get(0), percentile, beyond) >= DETERMINING_SHARE
                        && (nanos >= 2 * response().atLeastNanos(50)
                                || 2 * reaching.get(0).requestsHit()
                                        > response().count())
                ? Optional.of(reaching.get(0))
                : Optional.empty();
    }

    /** The event's share of the requests beyond; badly affected requests may be fewer than those beyond p99. */
    private static double share(Incident event, double percentile, double beyond) {
        return Math.max(event.requestsHit() / beyond, percentile >= 99 ? event.tailShare() : 0);
    }

    /** A value that is computed when it is first needed. */
    private static final class Once<T> implements Supplier<T> {
        private final Supplier<T> compute;
        private volatile Optional<T> value = Optional.empty();

        Once(Supplier<T> compute) {
            this.compute = compute;
        }

        @Override
        public T get() {
            Optional<T> known = value;
            if (known.isPresent()) {
                return known.get();
            }
            synchronized (this) {
                if (value.isEmpty()) {
                    value = Optional.of(compute.get());
                }
                return value.orElseThrow();
            }
        }
    }
}
