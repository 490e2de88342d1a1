package dev.downbeat.verdict.caveat;

import dev.downbeat.exchange.TargetCounts;
import dev.downbeat.record.Ledger;
import dev.downbeat.stats.Numbers;
import java.util.Optional;

public sealed interface RunDefect extends Caveat {
    @Override
    default Severity severity() {
        return Severity.INVALIDATES;
    }

    /** Whether a part of the run is missing from the recording, or wrong in it. */
    default boolean breaksRecord() {
        return severity() == Severity.INVALIDATES && !(this instanceof NothingAnswered);
    }

    /** Requests were lost between plan and result. */
    record LedgerMismatch(Ledger ledger) implements RunDefect {
        @Override
        public String text() {
            return brief() + ". This is a bug in Downbeat: please report it and" + " discard this run";
        }

        @Override
        public String brief() {
            return "LEDGER MISMATCH: " + Numbers.count(ledger.planned(), "request") + " planned, "
                    + Numbers.count(ledger.accounted()) + " accounted for";
        }

        @Override
        public boolean invalidatesMisses() {
            return true;
        }
    }

    /** The target's code threw an error; {@code afterNanos} is 0 if it did so before the first request. */
    record Broken(String failure, long afterNanos) implements RunDefect {
        @Override
        public String text() {
            return afterNanos == 0
                    ? brief()
                    : brief()
                            + ". The cause is on the client side, not in the service; the numbers cover the time before"
                            + " it";
        }

        @Override
        public String brief() {
            return afterNanos == 0
                    ? "nothing was measured: " + failure
                    : "the run failed after " + Numbers.seconds(afterNanos) + ": " + failure;
        }

        @Override
        public boolean invalidatesMisses() {
            return true;
        }
    }

    /**
     * No request succeeded.
     *
     * @param planned number of planned requests
     * @param reached how many of them reached the service: it failed them with a response, they timed out, or they were
     *     still in flight at the end
     * @param reason the most frequent failure, or limit of this process; empty if there was neither
     */
    record NothingAnswered(long planned, long reached, String reason) implements RunDefect {
        @Override
        public String text() {
            String most = reason.isEmpty() ? "" : "; most frequent reason: " + reason;
            return "none of " + Numbers.count(planned, "request") + " succeeded, so there is no response time to"
                    + " show" + most;
        }

        /** For a text that names the reason elsewhere. */
        public NothingAnswered withoutReason() {
            return new NothingAnswered(planned, reached, "");
        }

        /** Failures and timeouts of all requests are facts about a service that was reached. */
        @Override
        public Severity severity() {
            return reached > 0 ? Severity.NOTE : Severity.INVALIDATES;
        }
    }

    /** The measuring process died, or could not save more; the recording was saved up to {@code afterNanos}. */
    record CutOff(long afterNanos, long outstanding) implements RunDefect {
        @Override
        public String text() {
            return brief() + ". All numbers cover these " + Numbers.seconds(afterNanos) + ", with "
                    + Numbers.count(outstanding, "request")
                    + " outstanding; Downbeat's own delays are unknown";
        }

        @Override
        public String brief() {
            return "the recording ends at " + Numbers.seconds(afterNanos)
                    + ": the measuring process crashed, was killed, or its disk was full";
        }
    }

    /**
     * The queue contained messages of others. The run ended itself unless the queue was declared the user's own and none of
     * them might move to the dead-letter queue.
     *
     * @param ended requests that were not made or not completed from then on
     * @param planned number of planned requests
     * @param received messages of others that it received and returned
     */
    record MessagesOfOthers(long ended, long planned, Received received) implements RunDefect {
        /** A count kept by the target; see its operations. */
        public static final String ENDED = "requests ended by messages of others";

        /**
         * Messages received and returned.
         *
         * @param all their number
         * @param oneLeft those that can be received once more before they move to the dead-letter queue
         * @param spent those that their next receive moves there
         * @param spared whether the run ended itself because more might have been moved
         */
        public record Received(long all, long oneLeft, long spent, boolean spared) {
            static final String ALL = "messages of others, given back";
            static final String ONE_LEFT = "messages of others with one receive left";
            static final String SPENT = "messages of others without a receive left";
            static final String SPARED = "stops to spare messages of others";

