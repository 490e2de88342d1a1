package dev.downbeat.verdict;

import dev.downbeat.event.Incident;
import dev.downbeat.event.Incidents;
import dev.downbeat.event.Overload;
import dev.downbeat.event.Overloads;
import dev.downbeat.record.Recording;
import dev.downbeat.run.RunResult;
import dev.downbeat.verdict.bound.ResponseBounds;
import dev.downbeat.verdict.bound.ResponseIntervals;
import dev.downbeat.verdict.caveat.Unsteady;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/**
 * What can be read off a run before anything is judged: bounds, intervals, steadiness and events. Each is computed once, when it
 * is first needed, and nowhere else. Immutable, and safe for use by several threads.
 */
public final class Observations {
    /** One event has made a percentile if so much of what lies beyond it is the event's. */
    private static final double MOST_OF_IT = 0.8;

    private final RunResult result;
    private final Supplier<ResponseBounds> response;
    private final Supplier<ResponseBounds> service;
    private final Supplier<ResponseIntervals> intervals;
    private final Supplier<Optional<Steadiness>> steadiness;
    private final Supplier<List<Overload>> overloads;
    private final Supplier<List<Incident>> events;
    private final Supplier<RunResult> ofNames;
    private final Map<String, Observations> byName = new ConcurrentHashMap<>();

    private Observations(RunResult result) {
        this.result = result;
        ofNames = new Once<>(result::ofNames);
        response = new Once<>(() -> bounds(result.recording()));
        service = new Once<>(() -> ResponseBounds.ofService(result.recording()));
        intervals = new Once<>(() -> ResponseIntervals.of(result, response(), change().isEmpty()));
        steadiness = new Once<>(() -> Steadiness.of(result, events()));
        overloads = new Once<>(() -> isMedianOurs() ? List.of() : Overload.joined(Overloads.of(result)));
        events = new Once<>(() -> Incidents.of(result).stream()
                .filter(event -> event.cause() != Incident.Cause.OVERLOAD || !isMedianOurs())
                .toList());
    }

    /** Nothing is computed yet. */
    public static Observations of(RunResult result) {
        return new Observations(result);
    }

    /** Bounds of the response times of what was recorded of a name, or of a part of a run. */
    public static ResponseBounds bounds(Recording recording) {
        return ResponseBounds.of(recording);
    }

    /** The run itself. */
    public RunResult result() {
        return result;
    }

    /** Bounds of the response times. */
    public ResponseBounds response() {
        return response.get();
    }

    /** Bounds of the service times. */
    public ResponseBounds service() {
        return service.get();
    }

    /** 95 % confidence intervals of the response times. */
    public ResponseIntervals intervals() {
        return intervals.get();
    }

    /** Whether the service was the same throughout; empty if the load was not, or if the run was too short to say. */
    public Optional<Steadiness> steadiness() {
        return steadiness.get();
    }

    /** How the service changed so that no percentile of the whole describes it; empty if it did not. */
    public Optional<Unsteady.NotSteady> change() {
        return steadiness()
                .flatMap(Steadiness::caveat)
                .filter(Unsteady.NotSteady.class::isInstance)
                .map(Unsteady.NotSteady.class::cast);
    }

    /** If half of the median may be ours, nobody can tell who was overloaded. */
    private boolean isMedianOurs() {
        return response().isOurs(50)
                && 2 * response().withoutOursNanos(50) < response().atLeastNanos(50);
    }

    /** Phases in which the service answered less than it was asked; stages that follow each other are one phase. */
    public List<Overload> overloads() {
        return overloads.get();
    }

    /** Stalls, slow spells, outages, errors, pauses and overloads, in the order of time. */
    public List<Incident> events() {
        return events.get();
    }

    /** The same of the requests of one name alone. */
    public Observations named(String name) {
        return byName.computeIfAbsent(
                name, own -> new Observations(ofNames.get().named(own)));
    }

    /**
     * The event that alone made this percentile what it is, and perhaps the median too. Such a percentile is a fact about
     * this run; it has no confidence interval, since one event does not show how often it happens.
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
                        && share(reaching.get(0), percentile, beyond) >= MOST_OF_IT
                        && (nanos >= 2 * response().atLeastNanos(50)
                                || 2 * reaching.get(0).requestsHit()
                                        > response().count())
                ? Optional.of(reaching.get(0))
                : Optional.empty();
    }

    /** How much of what lies beyond is the event's; those hit hard may be fewer than those beyond p99. */
    private static double share(Incident event, double percentile, double beyond) {
        return Math.max(event.requestsHit() / beyond, percentile >= 99 ? event.tailShare() : 0);
    }

    /** A value that is computed when it is first needed. */
    private static final class Once<T> implements Supplier<T> {
        private final Supplier<T> how;
        private volatile Optional<T> value = Optional.empty();

        Once(Supplier<T> how) {
            this.how = how;
        }

        @Override
        public T get() {
            Optional<T> known = value;
            if (known.isPresent()) {
                return known.get();
            }
            synchronized (this) {
                if (value.isEmpty()) {
                    value = Optional.of(how.get());
                }
                return value.orElseThrow();
            }
        }
    }
}
