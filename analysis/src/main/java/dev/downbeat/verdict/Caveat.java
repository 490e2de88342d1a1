package dev.downbeat.verdict;

import dev.downbeat.record.Ledger;
import dev.downbeat.stats.Stationarity;
import dev.downbeat.time.DurationText;
import java.util.List;
import java.util.Locale;

/**
 * A reason to doubt a measurement, or to read it with care. Values, so that a program can act on them; the text is made
 * from the data.
 *
 * <p>One page for all of them, since they are read side by side.
 */
public sealed interface Caveat {
    /** A stable name for programs, in snake_case. */
    String code();

    /** One line: what was seen, what it means, and what to do about it where something can be done. */
    String text();

    /** Whether it makes the measurement unsound; otherwise it is a note. */
    boolean isDoubt();

    /**
     * Requests were lost between plan and result.
     *
     * @param ledger the one that does not add up
     */
    record LedgerMismatch(Ledger ledger) implements Caveat {
        @Override
        public String code() {
            return "ledger_mismatch";
        }

        @Override
        public String text() {
            return "THE LEDGER DOES NOT ADD UP: " + Words.count(ledger.planned()) + " requests were planned, "
                    + Words.count(ledger.accounted()) + " are accounted for. This is a bug in Downbeat: trust no number"
                    + " of this run, and please report it";
        }

        @Override
        public boolean isDoubt() {
            return true;
        }
    }

    /**
     * No response at all.
     *
     * @param planned requests that were meant to start
     * @param reason the most frequent reason of a failure; empty if none failed
     */
    record NothingAnswered(long planned, String reason) implements Caveat {
        @Override
        public String code() {
            return "nothing_answered";
        }

        @Override
        public String text() {
            String most = reason.isEmpty() ? "" : "; the most frequent reason was: " + reason;
            return "not one of " + Words.count(planned) + " requests was answered: there is no response time to show"
                    + most;
        }

        @Override
        public boolean isDoubt() {
            return true;
        }
    }

    /**
     * The target's code broke during the run.
     *
     * @param failure what it said
     * @param afterNanos how long the run had lasted
     */
    record Broken(String failure, long afterNanos) implements Caveat {
        @Override
        public String code() {
            return "broken";
        }

        @Override
        public String text() {
            return "the run broke after " + Words.seconds(afterNanos) + ": " + failure
                    + ". This is a bug in the code that talks to the service; the numbers are of the part before it";
        }

        @Override
        public boolean isDoubt() {
            return true;
        }
    }

    /**
     * A run that was given its whole time could not send all that it planned.
     *
     * @param neverSent requests that never left
     * @param planned requests that were meant to start
     */
    record NotSent(long neverSent, long planned) implements Caveat {
        @Override
        public String code() {
            return "not_sent";
        }

        @Override
        public String text() {
            return "the service was never offered the planned load: " + Words.count(neverSent) + " of "
                    + Words.count(planned)
                    + " requests never left: take more connections, a longer drain or a lower rate";
        }

        @Override
        public boolean isDoubt() {
            return true;
        }
    }

    /**
     * This process noticed its own intended times late, and that is a good part of what was measured.
     *
     * @param percentile where the part is largest
     * @param latenessNanos lateness at that percentile
     * @param responseNanos response time at that percentile
     * @param punctualNanos response time at that percentile less each request's lateness
     */
    record GeneratorLate(double percentile, long latenessNanos, long responseNanos, long punctualNanos)
            implements Caveat {
        private static final long DOUBTFUL_NANOS = 1_000_000;

        @Override
        public String code() {
            return "generator_late";
        }

        @Override
        public String text() {
            String name = PercentileName.of(percentile);
            return "this process was late by " + DurationText.rounded(latenessNanos) + " at " + name
                    + ", where the response time is " + DurationText.rounded(responseNanos) + ": without our lateness "
                    + name + " would be at most " + DurationText.rounded(punctualNanos)
                    + (isDoubt()
                            ? ". Lower the rate, or give this client more cores or a quieter machine"
                            : ". Pacing by spinning makes it less");
        }

        /** Below a millisecond it is said, but does not overthrow the measurement. */
        @Override
        public boolean isDoubt() {
            return latenessNanos >= DOUBTFUL_NANOS;
        }
    }

