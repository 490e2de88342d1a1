package dev.downbeat.report.file;

import dev.downbeat.compare.ComparedRun;
import dev.downbeat.compare.Host;
import dev.downbeat.compare.Incomparable;
import dev.downbeat.record.Interval;
import dev.downbeat.record.Ledger;
import dev.downbeat.record.Recording;
import dev.downbeat.report.data.RunReport;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.TreeMap;

/**
 * A run as its {@link HistogramLog} tells it. Logs of other tools can be read too; they do not say what they are, so the
 * first lines of ours are missing.
 *
 * @param name of the log
 * @param isCorrected whether it says that its times count from the intended times
 * @param isPartial whether the run did not come to its planned end
 * @param facts what the first lines tell by name: {@code plan.workload}, {@code plan.window_ns} in
 *     which requests were meant to start, {@code ledger.planned} and the other fates, {@code verdict.measurement}, {@code
 *     verdict.doubts}, {@code log.started} in seconds of the epoch, and {@code host.} with where it was measured
 * @param intervals in their order; of their recordings, those series that a log has. Their ledgers know answered, failed
 *     and censored requests, the latter as timed out
 */
public record SavedRun(
        String name, boolean isCorrected, boolean isPartial, Map<String, String> facts, List<Interval> intervals) {
    private static final String HOST = "host.";

    public SavedRun {
        facts = Map.copyOf(new TreeMap<>(facts));
        intervals = List.copyOf(intervals);
    }

    /**
     * Reads a log.
     *
     * @param name what to call it in messages
     * @throws IOException if it is not a histogram log, or garbled, or cut off; its message is one clear line
     */
    public static SavedRun read(BufferedReader lines, String name) throws IOException {
        try {
            return new HistogramLogReading(name).read(lines);
        } catch (CharacterCodingException binary) {
            throw new IOException(name + " is garbled: it is not text", binary);
        }
    }

    /**
     * A report of what a log of ours knows; connections, examples and the machine it does not know.
     *
     * @throws IOException if it is none of ours: nobody could say what its times count from
     */
    public RunReport toReport() throws IOException {
        if (!isCorrected) {
            throw new IOException(
                    name + " does not say that its times count from the intended times: it cannot be shown as"
                            + " if they did");
        }
        return LogReport.of(this);
    }

    /** Where all requests went, if the log says so. */
    public Optional<Ledger> ledger() {
        if (!facts.containsKey("ledger.planned")) {
            return Optional.empty();
        }
        return Optional.of(new Ledger(
                count("planned"),
                count("answered"),
                count("failed"),
                count("timed_out"),
                count("timed_out_unsent"),
                count("in_flight"),
                count("never_sent"),
                count("unconnected")));
    }

    private long count(String fate) {
        return (long) number("ledger." + fate).orElse(0);
    }

    /** A fact that is a number; empty if it is missing, or is none. */
    public OptionalDouble number(String fact) {
        try {
            return facts.containsKey(fact)
                    ? OptionalDouble.of(Double.parseDouble(facts.get(fact)))
                    : OptionalDouble.empty();
        } catch (NumberFormatException garbled) {
            return OptionalDouble.empty();
        }
    }

    /** The run for a comparison, with what speaks against one. */
    public ComparedRun compared() {
        List<Incomparable> doubts = new ArrayList<>();
        if (!isCorrected) {
            doubts.add(new Incomparable(
                    Incomparable.Kind.UNCORRECTED,
                    name + " does not say that its times count from the intended times: it may hide what a"
                            + " coordinated tool omits"));
        }
        if ("unsound".equals(facts.get("verdict.measurement"))) {
            doubts.add(ComparedRun.unsound(name, codes(facts.getOrDefault("verdict.doubts", ""))));
        } else if (isPartial) {
            doubts.add(new Incomparable(Incomparable.Kind.PARTIAL, name + " is of a run that did not come to its end"));
        }
        List<Recording> stretches = ComparedRun.stretches(intervals);
        ComparedRun.unsteady(name, stretches).ifPresent(doubts::add);
        return new ComparedRun(
                        name,
                        stretches,
                        facts.getOrDefault("plan.workload", ""),
                        "closed".equals(facts.get("plan.workload")) ? OptionalDouble.empty() : ratePerSecond(),
                        doubts)
                .on(host());
    }

    private static List<String> codes(String doubts) {
        return doubts.isEmpty() ? List.of() : List.of(doubts.split(","));
    }

    /** Where it was measured, if whoever kept it said so. */
    public Host host() {
        Map<String, String> known = new TreeMap<>();
        facts.forEach((fact, value) -> {
            if (fact.startsWith(HOST)) {
                known.put(fact.substring(HOST.length()), value);
            }
        });
        return new Host(known);
    }

    /** When it began, if the log says so. */
    public Optional<Instant> started() {
        OptionalDouble seconds = number("log.started");
        return seconds.isPresent()
                ? Optional.of(Instant.ofEpochMilli(Math.round(seconds.getAsDouble() * 1_000)))
                : Optional.empty();
    }

    /** Intended requests per second: over the planned time, or over that of the intervals if nothing is said. */
    private OptionalDouble ratePerSecond() {
        long seen = intervals.stream()
                .mapToLong(interval -> interval.recording().ledger().planned())
                .sum();
        long lengthNanos = intervals.isEmpty()
                ? 0
                : intervals.get(intervals.size() - 1).endNanos()
                        - intervals.get(0).startNanos();
        double windowNanos = number("plan.window_ns").orElse((double) lengthNanos);
        return windowNanos > 0
                ? OptionalDouble.of(number("ledger.planned").orElse((double) seen) * 1e9 / windowNanos)
                : OptionalDouble.empty();
    }
}
