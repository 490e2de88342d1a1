package dev.downbeat.report.view.position;

import dev.downbeat.exchange.IdleResult;
import dev.downbeat.exchange.IdleResult.Ending;
import dev.downbeat.exchange.IdleResult.Probe;
import dev.downbeat.report.render.Page;
import dev.downbeat.report.render.Page.Mark;
import dev.downbeat.report.render.Page.Where;
import dev.downbeat.report.render.RecordJson.Key;
import dev.downbeat.report.render.RecordJson.Known;
import dev.downbeat.report.render.RecordJson.OneLine;
import dev.downbeat.report.render.Table;
import dev.downbeat.report.render.Table.Column;
import dev.downbeat.report.render.View;
import dev.downbeat.report.view.SharedData;
import dev.downbeat.report.view.SharedData.Head;
import dev.downbeat.report.view.position.IdleView.IdleReport.Row;
import dev.downbeat.stats.Numbers;
import dev.downbeat.time.DurationText;
import dev.downbeat.verdict.ExitCode;
import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;
import java.util.stream.LongStream;

/** The fate of idle connections: after what time and how they are lost, and the time that reuse saves. */
public record IdleView(IdleReport report) implements View {
    /** The share of the time after which connections end that is advised at most. */
    private static final double SAFE = 0.8;

    private static final List<String> LIMITS = List.of(
            "Each connection carries a request, idles, then carries another. It is unknown who closed it: the service,"
                    + " or a proxy, load balancer or firewall in between.",
            "A reset or close is detected at once, a silent drop only when the connection is used.");

    @Override
    public Page page() {
        return new Page(
                new Page.Head("idle connections", report.result().target(), headline(), partial(), List.of(plan())),
                answers(),
                List.of(),
                List.of(Page.Section.of("idle", "By idle time", Where.EVERYWHERE, table())),
                facts(),
                new Page.Origin(
                        report.command(),
                        report.version(),
                        "",
                        Optional.of(report.result().started()),
                        report.result().durationNanos(),
                        LIMITS));
    }

    private String headline() {
        return finding(false) + ".";
    }

    private Optional<String> headlineWithProbes() {
        return report.rows(true).isEmpty() ? Optional.empty() : Optional.of(finding(true) + ".");
    }

    private Optional<String> partial() {
        return report.result().complete() ? Optional.empty() : Optional.of("INCOMPLETE: it was interrupted");
    }

    private String plan() {
        long probed =
                report.rows(true).stream().mapToLong(row -> row.probes().size()).sum();
        return Numbers.count(report.result().probes().size(), "connection") + " at the same time"
                + (probed > 0 ? ", " + probed + " of them probed by the kernel" : "");
    }

    /** The finding for connections with or without keep-alive probes. */
    private String finding(boolean probed) {
        long keptNanos = 0;
        for (Row row : report.conclusive(probed)) {
            if (row.areAllKept()) {
                keptNanos = row.idleNanos();
            } else {
                return lost(report.soonest(row), keptNanos);
            }
        }
        return keptNanos == 0
                ? "No connection was left idle to the end"
                : "Connections idle for " + time(keptNanos) + " can still be used";
    }

    private static String lost(Row row, long keptNanos) {
        String at = time(row.endedNanos().orElse(row.idleNanos()));
        String between = keptNanos == 0
                ? "within " + time(row.idleNanos())
                : "between " + time(keptNanos) + " and " + time(row.idleNanos());
        return switch (row.usualLoss()) {
            case CLOSED -> "Idle connections are closed after " + at + " by the other side (FIN)";
            case BROKEN -> "Idle connections break after " + at + ": " + reason(row);
            case BROKEN_ON_USE ->
                "Connections idle for " + (keptNanos == 0 ? "" : "more than " + time(keptNanos) + ", at most ")
                        + time(row.idleNanos()) + (keptNanos == 0 ? "" : ",")
                        + " fail on their next use: " + reason(row);
            case SILENT -> "Idle connections are dropped silently " + between + ": a request on one gets no response";
            default -> "Connections are not kept: " + reason(row);
        };
    }

    private static String reason(Row row) {
        return endingIn(row.usualLoss(), row.probes()).stream()
                .map(IdleView::reason)
                .findFirst()
                .orElse("");
    }

    private static List<Probe> endingIn(Ending ending, List<Probe> probes) {
        return probes.stream().filter(probe -> probe.ending() == ending).toList();
    }

    private static String reason(Probe probe) {
        return probe.ending() == Ending.NOT_KEPT && probe.reason().isEmpty()
                ? "closed with its first response"
                : probe.reason();
    }