    /**
     * This process stood still for a moment.
     *
     * @param largestNanos the longest standstill
     * @param atNanos when it ended, from the start of the run
     * @param largestResponseNanos the longest response time
     * @param p99Nanos response time at p99
     * @param punctualP99Nanos the same less each request's lateness
     */
    record HiccupDuringRun(
            long largestNanos, long atNanos, long largestResponseNanos, long p99Nanos, long punctualP99Nanos)
            implements Caveat {
        /** Standstills below this are not worth a word. */
        static final long NOTEWORTHY_NANOS = 20_000_000;

        private static final long DOUBTFUL_NANOS = 100_000_000;

        @Override
        public String code() {
            return "hiccup_during_run";
        }

        @Override
        public String text() {
            String seen = "this process stood still for " + DurationText.rounded(largestNanos) + ", until "
                    + Words.seconds(atNanos) + " into the run";
            return isDoubt() ? seen + ": the tail is partly ours, not the service's" + ours() : seen + ours();
        }

        private String ours() {
            long oursNanos = p99Nanos - punctualP99Nanos;
            return p99Nanos == 0 || oursNanos * 10 < p99Nanos
                    ? ""
                    : "; " + PercentText.of((double) oursNanos / p99Nanos) + " of p99 is ours: without our lateness it"
                            + " would be at most " + DurationText.rounded(punctualP99Nanos) + ", not "
                            + DurationText.rounded(p99Nanos);
        }

        @Override
        public boolean isDoubt() {
            return largestNanos >= DOUBTFUL_NANOS && largestNanos >= largestResponseNanos / 10;
        }
    }

    /**
     * This process got its processor late again and again, which one long standstill does not show.
     *
     * @param lateNanos sum of the standstills above 10 ms
     * @param wallNanos length of the run
     */
    record OftenLate(long lateNanos, long wallNanos) implements Caveat {
        private static final double DOUBTFUL_SHARE = 0.05;

        @Override
        public String code() {
            return "often_late";
        }

        @Override
        public String text() {
            return "this process was late for " + PercentText.of((double) lateNanos / Math.max(1, wallNanos))
                    + " of the time, by 10 ms or more at once: the times hold waits for our own processors. Give this"
                    + " client more cores or a quieter machine, or have fewer runs at a time";
        }

        @Override
        public boolean isDoubt() {
            return lateNanos > wallNanos * DOUBTFUL_SHARE;
        }
    }

    /**
     * No slot was free, and this process was busy nearly all of that time: it was too slow, not the service.
     *
     * @param fullNanos how long no slot was free
     * @param busyShare the share of that time in which we were busy, from 0 to 1
     */
    record ClientBusy(long fullNanos, double busyShare) implements Caveat {
        @Override
        public String code() {
            return "client_busy";
        }

        @Override
        public String text() {
            return "for " + DurationText.rounded(fullNanos)
                    + " all connections were in use, and this process was busy for "
                    + PercentText.of(busyShare)
                    + " of that time: answers waited for us, so these times are ours, not the"
                    + " service's. Lower the rate, or give this client more cores";
        }

        @Override
        public boolean isDoubt() {
            return true;
        }
    }

    /**
     * Somebody stopped the run.
     *
     * @param afterNanos how long it had lasted
     */
    record Interrupted(long afterNanos) implements Caveat {
        @Override
        public String code() {
            return "interrupted";
        }

        @Override
        public String text() {
            return "the run was stopped after " + Words.seconds(afterNanos) + ": all numbers are of that part only";
        }

        @Override
        public boolean isDoubt() {
            return false;
        }
    }

    /**
     * Whoever measured was gone before the end, and what is known was kept while the run went on.
     *
     * @param afterNanos until when it was kept
     * @param outstanding requests whose end was not seen, and nobody knows how long they had lasted
     */
    record CutOff(long afterNanos, long outstanding) implements Caveat {
        @Override
        public String code() {
            return "cut_off";
        }

        @Override
        public String text() {
            return "the record ends after " + Words.seconds(afterNanos) + ": the process that measured was gone. All"
                    + " numbers are of that part only, "
                    + String.format(Locale.ROOT, "%,d", outstanding)
                    + " requests were still out, and nobody can say how the client itself fared";
        }

