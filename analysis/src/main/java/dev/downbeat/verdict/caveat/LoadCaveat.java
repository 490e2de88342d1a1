package dev.downbeat.verdict.caveat;

import dev.downbeat.event.Overload;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** The load was not what a reader may take it for. */
public sealed interface LoadCaveat extends Caveat {
    @Override
    default Bearing bearing() {
        return Bearing.NOTE;
    }

    /**
     * For our own reasons a part of the plan did not reach the service in its time, so that it was never asked the
     * question.
     *
     * @param share the part of what was meant to start then and was sent in time, from 0 to 1
     * @param fromNanos begin of the worst second, from the start of the run
     * @param lengthNanos how long that time was
     */
    record NotOffered(double share, long fromNanos, long lengthNanos) implements LoadCaveat {
        /** Of each second of the plan at least this part must be sent. */
        public static final double LEAST_SHARE = 0.95;

        @Override
        public String text() {
            return brief() + ". " + Words.HELP;
        }

        @Override
        public String brief() {
            return "the planned load was not offered: from " + Words.seconds(fromNanos) + " to "
                    + Words.seconds(fromNanos + lengthNanos) + " only "
                    + PercentText.of(Math.floor(share * 100) / 100) + " of the plan was sent in time";
        }

        @Override
        public Bearing bearing() {
            return Bearing.INVALIDATES;
        }
    }

    /**
     * Requests could not be sent since this process had reached a limit of its own.
     *
     * @param limits which limits, in a few words
     * @param count how many requests
     * @param planned requests that were meant to start
     */
    record OwnLimit(String limits, long count, long planned) implements LoadCaveat {
        @Override
        public String text() {
            return brief() + ". That is a limit of this process or machine, not of the service: raise it, or "
                    + "lower the rate";
        }

        @Override
        public String brief() {
            return Words.count(count) + " of " + Words.count(planned) + " requests could not be sent: " + limits;
        }

        @Override
        public Bearing bearing() {
            return count > planned * (1 - NotOffered.LEAST_SHARE) ? Bearing.INVALIDATES : Bearing.NOTE;
        }
    }

    /**
     * A run that was given its whole time could not send all that it planned, since no slot came free.
     *
     * @param neverSent requests that never left
     * @param planned requests that were meant to start
     */
    record NotSent(long neverSent, long planned) implements LoadCaveat {
        @Override
        public String text() {
            return brief() + ". They count as \"at least\"; more"
                    + " connections or users, a longer drain or a lower rate would send them";
        }

        @Override
        public String brief() {
            return Words.count(neverSent) + " of " + Words.count(planned)
                    + " requests were never sent: the run ended before they could be";
        }
    }

    /**
     * Consumers of a queue had no time to wait for a message: what is said of a delivery is said of them.
     *
     * @param full polls that brought as many messages as one can
     * @param polls of all consumers
     */
    record ConsumersFull(long full, long polls) implements LoadCaveat {
        /** What a target counts; see its operations. */
        public static final String POLLS = "polls";

        public static final String FULL = "polls with a full batch";

        /** Fewer polls than these say nothing. */
        private static final int LEAST_POLLS = 10;

        public static boolean isSo(long full, long polls) {
            return polls >= LEAST_POLLS && full > polls / 2;
        }

        @Override
        public String text() {
            return Words.count(full) + " of " + Words.count(polls)
                    + " polls of the consumers brought a full batch: messages waited for a consumer, and their delivery"
                    + " times say how many there are. Give more consumers";
        }

        @Override
        public String brief() {
            return "messages waited for a consumer: " + Words.count(full) + " of " + Words.count(polls)
                    + " polls brought a full batch";
        }

        @Override
        public Bearing bearing() {
            return Bearing.INVALIDATES;
        }
    }

    /**
     * The service answered less than it was asked, and the rest waited or timed out.
     *
     * @param phases at least one, in the order of time
     */
    record Overloaded(List<Overload> phases) implements LoadCaveat {
        /** Fewer timeouts are worth no word. */
        private static final double NOTABLE_TIMEOUTS = 0.05;

        public Overloaded {
            phases = List.copyOf(phases);
        }

        /** The phase in which the smallest part was answered. */
        public Overload worst() {
            return phases.stream()
                    .max(Comparator.comparingDouble(Overload::missingShare))
                    .orElseThrow();
        }

        @Override
        public String text() {
            String others = phases.stream()
                    .filter(phase -> phase != worst())
                    .map(phase -> "; also" + when(phase) + ", " + rates(phase))
                    .collect(Collectors.joining());
            return headline() + others
                    + ". Response times grow with the length of the run and say nothing of a steady state";
        }

        @Override
        public String brief() {
            return headline();
        }

        /** {@code OVERLOADED from 12.0 s on: 177/s of 800/s answered, 66 % timed out}. */
        public String headline() {
            return "OVERLOADED" + (isWhole(worst()) ? "" : when(worst())) + ": " + rates();
        }

        /** {@code 177/s of 800/s answered, 66 % timed out}, in the worst phase. */
        public String rates() {
            Overload worst = worst();
            return rates(worst)
                    + worst.limit()
                            .map(limit -> "; " + Words.count(limit.connections()) + " connections carry "
                                    + rate(limit.perSecond()) + " at most")
                            .orElse("");
        }

        private static boolean isWhole(Overload phase) {
            return phase.startNanos() == 0 && phase.isOpen();
        }

        private static String when(Overload phase) {
            return " from " + Words.seconds(phase.startNanos())
                    + (phase.isOpen() ? " on" : " to " + Words.seconds(phase.endNanos()));
        }

        private static String rates(Overload phase) {
            return rate(phase.answeredPerSecond()) + " of "
                    + (phase.isOfSeveral() ? "up to " : "") + rate(phase.offeredPerSecond()) + " answered"
                    + (phase.timedOutShare() < NOTABLE_TIMEOUTS
                            ? ""
                            : ", " + PercentText.of(phase.timedOutShare()) + " timed out");
        }

        private static String rate(double perSecond) {
            return String.format(Locale.ROOT, perSecond < 10 ? "%.1f/s" : "%,.0f/s", perSecond);
        }
    }

    /**
     * Requests had to wait for a free slot.
     *
     * @param peak most that waited at the same time
     * @param atNanos when that was, from the start of the run
     */
    record BacklogGrew(long peak, long atNanos) implements LoadCaveat {
        /** A shorter queue is what any random arrivals give now and then. */
        public static final long NOTEWORTHY = 10;

        @Override
        public String text() {
            return brief() + ". The wait is in the response times, not in the service times";
        }

        @Override
        public String brief() {
            return Words.count(peak) + " requests were due and waited to be sent at " + Words.seconds(atNanos);
        }
    }

    /**
     * The load followed the answers.
     *
     * @param clients how many clients waited for their answers
     */
    record ClosedWorkload(int clients) implements LoadCaveat {
        @Override
        public String text() {
            return brief() + ". Independent users see longer times: use an arrival rate";
        }

        @Override
        public String brief() {
            return "closed loop: " + Words.count(clients)
                    + (clients == 1
                            ? " virtual user waits for its response"
                            : " virtual users, each waits for its response")
                    + ", so a slow service lowers its own load";
        }
    }
}
