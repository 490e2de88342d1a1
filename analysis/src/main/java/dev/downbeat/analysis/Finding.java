package dev.downbeat.analysis;

import dev.downbeat.event.Incident;
import dev.downbeat.verdict.JudgedObjective;
import dev.downbeat.verdict.caveat.Caveat;
import dev.downbeat.verdict.caveat.Caveat.Unsteady;
import dev.downbeat.verdict.caveat.LoadCaveat;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * One thing that a run shows, as numbers. The sentence is derived from it and is never parsed. {@link Kind} orders
 * findings by precedence, so the first finding of a run is its headline. Immutable.
 */
public sealed interface Finding {
    /** Kinds of findings in order of precedence. This is the only table of precedence. */
    enum Kind {
        /** The run failed before its first request. */
        NOTHING_MEASURED(Tone.BAD, NothingMeasured.class),
        /** The recording is unreliable: requests are missing, the target's code threw, or the process died. */
        RECORD_BROKEN(Tone.BAD, RecordBroken.class),
        /** No request succeeded. */
        NOTHING_ANSWERED(Tone.BAD, NothingAnswered.class),
        /** The service did not receive the planned load. */
        NOT_OFFERED(Tone.OPEN, NotOffered.class),
        /** The service answered fewer requests than were offered; the rest waited or timed out. */
        OVERLOADED(Tone.BAD, Overloaded.class),
        /** Requests failed. */
        FAILING(Tone.BAD, Failing.class),
        /** Requests timed out, and no stall explains the timeouts. */
        GAVE_UP(Tone.BAD, GaveUp.class),
        /** All percentiles may consist mostly of Downbeat's own delays. */
        OWN_DELAY(Tone.OPEN, OwnDelay.class),
        /** The service answered no request, or only with errors, for a while. */
        STALLED(Tone.NOTE),
        /** The service, its connections or the waits for them were slow for a while. */
        SLOW(Tone.NOTE, SlowForAWhile.class),
        /** Downbeat itself was paused. */
        OWN_PAUSE(Tone.NOTE),
        /** The response time changed permanently although the load did not. */
        CHANGED(Tone.NOTE, Changed.class),
        /** An objective was missed for none of the reasons above. */
        MISSED(Tone.BAD),
        /** A requested decision could not be made. */
        UNDECIDED(Tone.OPEN),
        /** Every objective was met. */
        MET(Tone.GOOD),
        /** No objective was set. */
        MEASURED(Tone.NOTE, Measured.class);

        private static final Map<Class<? extends Finding>, Kind> OF_TYPE = Arrays.stream(values())
                .filter(kind -> kind.type.isPresent())
                .collect(Collectors.toMap(kind -> kind.type.orElseThrow(), Function.identity()));

        private final Tone tone;
        private final Optional<Class<? extends Finding>> type;

        /** A kind that each finding states, because its type has several. */
        Kind(Tone tone) {
            this.tone = tone;
            this.type = Optional.empty();
        }

        /** The kind of all findings of a type that do not state one. */
        Kind(Tone tone, Class<? extends Finding> type) {
            this.tone = tone;
            this.type = Optional.of(type);
        }

        /** How the finding is presented to a reader. */
        public Tone tone() {
            return tone;
        }

        /** A stable name for programs. */
        public String code() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** The kind of finding: that of its type, unless the type has several. */
    default Kind kind() {
        return Objects.requireNonNull(Kind.OF_TYPE.get(getClass()));
    }

    /** The run failed before its first request; {@code why} is one line. */
    record NothingMeasured(String why) implements Finding {}

    /** The recording is unreliable. */
    record RecordBroken(Caveat flaw) implements Finding {}

    /**
     * No request succeeded.
     *
     * @param planned number of planned requests
     * @param reached how many of them reached the service: it failed them with a response, they timed out, or they were
     *     still in flight at the end
     * @param reason the most frequent failure; empty if none failed
     * @param isUnreachable true if every request failed without a response, so nothing is known of the service
     */
    record NothingAnswered(long planned, long reached, String reason, boolean isUnreachable) implements Finding {}

    /** The service did not receive the planned load. */
    record NotOffered(Caveat cause) implements Finding {}

    /** The service answered fewer requests than were offered. */
    record Overloaded(LoadCaveat.Overloaded load) implements Finding {}

    /**
     * Requests failed.
     *
     * @param failed number of failed requests
     * @param planned number of planned requests
     * @param reason the most frequent failure
     * @param spells the periods with most of the failures, in order of time; empty if requests failed throughout
     */
    record Failing(long failed, long planned, String reason, List<Incident> spells) implements Finding {
        public Failing {
            spells = List.copyOf(spells);
        }
    }

    /** Requests timed out. */
    record GaveUp(long timedOut, long planned, long timeoutNanos) implements Finding {}

    /** All percentiles may consist mostly of Downbeat's own delays; {@code cause} is the most important reason. */
    record OwnDelay(Caveat cause) implements Finding {}

    /**
     * Events with one cause that account for most of the tail.
     *
     * @param kind {@link Kind#STALLED}, {@link Kind#SLOW} or {@link Kind#OWN_PAUSE}
     * @param events at least one, in order of time
     * @param tailShare their share of all requests beyond p99, from 0 to 1
     */
    record Happened(Kind kind, List<Incident> events, double tailShare) implements Finding {
        public Happened {
            events = List.copyOf(events);
        }

        /** The event, if there is exactly one. */
        public Optional<Incident> only() {
            return events.size() == 1 ? Optional.of(events.get(0)) : Optional.empty();
        }
    }

    /** The response time changed permanently. */
    record Changed(Unsteady.NotSteady change) implements Finding {}

    /** The service kept answering but was slower for a while, and no event explains it. */
    record SlowForAWhile(Unsteady.SlowSpell spell) implements Finding {}

    /**
     * Objectives with one status.
     *
     * @param kind {@link Kind#MISSED}, {@link Kind#UNDECIDED} or {@link Kind#MET}
     * @param objectives at least one, in the order given
     */
    record Judged(Kind kind, List<JudgedObjective> objectives) implements Finding {
        public Judged {
            objectives = List.copyOf(objectives);
        }
    }

    /** No objective was set, and nothing notable happened. */
    record Measured() implements Finding {}

    /** How an answer is presented to a reader. */
    enum Tone {
        /** As required. */
        GOOD,
        /** Not as required. */
        BAD,
        /** A requested decision is open. */
        OPEN,
        /** For information only. */
        NOTE
    }
}