        @Override
        public boolean isDoubt() {
            return true;
        }
    }

    /**
     * Some requests were not seen to end, so that some percentiles are only known to be at least something.
     *
     * @param timedOut how many were given up
     * @param cutOff how many were still out or unsent when the run ended
     * @param percentiles which percentiles, ascending; 100 is the maximum
     */
    record TailCensored(long timedOut, long cutOff, List<Double> percentiles) implements Caveat {
        /** Copies the list. */
        public TailCensored {
            percentiles = List.copyOf(percentiles);
        }

        @Override
        public String code() {
            return "tail_censored";
        }

        @Override
        public String text() {
            String timeouts = timedOut == 0 ? "" : Words.count(timedOut) + " timed out";
            String cuts = cutOff == 0 ? "" : Words.count(cutOff) + " cut off by the end of the run";
            boolean one = percentiles.size() == 1;
            return "requests whose end was not seen: " + timeouts
                    + (timeouts.isEmpty() || cuts.isEmpty() ? "" : " and ") + cuts + ", so "
                    + Words.percentiles(percentiles)
                    + (one ? " is at least the value shown" : " are at least the values shown")
                    + (timedOut > cutOff ? ". A longer timeout would show more" : "");
        }

        @Override
        public boolean isDoubt() {
            return false;
        }
    }

    /**
     * There are too few requests for some percentiles, so they are not shown.
     *
     * @param percentiles which percentiles, ascending, at least 1
     * @param count how many requests there were
     * @param longerNanos a duration that would give enough for the first of them; 0 if there is none to name
     */
    record TooFewSamples(List<Double> percentiles, long count, long longerNanos) implements Caveat {
        /** Copies the list. */
        public TooFewSamples {
            percentiles = List.copyOf(percentiles);
        }

        @Override
        public String code() {
            return "too_few_samples";
        }

        @Override
        public String text() {
            String advice = longerNanos == 0 ? "" : " (a run of " + DurationText.format(longerNanos) + ")";
            boolean one = percentiles.size() == 1;
            String first = PercentileName.of(percentiles.get(0));
            String shortage = ResponseBounds.shortage(percentiles.get(0), count);
            return Words.percentiles(percentiles)
                    + (one ? " is not shown: it" : " are not shown: " + first)
                    + shortage.substring(first.length())
                    + advice;
        }

        @Override
        public boolean isDoubt() {
            return false;
        }
    }

    /**
     * Requests had to wait for a free slot.
     *
     * @param peak most that waited at the same time
     * @param atNanos when that was, from the start of the run
     */
    record BacklogGrew(long peak, long atNanos) implements Caveat {
        /** A shorter queue is what any random arrivals give now and then. */
        static final long NOTEWORTHY = 10;

        @Override
        public String code() {
            return "backlog_grew";
        }

        @Override
        public String text() {
            return Words.count(peak) + " requests were due and waited for a free connection at "
                    + Words.seconds(atNanos) + ": the wait is in the response times, not in the service times";
        }

        @Override
        public boolean isDoubt() {
            return false;
        }
    }

    /**
     * The load followed the answers.
     *
     * @param clients how many clients waited for their answers
     */
    record ClosedWorkload(int clients) implements Caveat {
        @Override
        public String code() {
            return "closed_workload";
        }

        @Override
        public String text() {
            return "closed loop: " + Words.count(clients) + (clients == 1 ? " client asks" : " clients ask")
                    + " again only after an answer, so a slow service lowers its own load. Users who do not wait for"
                    + " each other meet longer times: -R";
        }

        @Override
        public boolean isDoubt() {
            return false;
        }
    }

    /**
     * The response time changed during a run whose load did not, so that no percentile of the whole is one of any moment.
     *
     * @param found drifts, jumps or never settles
     * @param atNanos when the new level of a jump began, from the start of the run; 0 if it is none
     */
    record NotSteady(Stationarity found, long atNanos) implements Caveat {
        @Override
        public String code() {
            return switch (found.shape()) {
                case DRIFTS -> "drift";
                case JUMPS -> "jump";
                case NEVER_SETTLES -> "never_settled";
                case STEADY -> throw new IllegalStateException("what is steady is no caveat");
            };
        }

