package dev.downbeat.analysis;

import dev.downbeat.event.Incident;
import dev.downbeat.verdict.JudgedObjective;
import dev.downbeat.verdict.caveat.Caveat;
import dev.downbeat.verdict.caveat.LoadCaveat;
import dev.downbeat.verdict.caveat.Unsteady;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * One thing that a run shows, as numbers: the sentence is made from it last, and nothing is decided from the sentence. The
 * constants of {@link Kind} stand in the order of weight, so the first finding of a run is its headline. Immutable.
 */
public sealed interface Finding {
    /** Kinds of findings, the weightiest first: the only table of precedence. */
    enum Kind {
        /** The run broke before its first request. */
        NOTHING_MEASURED(Tone.BAD),
        /** The record cannot be relied on: requests are missing from it, the target's code broke, or the process died. */
        RECORD_BROKEN(Tone.BAD),
        /** No request was answered with success. */
        NOTHING_ANSWERED(Tone.BAD),
        /** The service was not given the load that was planned. */
        NOT_OFFERED(Tone.OPEN),
        /** The service answered less than it was asked, and the rest waited or was given up. */
        OVERLOADED(Tone.BAD),
        /** Requests failed. */
        FAILING(Tone.BAD),
        /** Requests timed out, and no stall explains them. */
        GAVE_UP(Tone.BAD),
        /** All percentiles may be mostly delays of Downbeat itself. */
        OWN_DELAY(Tone.OPEN),
        /** The service answered nobody for a while, or with errors only. */
        STALLED(Tone.NOTE),
        /** The service, its connections or the wait for them were slow for a while. */
        SLOW(Tone.NOTE),
        /** Downbeat itself was paused. */
        OWN_PAUSE(Tone.NOTE),
        /** The response time changed for good while the load did not. */
        CHANGED(Tone.NOTE),
        /** An objective was missed, and nothing above says why. */
        MISSED(Tone.BAD),
        /** Something that was asked for could not be decided. */
        UNDECIDED(Tone.OPEN),
        /** Every objective was met. */
        MET(Tone.GOOD),
        /** There was no objective. */
        MEASURED(Tone.NOTE);

        private final Tone tone;

        Kind(Tone tone) {
            this.tone = tone;
        }

        /** How it looks to a reader. */
        public Tone tone() {
            return tone;
        }

        /** A stable name for programs. */
        public String code() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** What kind of finding it is. */
    Kind kind();

    /**
     * The run broke before its first request.
     *
     * @param why in one line
     */
    record NothingMeasured(String why) implements Finding {
        @Override
        public Kind kind() {
            return Kind.NOTHING_MEASURED;
        }
    }

    /**
     * The record cannot be relied on.
     *
     * @param flaw what is wrong with it
     */
    record RecordBroken(Caveat flaw) implements Finding {
        @Override
        public Kind kind() {
            return Kind.RECORD_BROKEN;
        }
    }

    /**
     * No request was answered with success.
     *
     * @param planned requests that were meant to start
     * @param reached how many of them show that something was there: it failed with a response, or let them wait
     * @param reason the most frequent reason of a failure; empty if all waited
     * @param isUnreachable whether every one failed without a response, so that nothing is known of the service
     */
    record NothingAnswered(long planned, long reached, String reason, boolean isUnreachable) implements Finding {
        @Override
        public Kind kind() {
            return Kind.NOTHING_ANSWERED;
        }
    }

    /**
     * The service was not given the load that was planned.
     *
     * @param cause what kept the load from it
     */
    record NotOffered(Caveat cause) implements Finding {
        @Override
        public Kind kind() {
            return Kind.NOT_OFFERED;
        }
    }

    /**
     * The service answered less than it was asked.
     *
     * @param load how much less, and when
     */
    record Overloaded(LoadCaveat.Overloaded load) implements Finding {
        @Override
        public Kind kind() {
            return Kind.OVERLOADED;
        }
    }

    /**
     * Requests failed.
     *
     * @param failed how many
     * @param planned requests that were meant to start
     * @param reason the most frequent reason
     * @param spells the times in which most of them failed, in their order; empty if requests failed throughout
     */
    record Failing(long failed, long planned, String reason, List<Incident> spells) implements Finding {
        public Failing {
            spells = List.copyOf(spells);
        }

        @Override
        public Kind kind() {
            return Kind.FAILING;
        }
    }

    /**
     * Requests timed out.
     *
     * @param timedOut how many
     * @param planned requests that were meant to start
     * @param timeoutNanos after which time
     */
    record GaveUp(long timedOut, long planned, long timeoutNanos) implements Finding {
        @Override
        public Kind kind() {
            return Kind.GAVE_UP;
        }
    }

    /**
     * All percentiles may be mostly delays of Downbeat itself.
     *
     * @param cause why, the weightiest reason
     */
    record OwnDelay(Caveat cause) implements Finding {
        @Override
        public Kind kind() {
            return Kind.OWN_DELAY;
        }
    }

    /**
     * Events of one cause which made most of the tail.
     *
     * @param kind {@link Kind#STALLED}, {@link Kind#SLOW} or {@link Kind#OWN_PAUSE}
     * @param events at least one, in the order of time
     * @param tailShare how much of all the requests beyond p99 they are, from 0 to 1
     */
    record Happened(Kind kind, List<Incident> events, double tailShare) implements Finding {
        public Happened {
            events = List.copyOf(events);
        }

        /** The event, if it is one alone. */
        public Optional<Incident> only() {
            return events.size() == 1 ? Optional.of(events.get(0)) : Optional.empty();
        }
    }

    /**
     * The response time changed for good.
     *
     * @param change from what to what
     */
    record Changed(Unsteady.NotSteady change) implements Finding {
        @Override
        public Kind kind() {
            return Kind.CHANGED;
        }
    }

    /**
     * For a while the service was slower, though it went on answering, and no event says why.
     *
     * @param spell when, and by how much
     */
    record SlowForAWhile(Unsteady.SlowSpell spell) implements Finding {
        @Override
        public Kind kind() {
            return Kind.SLOW;
        }
    }

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

    /** There was no objective, and nothing happened. */
    record Measured() implements Finding {
        @Override
        public Kind kind() {
            return Kind.MEASURED;
        }
    }
}
