package dev.downbeat.verdict.caveat;

import dev.downbeat.exchange.TargetCounts;
import dev.downbeat.record.Ledger;
import java.util.Optional;

/** Something is wrong with the run itself, or missing from it. */
public sealed interface Flaw extends Caveat {
    @Override
    default Bearing bearing() {
        return Bearing.INVALIDATES;
    }

    /** Whether a part of the run is not in the record, or is in it wrongly. */
    default boolean breaksRecord() {
        return bearing() == Bearing.INVALIDATES && !(this instanceof NothingAnswered);
    }

    /** Whether even a missed objective proves nothing. */
    default boolean voidsEverything() {
        return false;
    }

    /**
     * Requests were lost between plan and result.
     *
     * @param ledger the one that does not add up
     */
    record LedgerMismatch(Ledger ledger) implements Flaw {
        @Override
        public String text() {
            return brief() + ". This is a bug in Downbeat: do not trust"
                    + " any number of this run, and please report it";
        }

        @Override
        public String brief() {
            return "THE LEDGER DOES NOT ADD UP: " + Words.count(ledger.planned()) + " requests were planned, "
                    + Words.count(ledger.accounted()) + " are accounted for";
        }

        @Override
        public boolean voidsEverything() {
            return true;
        }
    }

    /**
     * The target's code broke during the run.
     *
     * @param failure what it said
     * @param afterNanos how long the run had lasted
     */
    record Broken(String failure, long afterNanos) implements Flaw {
        @Override
        public String text() {
            return afterNanos == 0
                    ? brief()
                    : brief()
                            + ". This is a bug in the code that talks to the service; the numbers are of the "
                            + "part before it";
        }

        @Override
        public String brief() {
            return afterNanos == 0
                    ? "nothing was measured: " + failure
                    : "the run failed after " + Words.seconds(afterNanos) + ": " + failure;
        }

        @Override
        public boolean voidsEverything() {
            return true;
        }
    }

    /**
     * No successful response at all.
     *
     * @param planned requests that were meant to start
     * @param reached how many of them show that something was there: it answered with a failure, or let them wait
     * @param reason the most frequent reason of a failure; empty if none failed
     */
    record NothingAnswered(long planned, long reached, String reason) implements Flaw {
        @Override
        public String text() {
            String most = reason.isEmpty() ? "" : "; the most frequent reason was: " + reason;
            return "not one of " + Words.count(planned) + " requests was answered successfully: there is no response"
                    + " time to show" + most;
        }

        /** That everything fails, or times out, is a fact about a service that was reached. */
        @Override
        public Bearing bearing() {
            return reached > 0 ? Bearing.NOTE : Bearing.INVALIDATES;
        }
    }

    /**
     * Whoever measured was gone before the end, and what is known was kept while the run went on.
     *
     * @param afterNanos until when it was kept
     * @param outstanding requests whose end was not seen, and nobody knows how long they had lasted
     */
    record CutOff(long afterNanos, long outstanding) implements Flaw {
        @Override
        public String text() {
            return brief() + ". All numbers are of that part only, with " + Words.count(outstanding)
                    + " requests outstanding. Delays of the client itself are unknown";
        }

        @Override
        public String brief() {
            return "the record ends after " + Words.seconds(afterNanos)
                    + ": the measuring process crashed or was killed";
        }
    }

    /**
     * A queue that was not said to be the user's own held messages of others: the run ended itself.
     *
     * @param ended requests that were not made, or not waited for, from then on
     * @param planned requests that were meant to start
     * @param met messages of others that it received and gave back
     */
    record MessagesOfOthers(long ended, long planned, long met) implements Flaw {
        /** What a target counts; see its operations. */
        public static final String ENDED = "requests ended by messages of others";

        public static final String MET = "messages of others, given back";

        @Override
        public String text() {
            return brief() + ". They were given back. Declare the queue yours to measure beside them, or use a queue of"
                    + " your own";
        }

        @Override
        public String brief() {
            return "messages of others are in the queue (" + Words.count(met) + " received): the run ended itself, "
                    + Words.count(ended) + " of " + Words.count(planned) + " requests were not completed";
        }

        @Override
        public boolean voidsEverything() {
            return true;
        }
    }

    /**
     * A worker of {@code exec:} wrote more lines than it got requests: nobody knows which of its answers belong to which.
     *
     * @param lines how many were seen, at least 1
     */
    record UnaskedLines(long lines) implements Flaw {
        /** Empty if there was none. */
        public static Optional<Caveat> of(TargetCounts counts) {
            long lines = counts.count(TargetCounts.UNASKED_LINES);
            return lines == 0 ? Optional.empty() : Optional.of(new UnaskedLines(lines));
        }

        @Override
        public String text() {
            return brief() + ". Mend the worker: one line for each request, anything else to stderr";
        }

        @Override
        public String brief() {
            return "workers wrote " + Words.count(lines) + (lines == 1 ? " line" : " lines")
                    + " without a request: answers may belong to other requests";
        }
    }

    /**
     * Somebody stopped the run.
     *
     * @param afterNanos how long it had lasted
     */
    record Interrupted(long afterNanos) implements Flaw {
        @Override
        public String text() {
            return "the run was stopped after " + Words.seconds(afterNanos) + ": all numbers are of that part only";
        }

        @Override
        public Bearing bearing() {
            return Bearing.NOTE;
        }
    }

    /**
     * It was unsound when it was saved, for reasons that its log cannot show.
     *
     * @param doubts their codes, as the log has them
     */
    record SavedUnsound(String doubts) implements Flaw {
        @Override
        public String text() {
            return brief() + (doubts.isEmpty() ? "" : " (" + doubts + ")");
        }

        @Override
        public String brief() {
            return "the run was unsound when its log was saved";
        }

        @Override
        public boolean breaksRecord() {
            return false;
        }
    }
}
