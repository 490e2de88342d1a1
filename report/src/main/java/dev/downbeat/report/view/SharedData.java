package dev.downbeat.report.view;

import dev.downbeat.exchange.ConnectionCounts;
import dev.downbeat.exchange.StreamCounts;
import dev.downbeat.record.Ledger;
import dev.downbeat.record.Part;
import dev.downbeat.report.paper.Key;
import dev.downbeat.report.paper.OneLine;
import dev.downbeat.report.paper.Told;
import dev.downbeat.verdict.Caveat;
import dev.downbeat.verdict.Objective;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** What results of several kinds tell programs. */
public final class SharedData {
    private SharedData() {}

    /** Where the requests went. */
    public record LedgerData(@Key("") Ledger counts, boolean addsUp) {
        public static LedgerData of(Ledger ledger) {
            return new LedgerData(ledger, ledger.addsUp());
        }
    }

    /** What became of an objective. */
    public record ObjectiveData(
            String text,
            String status,
            Told<Long> valueNanos,
            Told<Double> valueShare,
            boolean lowerBound,
            boolean sure,
            String reason) {
        private static final String OTHER = "the objective is not of this kind, or nothing is known of it: see reason";

        public static List<ObjectiveData> of(List<Objective> objectives) {
            return objectives.stream()
                    .map(one -> new ObjectiveData(
                            one.slo().text(),
                            one.status().word(),
                            Told.of(one.valueNanos(), OTHER),
                            Told.of(one.valueShare(), OTHER),
                            one.isLowerBound(),
                            !one.isUnsure(),
                            one.reason()))
                    .toList();
        }
    }

    /** Why to doubt a measurement, or what is to be known of it. */
    public record ReasonData(String code, boolean doubt, String text) {
        public static List<ReasonData> of(List<Caveat> caveats, List<Caveat> doubts) {
            return caveats.stream()
                    .map(caveat -> new ReasonData(caveat.code(), doubts.contains(caveat), caveat.text()))
                    .toList();
        }
    }

    /** A stable name and a text. */
    public record TextData(String code, String text) implements OneLine {}

    /** How connections fared. */
    public record ConnectionData(@Key("") ConnectionCounts counts) implements OneLine {}

    /** How the streams of such connections fared that carry many requests at once. */
    record StreamData(@Key("") StreamCounts counts) implements OneLine {}

    public static Map<String, Long> parts(Map<Part, Long> nanos) {
        Map<String, Long> parts = new LinkedHashMap<>();
        nanos.forEach((part, time) -> parts.put(lower(part) + "_ns", time));
        return parts;
    }

    public static String lower(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT);
    }

    /** What a platform tells of itself is below 0 if it does not. */
    static Told<Long> told(long value) {
        return value < 0 ? Told.not("the platform does not tell") : Told.of(value);
    }
}
