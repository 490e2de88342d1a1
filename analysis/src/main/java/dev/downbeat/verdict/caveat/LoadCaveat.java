package dev.downbeat.verdict.caveat;

import dev.downbeat.event.Overloads.Overload;
import dev.downbeat.exchange.TargetCounts;
import dev.downbeat.stats.Numbers;
import dev.downbeat.stats.PercentText;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/** The load differs from what a reader may assume. */
public sealed interface LoadCaveat extends Caveat {
    @Override
    default Severity severity() {
        return Severity.NOTE;
    }

    /**
     * Downbeat did not send a part of the plan in time, so the service never received that load.
     *
     * @param share share of the planned requests sent in time, from 0 to 1
     * @param fromNanos start of the worst second, or of more for a slow load, from the start of the run
     * @param lengthNanos length of that period
     */
    record NotOffered(double share, long fromNanos, long lengthNanos) implements LoadCaveat {
        /** The least share of the plan that must be sent in each second. */
        public static final double LEAST_SHARE = 0.95;

        @Override
        public String text() {
            return brief() + ". " + CaveatText.HELP;
        }

        @Override
        public String brief() {
            return "the planned load was not offered: from " + Numbers.seconds(fromNanos) + " to "
                    + Numbers.seconds(fromNanos + lengthNanos) + " only "
                    + PercentText.of(Math.floor(share * 100) / 100) + " of the plan was sent in time";
        }

        @Override
        public Severity severity() {
            return Severity.INVALIDATES;
        }
    }

    /** Requests were not sent, or not sent again, because Downbeat reached a limit of its own. */
    record OwnLimit(String limits, long count, long planned) implements LoadCaveat {
        @Override
        public String text() {
            return brief() + ". Raise it, or lower the rate";
        }

        @Override
        public String brief() {
            return Numbers.count(count) + " of " + Numbers.count(planned)
                    + " requests met a limit of this process or machine: " + limits;
        }

        @Override
        public Severity severity() {
            return count > planned * (1 - NotOffered.LEAST_SHARE) ? Severity.INVALIDATES : Severity.NOTE;
        }
    }

    /** A complete run could not send all planned requests, since no connection or stream became free. */
    record NotSent(long neverSent, long planned) implements LoadCaveat {
        @Override
        public String text() {
            return brief()
                    + ", so high percentiles are lower bounds. Use more connections or users, a longer drain or a"
                    + " lower rate";
        }

        @Override
        public String brief() {
            return Numbers.count(neverSent) + " of " + Numbers.count(planned)
                    + " requests were still unsent when the run ended";
        }
    }

    /**
     * The queue's consumers were always busy, so the measured delivery times are those of the consumers.
     *
     * @param full polls that returned the maximum number of messages
     * @param polls polls of all consumers
     * @param workShare share of their time in which consumers worked on messages, from 0 to 1; 0 if unknown
     */
    record ConsumersFull(long full, long polls, double workShare) implements LoadCaveat {
        /** A count kept by the target; see its operations. */
        private static final String POLLS = "polls";

        private static final String FULL = "polls with a full batch";

        private static final String MILLIS = "consumer milliseconds";

        private static final String AT_WORK = "consumer milliseconds at work";

        /** The least number of polls to judge. */
        private static final int LEAST_POLLS = 10;

        /** From this share of work on, consumers are the limit, even if long processing makes full polls rare. */
        private static final double ALWAYS = 0.95;

        /** Empty if a consumer was mostly free. */
        public static Optional<Caveat> of(TargetCounts counts) {
            long millis = counts.count(MILLIS);
            ConsumersFull all = new ConsumersFull(
                    counts.count(FULL),
                    counts.count(POLLS),
                    millis == 0 ? 0 : Math.min(1, (double) counts.count(AT_WORK) / millis));
            return all.isMostlyFull() || all.workShare >= ALWAYS ? Optional.of(all) : Optional.empty();
        }

        private boolean isMostlyFull() {
            return polls >= LEAST_POLLS && full > polls / 2;
        }

        /** More consumers would have received messages sooner; refusals by the queue still count. */
        @Override
        public boolean invalidatesLateness() {
            return true;
        }

        private String work() {
            return PercentText.of(Math.floor(workShare * 100) / 100) + " of the time";
        }

        @Override
        public String text() {
            return (isMostlyFull()
                            ? Numbers.count(full) + " of " + Numbers.count(polls)
                                    + " consumer polls returned a full batch"
                            : "the consumers were at work " + work())
                    + ": messages waited for a consumer, so delivery times depend on the number of consumers. Add"
                    + " consumers";
        }

