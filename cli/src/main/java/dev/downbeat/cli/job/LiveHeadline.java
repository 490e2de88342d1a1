package dev.downbeat.cli.job;

import dev.downbeat.record.Interruptions;
import dev.downbeat.record.Interval;
import dev.downbeat.record.Ledger;
import dev.downbeat.record.Recording;
import dev.downbeat.report.data.Numbers;
import dev.downbeat.time.DurationText;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * The headline of a running measurement. It contains only what cannot change any more: counts, the slowest answer, and
 * periods without an answer. The final report judges them. Not thread-safe.
 */
final class LiveHeadline {
    /** A period without an answer counts from this many times the usual gap on, as in the final report. */
    private static final int USUAL_GAPS = 20;

    private final List<Silence> silences = new ArrayList<>();
    private Optional<Silence> open = Optional.empty();
    private Ledger ledger = Ledger.EMPTY;
    private long slowestNanos;
    private long endNanos;

    /**
     * A period in which requests waited and none was answered, from intervals that lie wholly within it.
     *
     * @param fromNanos from the start of the run
     * @param toNanos from the start of the run
     */
    record Silence(long fromNanos, long toNanos) {
        long lengthNanos() {
            return toNanos - fromNanos;
        }
    }

    /** Adds the next interval. */
    void add(Interval interval) {
        Recording recording = interval.recording();
        boolean isSilent = ended(recording.ledger()) == 0 && waiting() > 0 && ended(ledger) > 0;
        if (isSilent) {
            open = Optional.of(
                    new Silence(open.map(Silence::fromNanos).orElse(interval.startNanos()), interval.endNanos()));
        } else {
            open.filter(this::isLong).ifPresent(silences::add);
            open = Optional.empty();
        }
        ledger = ledger.plus(recording.ledger());
        slowestNanos = Math.max(slowestNanos, recording.response().maxNanos());
        endNanos = interval.endNanos();
    }

    private static long ended(Ledger ledger) {
        return ledger.answered() + ledger.failed();
    }

    private long waiting() {
        return ledger.planned() - ledger.accounted();
    }

    private boolean isLong(Silence silence) {
        long usualGapNanos = endNanos / Math.max(1, ended(ledger));
        return silence.lengthNanos() >= Math.max(Interruptions.LEAST_NANOS, USUAL_GAPS * usualGapNanos);
    }

    /** Requests answered so far. */
    long answered() {
        return ledger.answered();
    }

    /** Requests failed so far. */
    long failed() {
        return ledger.failed() + ledger.timedOut();
    }

    /** The slowest answer so far. */
    long slowestNanos() {
        return slowestNanos;
    }

    /** The periods without an answer that are over, in order of time. */
    List<Silence> silences() {
        return List.copyOf(silences);
    }

    /** The period without an answer that lasts. */
    Optional<Silence> now() {
        return open.filter(this::isLong);
    }

    /** One or two sentences; the first begins in lower case. */
    String text() {
        String due = waiting() == 0 ? "" : ", " + Numbers.count(waiting()) + " requests wait";
        if (ended(ledger) == 0) {
            return "no answer yet" + due + ".";
        }
        List<String> parts = new ArrayList<>();
        now().ifPresent(silence -> parts.add("no answer since " + Numbers.seconds(silence.fromNanos()) + due));
        silences.stream()
                .max(Comparator.comparingLong(Silence::lengthNanos))
                .ifPresent(longest -> parts.add((silences.size() == 1 ? "" : silences.size() + " times ")
                        + "no answer" + (silences.size() == 1 ? "" : ", longest") + " from "
                        + Numbers.seconds(longest.fromNanos()) + " to " + Numbers.seconds(longest.toNanos())));
        String silent = parts.isEmpty() ? "" : String.join("; ", parts) + ". ";
        return silent + Numbers.count(answered()) + " requests answered"
                + (failed() == 0 ? "" : ", " + Numbers.count(failed()) + " failed")
                + (slowestNanos == 0 ? "" : ", the slowest after " + DurationText.rounded(slowestNanos)) + ".";
    }
}