    private List<Page.AnsweredQuestion> answers() {
        List<Page.AnsweredQuestion> answers = new ArrayList<>();
        if (!report.rows(true).isEmpty()) {
            answers.add(Page.AnsweredQuestion.of("with probes", Mark.NOTE, "", finding(true)));
        }
        advice().ifPresent(text -> answers.add(Page.AnsweredQuestion.of("to do", Mark.NOTE, "", text)));
        return answers;
    }

    private Optional<String> advice() {
        List<Row> rows = report.conclusive(false);
        Optional<Row> first = rows.stream().filter(row -> !row.areAllKept()).findFirst();
        long[] keptNanos = rows.stream()
                .takeWhile(row -> first.isPresent() && row != first.get())
                .mapToLong(Row::idleNanos)
                .toArray();
        if (first.isEmpty() || keptNanos.length == 0) {
            return Optional.empty();
        }
        Row soonest = report.soonest(first.get());
        Ending usual = soonest.usualLoss();
        long most = usual == Ending.CLOSED || usual == Ending.BROKEN
                ? clearOf(soonest.endedNanos().orElse(Long.MAX_VALUE))
                : Long.MAX_VALUE;
        long advised =
                LongStream.of(keptNanos).filter(nanos -> nanos <= most).max().orElse(most);
        String close = "let clients close connections that were idle for " + time(advised) + " (here: --max-idle "
                + DurationText.word(advised) + ")";
        return Optional.of(
                usual == Ending.SILENT || usual == Ending.BROKEN_ON_USE
                        ? close + ", or enable TCP keep-alive probes at a shorter interval"
                        : close + ": a request sent during the close fails or is retried");
    }

    /** A connection used shortly before its end was kept by luck; in two digits, since it is to be copied. */
    private static long clearOf(long endedNanos) {
        return BigDecimal.valueOf(SAFE * endedNanos)
                .round(new MathContext(2, RoundingMode.DOWN))
                .longValue();
    }

    private Table table() {
        Table table = Table.with(
                Column.of("idle for"),
                Column.words("probes"),
                Column.of("kept"),
                Column.of("next request"),
                Column.words("otherwise"));
        for (Row row : report.rows()) {
            long kept = row.endings().getOrDefault(Ending.KEPT, 0L);
            table = table.row(
                    time(row.idleNanos()),
                    row.probed() ? "yes" : "",
                    kept + " of " + row.probes().size(),
                    time(row.secondNanos()),
                    row.endings().keySet().stream()
                            .filter(ending -> ending != Ending.KEPT)
                            .map(ending -> words(row, ending))
                            .collect(Collectors.joining("; ")));
        }
        return table;
    }

    private static String words(Row row, Ending ending) {
        List<Probe> ended = endingIn(ending, row.probes());
        String at = time(ended.stream().mapToLong(Probe::endedNanos).min().orElse(0));
        String reason = reason(ended.get(0));
        return ended.size() + " "
                + switch (ending) {
                    case KEPT -> "kept";
                    case CLOSED -> "closed after " + at + " (FIN)";
                    case BROKEN -> "broken after " + at + " (" + reason + ")";
                    case BROKEN_ON_USE -> "broken when used (" + reason + ")";
                    case SILENT -> "without a response when used";
                    case NOT_KEPT -> "not kept (" + reason + ")";
                };
    }

    private List<Page.Fact> facts() {
        OptionalLong first = report.firstNanos();
        OptionalLong second = report.secondNanos();
        if (first.isEmpty()) {
            return List.of();
        }
        long saved = first.getAsLong() - second.orElse(0);
        String fresh = "a first request takes " + time(first) + " at the median, " + time(report.openNanos())
                + " of it for the new connection";
        return List.of(new Page.Fact(
                "reuse",
                second.isEmpty()
                        ? fresh
                        : fresh + "; on a reused connection " + time(second) + ": "
                                + (saved > 0 ? "reuse saves " + time(saved) : "reuse saved nothing here")));
    }

    private static String time(OptionalLong nanos) {
        return nanos.isPresent() ? time(nanos.getAsLong()) : "";
    }

    private static String time(long nanos) {
        return DurationText.rounded(nanos);
    }

    @Override
    public Record data() {
        return new IdleData(
                Head.of("idle", report.version(), report.command()),
                headline(),
                Known.of(headlineWithProbes(), "no connection was probed"),
                Known.of(advice(), "no idle time with kept connections comes before one with losses"),
                report.result().started().toString(),
                report.result().durationNanos(),
                report.result().complete(),
                Known.of(report.firstNanos(), "no first request was answered"),
                Known.of(report.openNanos(), "no first request was answered"),
                Known.of(report.secondNanos(), "no connection was kept"),
                report.result().probes().stream().map(ProbeData::of).toList());
    }