            /** As counted by the target. */
            static Received of(TargetCounts counts) {
                return new Received(
                        counts.count(ALL), counts.count(ONE_LEFT), counts.count(SPENT), counts.count(SPARED) > 0);
            }

            private String left() {
                return spent > 0
                        ? Numbers.count(spent, "message") + " of other producers " + (spent == 1 ? "moves" : "move")
                                + " to the dead-letter queue when received next"
                        : Numbers.count(oneLeft, "message")
                                + " of other producers can be received only once more before"
                                + " the dead-letter queue";
            }
        }

        /** Empty if it received none, or only some that can be received more often. */
        public static Optional<Caveat> of(TargetCounts counts, long planned) {
            Received received = Received.of(counts);
            long ended = counts.count(ENDED);
            return ended > 0 || received.spared || received.oneLeft + received.spent > 0
                    ? Optional.of(new MessagesOfOthers(ended, planned, received))
                    : Optional.empty();
        }

        @Override
        public Severity severity() {
            return ended > 0 || received.spared ? Severity.INVALIDATES : Severity.NOTE;
        }

        @Override
        public String text() {
            String others =
                    received.spared || !isDoubt() ? "" : ", or --queue-is-mine (API: queueIsMine) to run anyway";
            return brief() + ". " + (received.all == 1 ? "It was" : "They were") + " returned. Use a separate queue"
                    + others;
        }

        @Override
        public String brief() {
            String what = received.oneLeft + received.spent > 0
                    ? received.left()
                    : "the queue holds messages of other producers (" + Numbers.count(received.all) + " received)";
            return !isDoubt()
                    ? what
                    : what + ": the run stopped, " + Numbers.count(ended) + " of " + Numbers.count(planned)
                            + " requests were not completed";
        }

        @Override
        public boolean invalidatesMisses() {
            return isDoubt();
        }
    }

    /** A worker of {@code exec:} wrote surplus lines, so its answers cannot be matched with requests. */
    record UnaskedLines(long lines) implements RunDefect {
        /** Empty if there were none. */
        public static Optional<Caveat> of(TargetCounts counts) {
            long lines = counts.count(TargetCounts.UNSOLICITED_LINES);
            return lines == 0 ? Optional.empty() : Optional.of(new UnaskedLines(lines));
        }

        @Override
        public String text() {
            return brief() + ". Fix the worker: one line per request, anything else to stderr";
        }

        @Override
        public String brief() {
            return "workers wrote " + Numbers.count(lines) + (lines == 1 ? " line" : " lines")
                    + " without a request: responses may be matched to the wrong requests";
        }
    }

    /**
     * Blocking code returned before its work was done, such as a stage that is not awaited.
     *
     * @param watched number of calls during which nothing else ran, most of which left work behind
     * @param isCertain whether nothing else explains it, such as a client's own threads
     */
    record WorkLeftBehind(long watched, boolean isCertain) implements RunDefect {
        @Override
        public Severity severity() {
            return isCertain ? Severity.INVALIDATES : Severity.NOTE;
        }

        @Override
        public String text() {
            return brief() + (isCertain ? ". Return" : ". If so, return")
                    + " its stage to runAsync, or take an Answer parameter in JUnit";
        }

        @Override
        public String brief() {
            String calls = "most of " + Numbers.count(watched) + " monitored calls ";
            return isCertain
                    ? calls + "returned before their work was done: the rest was not measured"
                    : calls + "may have returned before their work was done";
        }
    }

    /** The user stopped the run. */
    record Interrupted(long afterNanos) implements RunDefect {
        @Override
        public String text() {
            return "the run was stopped after " + Numbers.seconds(afterNanos) + ": all numbers cover that part only";
        }

        @Override
        public Severity severity() {
            return Severity.NOTE;
        }
    }
}
