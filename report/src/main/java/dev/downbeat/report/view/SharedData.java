package dev.downbeat.report.view;

import dev.downbeat.exchange.ConnectionCounts;
import dev.downbeat.exchange.StreamCounts;
import dev.downbeat.record.Ledger;
import dev.downbeat.record.Part;
import dev.downbeat.report.render.RecordJson;
import dev.downbeat.report.render.RecordJson.Key;
import dev.downbeat.report.render.RecordJson.Known;
import dev.downbeat.report.render.RecordJson.OneLine;
import dev.downbeat.stats.QuantileInterval;
import dev.downbeat.verdict.JudgedObjective;
import dev.downbeat.verdict.caveat.Caveat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/** Data that results of several kinds share. */
public final class SharedData {
    private SharedData() {}

    /** The fate of every planned request. The counts must add up to the planned number. */
    public record LedgerData(@Key("") Ledger counts, boolean addsUp) {
        public static LedgerData of(Ledger ledger) {
            return new LedgerData(ledger, ledger.addsUp());
        }
    }

    /** An objective and its result. */
    public record ObjectiveData(
            String text,
            String status,
            Known<Long> valueNanos,
            Known<Double> valueShare,
            boolean lowerBound,
            boolean sure,
            String reason) {
        private static final String OTHER = "the objective is of another kind, or has no value: see reason";

        public static List<ObjectiveData> of(List<JudgedObjective> objectives) {
            return objectives.stream()
                    .map(one -> new ObjectiveData(
                            one.slo().text(),
                            one.status().word(),
                            Known.of(one.valueNanos(), OTHER),
                            Known.of(one.valueShare(), OTHER),
                            one.isLowerBound(),
                            !one.isUnsure(),
                            one.reason()))
                    .toList();
        }
    }

    /** A doubt about the measurement, or a note. */
    public record ReasonData(String code, boolean doubt, String text) {
        public static List<ReasonData> of(List<Caveat> caveats, List<Caveat> doubts) {
            return caveats.stream()
                    .map(caveat -> new ReasonData(caveat.code(), doubts.contains(caveat), caveat.text()))
                    .toList();
        }
    }

    /** A stable code and a text for readers. */
    public record TextData(String code, String text) implements OneLine {}

    /** Counts of connections. */
    public record ConnectionData(@Key("") ConnectionCounts counts) implements OneLine {}

    /** Counts of HTTP/2 streams. */
    record StreamData(@Key("") StreamCounts counts) implements OneLine {}

    public static Map<String, Long> parts(Map<Part, Long> nanos) {
        Map<String, Long> parts = new LinkedHashMap<>();
        nanos.forEach((part, time) -> parts.put(lower(part) + "_ns", time));
        return parts;
    }

    /** Of the command that measured; null if a signal ended it. */
    public static Known<Long> exitCode(int code, boolean isEndedBySignal) {
        return isEndedBySignal
                ? Known.not("a signal ended it: 130 by Ctrl-C, 143 by SIGTERM, 129 by SIGHUP")
                : Known.of((long) code);
    }

    public static String lower(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT);
    }

    public static Known<Long> low(Optional<QuantileInterval> interval, String otherwise) {
        return Known.of(interval.map(QuantileInterval::lowNanos).orElse(OptionalLong.empty()), otherwise);
    }

    public static Known<Long> high(Optional<QuantileInterval> interval, String otherwise) {
        return Known.of(interval.map(QuantileInterval::highNanos).orElse(OptionalLong.empty()), otherwise);
    }

    /** A platform's value; negative if it is unknown. */
    static Known<Long> orUnknown(long value) {
        return value < 0 ? Known.not("the platform does not report it") : Known.of(value);
    }

    /** How every result for programs begins. */
    public record Head(int schema, String kind, String downbeat, List<String> command) {
        public static Head of(String kind, String version, List<String> command) {
            return new Head(RecordJson.SCHEMA, kind, version, command);
        }
    }
}
