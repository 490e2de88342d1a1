package dev.downbeat.report.data;

import dev.downbeat.exchange.IdleResult;
import dev.downbeat.exchange.IdleResult.Ending;
import dev.downbeat.exchange.IdleResult.Probe;
import dev.downbeat.verdict.ExitCode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;

/**
 * After which idle time a connection is gone, and how.
 *
 * @param command the command line, without secrets
 * @param rows ascending by the idle time, and those without the kernel's probes first
 */
public record IdleReport(IdleResult result, List<String> command, String version, List<Row> rows) {
    public IdleReport {
        command = List.copyOf(command);
        rows = List.copyOf(rows);
    }

    /**
     * The connections of one idle time.
     *
     * @param idleNanos how long they were to be idle
     * @param probed whether the kernel probed them
     * @param probes what became of each
     */
    public record Row(long idleNanos, boolean probed, List<Probe> probes) {
        public Row {
            probes = List.copyOf(probes);
        }

        /** How many came to each end. */
        public Map<Ending, Long> endings() {
            return probes.stream().collect(Collectors.groupingBy(Probe::ending, TreeMap::new, Collectors.counting()));
        }

        /** Whether all of them could be used again. */
        public boolean isKept() {
            return probes.stream().allMatch(probe -> probe.ending() == Ending.KEPT);
        }

        /** The usual end of those that could not. */
        public Ending usualLoss() {
            return endings().entrySet().stream()
                    .filter(entry -> entry.getKey() != Ending.KEPT)
                    .max(Map.Entry.comparingByValue())
                    .map(Map.Entry::getKey)
                    .orElse(Ending.KEPT);
        }

        /** When the end of such connections was seen, at the median. */
        public OptionalLong endedNanos() {
            return median(
                    probes.stream()
                            .filter(probe -> probe.ending() == usualLoss())
                            .toList(),
                    Probe::endedNanos);
        }

        /** The second request's service time, at the median. */
        public OptionalLong secondNanos() {
            return median(
                    probes.stream()
                            .filter(probe -> probe.ending() == Ending.KEPT)
                            .toList(),
                    Probe::secondNanos);
        }
    }

    /** Works it out. */
    public static IdleReport of(IdleResult result, List<String> command, String version) {
        Map<Boolean, Map<Long, List<Probe>>> sorted = result.probes().stream()
                .collect(Collectors.groupingBy(
                        Probe::probed,
                        TreeMap::new,
                        Collectors.groupingBy(Probe::idleNanos, TreeMap::new, Collectors.toList())));
        List<Row> rows = new ArrayList<>();
        sorted.forEach((probed, byIdle) -> byIdle.forEach((idle, probes) -> rows.add(new Row(idle, probed, probes))));
        return new IdleReport(result, command, version, rows);
    }

    /** The rows with or without the kernel's probes. */
    public List<Row> rows(boolean probed) {
        return rows.stream().filter(row -> row.probed() == probed).toList();
    }

    /** What a first request takes, at the median: a new connection included. */
    public OptionalLong firstNanos() {
        return median(answered(), Probe::firstNanos);
    }

    /** What of this the new connection is. */
    public OptionalLong openNanos() {
        return median(answered(), Probe::openNanos);
    }

    /** What a request on a kept connection takes, at the median. */
    public OptionalLong secondNanos() {
        return median(
                result.probes().stream()
                        .filter(probe -> probe.ending() == Ending.KEPT)
                        .toList(),
                Probe::secondNanos);
    }

    private List<Probe> answered() {
        return result.probes().stream()
                .filter(probe ->
                        probe.ending() != Ending.NOT_KEPT || probe.reason().isEmpty())
                .toList();
    }

    private static OptionalLong median(List<Probe> probes, ToLongFunction<Probe> value) {
        return probes.isEmpty()
                ? OptionalLong.empty()
                : OptionalLong.of(probes.stream()
                        .mapToLong(value)
                        .sorted()
                        .skip((probes.size() - 1) / 2)
                        .findFirst()
                        .orElse(0));
    }

    /** 0 if a connection was left idle, else 1. */
    public int exitCode() {
        return answered().isEmpty() ? ExitCode.NOTHING : ExitCode.MET;
    }
}
