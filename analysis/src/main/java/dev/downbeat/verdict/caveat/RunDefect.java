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
     * @param met messages of others that it received and returned
     * @param oneLeft those that can be received once more before they move to the dead-letter queue
     * @param spent those that their next receive moves there
     * @param spared whether receiving ended because more might have been moved
     * @param refused whether they could not be hidden for want of a permission
     */
    record MessagesOfOthers(
            long ended, long planned, long met, long oneLeft, long spent, boolean spared, boolean refused)
            implements RunDefect {
        /** A count kept by the target; see its operations. */
        public static final String ENDED = "requests ended by messages of others";

        private static final String MET = "messages of others, given back";
        private static final String ONE_LEFT = "messages of others with one receive left";
        private static final String SPENT = "messages of others without a receive left";
        private static final String SPARED = "stops to spare messages of others";
        private static final String REFUSED = "refusals to hide messages of others";

        /** Empty if none were received, or only some that can be received more often. */
        public static Optional<Caveat> of(TargetCounts counts, long planned) {
            MessagesOfOthers found = new MessagesOfOthers(
                    counts.count(ENDED),
                    planned,
                    counts.count(MET),
                    counts.count(ONE_LEFT),
                    counts.count(SPENT),
                    counts.count(SPARED) > 0,
                    counts.count(REFUSED) > 0);
            return found.isDoubt() || found.isNearDeadLetters() ? Optional.of(found) : Optional.empty();
        }

        private boolean isNearDeadLetters() {
            return oneLeft > 0 || spent > 0;
        }

        /** What is met after the last request, while cleaning up, does not impair the run. */
        @Override
        public Severity severity() {
            return ended > 0 ? Severity.INVALIDATES : Severity.NOTE;
        }

        @Override
        public String text() {
            String others = spared || !isDoubt() ? "" : ", or --queue-is-mine (API: queueIsMine) to run anyway";
            String returned = refused
                    ? "ChangeMessageVisibility was refused, so messages return only after their visibility timeout: allow"
                            + " sqs:ChangeMessageVisibility, or use"
                    : (met == 1 ? "It was" : "They were") + " returned. Use";
            return brief() + ". " + returned + " a separate queue" + others;
        }

        @Override
        public String brief() {
            return isDoubt()
                    ? found() + ": the run stopped, " + Numbers.count(ended) + " of " + Numbers.count(planned)
                            + " requests were not completed"
                    : found();
        }

        private String found() {
            if (spent > 0) {
                return Numbers.count(spent, "message") + " of other producers " + (spent == 1 ? "moves" : "move")
                        + " to the dead-letter queue when received next";
            }
            return oneLeft > 0
                    ? Numbers.count(oneLeft, "message")
                            + " of other producers can be received only once more before the dead-letter queue"
                    : "the queue holds messages of other producers (" + Numbers.count(met) + " received)";
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