        @Override
        public String text() {
            String factor = String.format(Locale.ROOT, "x%.2f", found.change());
            String seen = switch (found.shape()) {
                case DRIFTS -> "the response time drifts: the median changes by " + factor + " over the run";
                case JUMPS -> "the response time jumps: from " + Words.seconds(atNanos) + " on the median is " + factor;
                default -> "the response time never settles: the first third of the run and more is unlike the rest";
            };
            return seen
                    + ". The percentiles are of a mixture, and another run would show others: no interval is given, and"
                    + " no percentile counts as kept";
        }

        /** The instrument can be trusted: it is the service that does not stand still. */
        @Override
        public boolean isDoubt() {
            return false;
        }

        /** In a few words, for an objective that it leaves undecided. */
        String why() {
            return switch (found.shape()) {
                case DRIFTS -> "but drifts";
                case JUMPS -> "but jumps";
                default -> "but never settles";
            };
        }
    }

    /**
     * The begin of a run is unlike the rest.
     *
     * @param nanos how long it lasts
     */
    record WarmUp(long nanos) implements Caveat {
        @Override
        public String code() {
            return "warm_up";
        }

        @Override
        public String text() {
            return "the first " + Words.seconds(nanos) + " are unlike the rest, as in a warm-up, and are part of all"
                    + " percentiles: warm the service up before you measure it, or run longer";
        }

        @Override
        public boolean isDoubt() {
            return false;
        }
    }

    /**
     * The process woke after the instant at which all shards were to begin.
     *
     * @param lateNanos by how much its start is late
     */
    record StartedLate(long lateNanos) implements Caveat {
        @Override
        public String code() {
            return "started_late";
        }

        @Override
        public String text() {
            return "this shard woke after the planned start and began " + DurationText.rounded(lateNanos)
                    + " late: its load is right, but not beside the others'. Give all of them more time to start";
        }

        @Override
        public boolean isDoubt() {
            return true;
        }
    }

    /**
     * The shards did not begin together.
     *
     * @param skewNanos from the first start to the last, each by its own clock
     */
    record StartSkew(long skewNanos) implements Caveat {
        /** What the starts of processes may differ by without a word. */
        public static final long ALLOWED_NANOS = 100_000_000;

        @Override
        public String code() {
            return "start_skew";
        }

        @Override
        public String text() {
            return "the shards did not begin together: the last began " + DurationText.rounded(skewNanos)
                    + " after the first, so the planned load was never offered as a whole";
        }

        @Override
        public boolean isDoubt() {
            return true;
        }
    }

    /**
     * No result came from some shards.
     *
     * @param missing which ones, from 0, ascending
     * @param count how many shards the plan has
     */
    record ShardsMissing(List<Integer> missing, int count) implements Caveat {
        /** Copies the list. */
        public ShardsMissing {
            missing = List.copyOf(missing);
        }

        @Override
        public String code() {
            return "shards_missing";
        }

        @Override
        public String text() {
            return "no result came from " + Words.shards(missing) + " of " + Words.count(count)
                    + ": nobody knows what became of their requests, and all numbers are of the others only";
        }

        @Override
        public boolean isDoubt() {
            return true;
        }
    }

    /**
     * Some shards would not have been sound alone, which the sum of all may not show.
     *
     * @param doubtful which ones, from 0, ascending
     * @param count how many shards there were
     * @param why what the first of them said of itself
     */
    record ShardsDoubtful(List<Integer> doubtful, int count, String why) implements Caveat {
        /** Copies the list. */
        public ShardsDoubtful {
            doubtful = List.copyOf(doubtful);
        }

        @Override
        public String code() {
            return "shards_doubtful";
        }

        @Override
        public String text() {
            return Words.shards(doubtful) + " of " + Words.count(count)
                    + (doubtful.size() == 1 ? " is" : " are") + " not to be trusted: "
                    + (doubtful.size() == 1 ? "" : "shard " + doubtful.get(0) + ": ") + why;
        }

        @Override
        public boolean isDoubt() {
            return true;
        }
    }
}