        @Override
        public String brief() {
            return "messages waited for a consumer: "
                    + (isMostlyFull()
                            ? Numbers.count(full) + " of " + Numbers.count(polls) + " polls returned a full batch"
                            : "all were at work " + work());
        }

        @Override
        public Severity severity() {
            return Severity.INVALIDATES;
        }
    }

    /** The service answered less than was offered in at least one phase; the rest waited or timed out. */
    record Overloaded(List<Overload> phases) implements LoadCaveat {
        /** A smaller share of timeouts is not mentioned. */
        private static final double NOTABLE_TIMEOUTS = 0.05;

        public Overloaded {
            phases = List.copyOf(phases);
        }

        /** The phase with the smallest share of answers. */
        public Overload worst() {
            return phases.stream()
                    .max(Comparator.comparingDouble(Overload::missingShare))
                    .orElseThrow();
        }

        /** Whether the service recovered while the load went on. */
        public boolean isOver() {
            return phases.stream().noneMatch(Overload::isOpen);
        }

        @Override
        public String text() {
            String others = phases.stream()
                    .filter(phase -> phase != worst())
                    .map(phase -> "; also" + when(phase) + ", " + rates(phase))
                    .collect(Collectors.joining());
            return brief()
                    + others
                    + (isByRetries()
                            ? ". Without retries the service would have answered every request"
                            : isOver()
                                    ? ". Response times grew until the service recovered and describe no steady state"
                                    : ". Response times grow with the length of the run and describe no steady state")
                    + (worst().limit().isPresent() ? ". More connections may carry more" : "");
        }

        /** {@code OVERLOADED from 12.0 s on: 177/s of 800/s answered, 66 % timed out}. */
        @Override
        public String brief() {
            return "OVERLOADED" + (isByRetries() ? " BY RETRIES" : "") + (isWhole(worst()) ? "" : when(worst())) + ": "
                    + rates();
        }

        /** Whether retries, rather than the number of requests, caused the overload. */
        private boolean isByRetries() {
            return worst().retries().filter(Overload.RetriedLoad::isTheCause).isPresent();
        }

        /** {@code 177/s of 800/s answered, 66 % timed out}, in the worst phase. */
        public String rates() {
            Overload worst = worst();
            return rates(worst)
                    + worst.limit()
                            .map(limit -> "; "
                                    + (limit.areStreams()
                                            ? Numbers.count(
                                                    limit.connections(),
                                                    "stream, always in use, carries",
                                                    "streams, always in use, carry")
                                            : Numbers.count(
                                                    limit.connections(),
                                                    "connection, always in use, carries",
                                                    "connections, always in use, carry"))
                                    + " " + Numbers.rate(limit.perSecond()) + " at most")
                            .orElse("");
        }

        private static boolean isWhole(Overload phase) {
            return phase.startNanos() == 0 && phase.isOpen();
        }

        private static String when(Overload phase) {
            return " from " + Numbers.seconds(phase.startNanos())
                    + (phase.isOpen() ? " on" : " to " + Numbers.seconds(phase.endNanos()));
        }

        private static String rates(Overload phase) {
            return Numbers.rate(phase.answeredPerSecond()) + " of " + Numbers.rate(phase.offeredPerSecond())
                    + (phase.isOfSeveral() ? " answered in the worst stage" : " answered")
                    + (phase.timedOutShare() < NOTABLE_TIMEOUTS
                            ? ""
                            : ", " + PercentText.of(phase.timedOutShare()) + " timed out")
                    + phase.retries()
                            .map(retries ->
                                    String.format(Locale.ROOT, ", %,.1f attempts per request", retries.attempts()))
                            .orElse("");
        }
    }

    /** Requests had to wait for a free connection or stream; when most did, and how many. */
    record BacklogGrew(long peak, long atNanos) implements LoadCaveat {
        /** Random arrivals alone cause shorter queues. */
        public static final long NOTEWORTHY = 10;

        @Override
        public String text() {
            return brief() + ". Response times include this wait; service times do not";
        }

        @Override
        public String brief() {
            return "the backlog peaked at " + Numbers.count(peak) + " unsent requests at " + Numbers.seconds(atNanos);
        }
    }

    /** The load followed the responses. */
    record ClosedWorkload(int clients) implements LoadCaveat {
        @Override
        public String text() {
            return brief() + ". Independent users wait longer: model them with an arrival rate";
        }

        @Override
        public String brief() {
            return "closed loop: " + Numbers.count(clients)
                    + (clients == 1 ? " virtual user waits for each response" : " virtual users wait for each response")
                    + ", so a slow service receives less load";
        }
    }
}
