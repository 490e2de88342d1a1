package dev.downbeat.report.view;

import dev.downbeat.exchange.ConnectionCounts;
import dev.downbeat.exchange.StreamCounts;
import dev.downbeat.record.Ledger;
import dev.downbeat.record.Part;
import dev.downbeat.report.paper.OneLine;
import dev.downbeat.report.paper.Told;
import dev.downbeat.verdict.Caveat;
import dev.downbeat.verdict.Objective;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** What results of several kinds tell programs. */
final class SharedData {
    private SharedData() {}

    /** Where the requests went. */
    record LedgerData(
            long planned,
            long answered,
            long failed,
            long timedOut,
            long timedOutUnsent,
            long inFlight,
            long neverSent,
            long unconnected,
            boolean addsUp) {
        static LedgerData of(Ledger ledger) {
            return new LedgerData(
                    ledger.planned(),
                    ledger.answered(),
                    ledger.failed(),
                    ledger.timedOut(),
                    ledger.timedOutUnsent(),
                    ledger.inFlight(),
                    ledger.neverSent(),
                    ledger.unconnected(),
                    ledger.addsUp());
        }
    }

    /** What became of an objective. */
    record ObjectiveData(
            String text,
            String status,
            Told<Long> valueNanos,
            Told<Double> valueShare,
            boolean lowerBound,
            boolean sure,
            String reason) {
        private static final String OTHER = "the objective is not of this kind, or nothing is known of it: see reason";

        static List<ObjectiveData> of(List<Objective> objectives) {
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
    record ReasonData(String code, boolean doubt, String text) {
        static List<ReasonData> of(List<Caveat> caveats, List<Caveat> doubts) {
            return caveats.stream()
                    .map(caveat -> new ReasonData(caveat.code(), doubts.contains(caveat), caveat.text()))
                    .toList();
        }
    }

    /** A stable name and a text. */
    record TextData(String code, String text) implements OneLine {}

    /** How connections fared. */
    record ConnectionData(
            long opened,
            long resumed,
            long failed,
            long closedByServerWithNotice,
            long closedByServer,
            long closedByUs,
            long openAtEnd,
            long inUseAtEnd,
            StreamData streams)
            implements OneLine {
        static ConnectionData of(ConnectionCounts counts) {
            return new ConnectionData(
                    counts.opened(),
                    counts.resumed(),
                    counts.failed(),
                    counts.closedByServerWithNotice(),
                    counts.closedByServer(),
                    counts.closedByUs(),
                    counts.openAtEnd(),
                    counts.inUseAtEnd(),
                    StreamData.of(counts.streams()));
        }
    }

    /** How the streams of such connections fared that carry many requests at once. */
    record StreamData(long begun, long sentAgain, long openAtEnd, long allowedAtEnd) implements OneLine {
        static StreamData of(StreamCounts counts) {
            return new StreamData(counts.begun(), counts.sentAgain(), counts.openAtEnd(), counts.allowedAtEnd());
        }
    }

    static Map<String, Long> parts(Map<Part, Long> nanos) {
        Map<String, Long> parts = new LinkedHashMap<>();
        nanos.forEach((part, time) -> parts.put(lower(part) + "_ns", time));
        return parts;
    }

    static String lower(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT);
    }

    /** What a platform tells of itself is below 0 if it does not. */
    static Told<Long> told(long value) {
        return value < 0 ? Told.not("the platform does not tell") : Told.of(value);
    }
}
