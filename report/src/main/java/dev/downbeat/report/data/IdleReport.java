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
 * After which idle time connections are closed, and how.
 *
 * @param command command line, without secrets
 * @param rows ascending by idle time, first without the kernel's keep-alive probes
 */
public record IdleReport(IdleResult result, List<String> command, String version, List<Row> rows) {
    public IdleReport {
        command = List.copyOf(command);
        rows = List.copyOf(rows);
    }

    /**
     * The connections of one idle time.
     *
     * @param idleNanos intended idle time
     * @param probed whether the kernel sent keep-alive probes
     * @param probes result of each connection
     */
    public record Row(long idleNanos, boolean probed, List<Probe> probes) {
        public Row {
            probes = List.copyOf(probes);
        }

        /** The number of connections by how they ended. */
        public Map<Ending, Long> endings() {
            return probes.stream().collect(Collectors.groupingBy(Probe::ending, TreeMap::new, Collectors.counting()));
        }

        /** Whether all of them could be reused. */
        public boolean isKept() {
            return probes.stream().allMatch(probe -> probe.ending() == Ending.KEPT);
        }

        /** The most frequent end of those that could not. */
        public Ending usualLoss() {
            return endings().entrySet().stream()
                    .filter(entry -> entry.getKey() != Ending.KEPT)
                    .max(Map.Entry.comparingByValue())
                    .map(Map.Entry::getKey)
                    .orElse(Ending.KEPT);
        }

        /** The median time after which the end of such connections was seen. */
        public OptionalLong endedNanos() {
            return median(
                    probes.stream()
                            .filter(probe -> probe.ending() == usualLoss())
                            .toList(),
                    Probe::endedNanos);
        }

        /** The median service time of the second request. */
        public OptionalLong secondNanos() {
            return median(
                    probes.stream()
                            .filter(probe -> probe.ending() == Ending.KEPT)
                            .toList(),
                    Probe::secondNanos);
        }
    }

    /** Computes the report. */
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

    /** The rows with or without keep-alive probes. */
    public List<Row> rows(boolean probed) {
        return rows.stream().filter(row -> row.probed() == probed).toList();
    }

    /** The median time of a first request, including the new connection. */
    public OptionalLong firstNanos() {
        return median(answered(), Probe::firstNanos);
    }

    /** The part of it for the new connection. */
    public OptionalLong openNanos() {
        return median(answered(), Probe::openNanos);
    }

    /** The median time of a request on a kept connection. */
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

    /** 0 if connections were left idle, otherwise 1. */
    public int exitCode() {
        return answered().isEmpty() ? ExitCode.NOTHING : ExitCode.MET;
    }
}