    /**
     * When and how idle connections were lost. Medians cover all answered requests; {@code connections} lists each
     * connection.
     */
    public record IdleData(
            @Key("") Head head,
            String headline,
            Known<String> headlineWithProbes,
            Known<String> advice,
            String started,
            long durationNanos,
            boolean complete,
            Known<Long> firstRequestNanos,
            Known<Long> newConnectionNanos,
            Known<Long> secondRequestNanos,
            List<ProbeData> connections) {}

    /** One connection: a request, an idle time, a second request. {@code ending} is kept, closed, broken, broken_on_use, silent or not_kept. */
    record ProbeData(
            long idleNanos,
            boolean probed,
            String ending,
            String reason,
            long endedNanos,
            long firstRequestNanos,
            long secondRequestNanos)
            implements OneLine {
        static ProbeData of(Probe probe) {
            return new ProbeData(
                    probe.idleNanos(),
                    probe.probed(),
                    SharedData.lower(probe.ending()),
                    probe.reason(),
                    probe.endedNanos(),
                    probe.firstNanos(),
                    probe.secondNanos());
        }
    }

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

            public Map<Ending, Long> endings() {
                return probes.stream()
                        .collect(Collectors.groupingBy(Probe::ending, TreeMap::new, Collectors.counting()));
            }

            /** Those that were idle; all if none was. */
            private Row idle() {
                List<Probe> idle = answered(probes);
                return idle.isEmpty() ? this : new Row(idleNanos, probed, idle);
            }

            /** Whether all that were idle could be reused. */
            public boolean areAllKept() {
                return idle().probes.stream().allMatch(probe -> probe.ending() == Ending.KEPT);
            }

            /** The most frequent end of those that could not. */
            public Ending usualLoss() {
                return idle().endings().entrySet().stream()
                        .filter(entry -> entry.getKey() != Ending.KEPT)
                        .max(Map.Entry.comparingByValue())
                        .map(Map.Entry::getKey)
                        .orElse(Ending.KEPT);
            }

            /** The median time after which the end of such connections was seen. */
            public OptionalLong endedNanos() {
                return median(endingIn(usualLoss(), probes), Probe::endedNanos);
            }

            /** The median service time of the second request. */
            public OptionalLong secondNanos() {
                return median(endingIn(Ending.KEPT, probes), Probe::secondNanos);
            }
        }

        public static IdleReport of(IdleResult result, List<String> command, String version) {
            Map<Boolean, Map<Long, List<Probe>>> sorted = result.probes().stream()
                    .collect(Collectors.groupingBy(
                            Probe::probed,
                            TreeMap::new,
                            Collectors.groupingBy(Probe::idleNanos, TreeMap::new, Collectors.toList())));
            List<Row> rows = new ArrayList<>();
            sorted.forEach(
                    (probed, byIdle) -> byIdle.forEach((idle, probes) -> rows.add(new Row(idle, probed, probes))));
            return new IdleReport(result, command, version, rows);
        }

        public List<Row> rows(boolean probed) {
            return rows.stream().filter(row -> row.probed() == probed).toList();
        }

        /** Those rows that had idle connections; all if none had. */
        private List<Row> conclusive(boolean probed) {
            List<Row> idle = rows(probed).stream()
                    .filter(row -> !answered(row.probes()).isEmpty())
                    .toList();
            return idle.isEmpty() ? rows(probed) : idle;
        }

        /**
         * The row that saw connections end the soonest, if about when those of the first row with losses were used: a
         * longer idle time shows who ended them and when.
         */
        private Row soonest(Row first) {
            long latestNanos = first.idleNanos() + first.idleNanos() / 10;
            return conclusive(first.probed()).stream()
                    .filter(row -> row.usualLoss() == Ending.CLOSED || row.usualLoss() == Ending.BROKEN)
                    .filter(row -> row.endedNanos().orElse(Long.MAX_VALUE) <= latestNanos)
                    .min(Comparator.comparingLong(row -> row.endedNanos().orElse(0)))
                    .orElse(first);
        }

        /** The median time of a first request, including the new connection. */
        public OptionalLong firstNanos() {
            return median(answered(result.probes()), Probe::firstNanos);
        }

        /** The part of it for the new connection. */
        public OptionalLong openNanos() {
            return median(answered(result.probes()), Probe::openNanos);
        }

        /** The median time of a request on a kept connection. */
        public OptionalLong secondNanos() {
            return median(endingIn(Ending.KEPT, result.probes()), Probe::secondNanos);
        }

        /** Those whose first request was answered. */
        private static List<Probe> answered(List<Probe> probes) {
            return probes.stream()
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

        /** 0 if a first request was answered, otherwise 1. */
        public int exitCode() {
            return answered(result.probes()).isEmpty() ? ExitCode.NOTHING : ExitCode.MET;
        }
    }
}
