package dev.downbeat.report.file;

import dev.downbeat.record.Attribution;
import dev.downbeat.record.Exemplar;
import dev.downbeat.record.Interval;
import dev.downbeat.record.Ledger;
import dev.downbeat.record.Recording;
import dev.downbeat.run.RunResult;
import java.io.IOException;
import java.util.function.ToLongFunction;

/** What must be equal in a result, wherever it comes from: the ledger and the counts of the distributions. */
final class Sums {
    /** Thirty years: far beyond any run, and far from where sums of nanoseconds overflow. */
    private static final long LONGEST_NANOS = 1_000_000_000_000_000_000L;

    private Sums() {}

    /** Refuses a result that does not add up. */
    static void check(RunResult result) throws IOException {
        check(result.recording());
        long endNanos = 0;
        for (Interval interval : result.intervals()) {
            if (interval.startNanos() < endNanos || interval.endNanos() > LONGEST_NANOS) {
                throw new IOException("garbled: its intervals do not follow each other");
            }
            endNanos = interval.endNanos();
            check(interval.recording());
        }
        same(
                "answered requests of its intervals",
                sum(result, Ledger::answered),
                result.ledger().answered());
        same(
                "failed requests of its intervals",
                sum(result, Ledger::failed),
                result.ledger().failed());
    }

    private static long sum(RunResult result, ToLongFunction<Ledger> fate) {
        return result.intervals().stream()
                .map(interval -> interval.recording().ledger())
                .mapToLong(fate)
                .sum();
    }

    private static void check(Recording recording) throws IOException {
        Ledger ledger = recording.ledger();
        long least = Math.min(
                Math.min(Math.min(ledger.planned(), ledger.answered()), Math.min(ledger.failed(), ledger.timedOut())),
                Math.min(Math.min(ledger.timedOutUnsent(), ledger.inFlight()), ledger.neverSent()));
        if (least < 0) {
            throw new IOException("garbled: its ledger has a count of " + least);
        }
        parts(recording);
        same("response times", recording.response().count(), ledger.answered());
        same("times of failures", recording.failed().count(), ledger.failed());
    }

    /** What response times were made of is shown as durations. */
    private static void parts(Recording recording) throws IOException {
        for (Attribution.Band band : recording.attribution().bands()) {
            for (double sumNanos : band.sumsNanos()) {
                possible(sumNanos / band.count());
            }
        }
        for (Exemplar exemplar : recording.exemplars()) {
            possible(exemplar.responseNanos());
            for (long partNanos : exemplar.partsNanos().values()) {
                possible(partNanos);
            }
        }
    }

    private static void possible(double nanos) throws IOException {
        if (!(nanos >= 0 && nanos <= LONGEST_NANOS)) {
            throw new IOException("garbled: a part of a response time is " + nanos + " ns");
        }
    }

    private static void same(String what, long counted, long ledger) throws IOException {
        if (counted != ledger) {
            throw new IOException("garbled or changed: it has " + counted + " " + what + ", and its ledger " + ledger);
        }
    }
}
