package dev.downbeat.report.file;

import dev.downbeat.event.Incident;
import dev.downbeat.event.Overloads.Overload;
import dev.downbeat.record.Attribution;
import dev.downbeat.record.Exemplar;
import dev.downbeat.record.Interval;
import dev.downbeat.record.Ledger;
import dev.downbeat.record.Recording;
import dev.downbeat.run.RunResult;
import dev.downbeat.selfcheck.GeneratorHealth;
import dev.downbeat.verdict.Observations;
import dev.downbeat.why.Event;
import dev.downbeat.why.WatchResult;
import java.io.IOException;
import java.util.List;
import java.util.function.ToLongFunction;

/** Sums that must agree in any result: the ledger and the counts of the distributions. */
final class SumChecks {
    /** Thirty years in nanoseconds, or as many requests: far beyond any run, and far below an overflow of sums. */
    static final long MOST = 1_000_000_000_000_000_000L;

    private SumChecks() {}

    /** Refuses a result that does not add up. */
    static void check(RunResult result) throws IOException {
        check(result.recording());
        names(result.recording());
        possible("length", result.durationNanos());
        possible("time without a slot", result.lanes().saturation().nanos());
        possible("longest backlog", result.lanes().peakBacklog());
        possible("time of the longest backlog", result.lanes().peakBacklogAtNanos());
        health(result.health());
        long endNanos = 0;
        for (Interval interval : result.intervals()) {
            if (interval.startNanos() < endNanos || interval.endNanos() > MOST) {
                throw new IOException("corrupt: its intervals do not follow each other");
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

    /** Refuses impossible events. */
    static void check(List<WatchResult> watched) throws IOException {
        long events = 0;
        for (WatchResult one : watched) {
            possible("time of watching", one.toNanos() - one.fromNanos(), one.uncertaintyNanos());
            events += one.events().size();
            for (Event event : one.events()) {
                possible("event", event.lengthNanos(), Math.abs(event.startNanos()));
            }
        }
        if (events > WatchResult.MOST) {
            throw new IOException("corrupt: it has " + events + " events, and " + WatchResult.MOST + " are kept");
        }
    }

    /** Refuses impossible incidents and overloads. */
    static void check(Observations.Found found) throws IOException {
        for (Incident event : found.events()) {
            possible(
                    "incident",
                    Math.abs(event.startNanos()),
                    event.lengthNanos(),
                    event.requestsHit(),
                    event.slowestNanos(),
                    event.catchUpNanos());
        }
        for (Overload overload : found.overloads()) {
            possible("overload", overload.startNanos(), overload.endNanos(), overload.caughtUpNanos());
        }
    }

    private static long sum(RunResult result, ToLongFunction<Ledger> fate) {
        return result.intervals().stream()
                .map(interval -> interval.recording().ledger())
                .mapToLong(fate)
                .sum();
    }

    private static void check(Recording recording) throws IOException {
        Ledger ledger = recording.ledger();
        possible(
                "count of requests",
                ledger.planned(),
                ledger.answered(),
                ledger.failed(),
                ledger.timedOut(),
                ledger.timedOutUnsent(),
                ledger.inFlight(),
                ledger.neverSent(),
                ledger.unconnected());
        parts(recording);
        same("response times", recording.response().count(), ledger.answered());
        long untimed = Math.min(recording.unbuilt(), ledger.unconnected());
        same("times of failures", recording.failed().count() + untimed, ledger.failed());
    }

    /** Names count a request once, apart from those of several requests. */
    private static void names(Recording total) throws IOException {
        for (Recording one : total.byName().values()) {
            check(one);
        }
        for (ToLongFunction<Ledger> fate : List.<ToLongFunction<Ledger>>of(Ledger::answered, Ledger::failed)) {
            long named = total.requests().values().stream()
                    .mapToLong(one -> fate.applyAsLong(one.ledger()))
                    .sum();
            if (named > fate.applyAsLong(total.ledger())) {
                throw new IOException("corrupt or changed: its request names have " + named
                        + " requests, and its ledger " + fate.applyAsLong(total.ledger()));
            }
        }
    }

    /** Checks parts of response times, which are displayed as durations. */
    private static void parts(Recording recording) throws IOException {
        for (Attribution.Band band : recording.anatomy().attribution().bands()) {
            for (double sumNanos : band.sumsNanos()) {
                if (!(sumNanos >= 0 && sumNanos / band.count() <= (double) MOST)) {
                    throw new IOException("corrupt: its part of a response time is " + sumNanos);
                }
            }
        }
        for (Exemplar exemplar : recording.anatomy().exemplars()) {
            possible("response time", exemplar.responseNanos());
            for (long partNanos : exemplar.partsNanos().values()) {
                possible("part of a response time", partNanos);
            }
        }
    }

    /** Processor and stolen time may be -1 for unknown. */
    private static void health(GeneratorHealth health) throws IOException {
        possible(
                "health",
                health.wallNanos(),
                health.largestHiccupNanos(),
                health.largestHiccupAtNanos(),
                health.hiccupNanos(),
                health.gcCount(),
                health.gcNanos(),
                health.largestGcNanos());
    }

    private static void possible(String name, long... numbers) throws IOException {
        for (long number : numbers) {
            if (number < 0 || number > MOST) {
                throw new IOException("corrupt: its " + name + " is " + number);
            }
        }
    }

    private static void same(String name, long counted, long ledger) throws IOException {
        if (counted != ledger) {
            throw new IOException("corrupt or changed: it has " + counted + " " + name + ", and its ledger " + ledger);
        }
    }
}
