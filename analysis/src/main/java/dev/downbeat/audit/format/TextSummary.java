package dev.downbeat.audit.format;

import dev.downbeat.audit.AuditFinding;
import dev.downbeat.audit.AuditFinding.Kind;
import dev.downbeat.audit.ResultCollector;
import dev.downbeat.audit.Summary;
import dev.downbeat.stats.Numbers;
import java.io.IOException;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A distribution that a tool prints as text, line by line. Each constant lists the lines of one tool.
 *
 * @param name tool and format, as users know them
 * @param head recognises the beginning of a file
 * @param rows the first row that matches a line reads it; a line without a row is skipped
 * @param appendix from the line that contains this, only rows for the whole file are used; empty if there is no such line
 * @param end hands the summary over
 */
record TextSummary(
        String name,
        Predicate<String> head,
        List<Row> rows,
        String appendix,
        BiConsumer<Summary.Draft, ResultCollector> end)
        implements Format {
    private static final double MILLI = 1e6;

    /** hey prints four digits of seconds. */
    private static final long HEY_DIGIT = 100_000;

    private static final Pattern TIME = Pattern.compile("([0-9]+(?:\\.[0-9]+)?)\\s*(ns|us|µs|ms|s|secs?|m|h)");

    /** wrk and wrk2 with --latency. wrk2's times are measured from intended times, except after -U. */
    static final Format WRK = new TextSummary(
            "wrk or wrk2",
            head -> head.contains("Thread Stats") && head.contains(" test @ "),
            List.of(
                    row("Running .* test @ (\\S+)", (line, draft, into) -> into.target(line.text(1))),
                    row(
                            "\\s*[0-9]+ threads? and ([0-9]+) connections?",
                            (line, draft, into) -> draft.users(line.whole(1))),
                    row(
                            "\\s*([0-9.]+)%\\s+([0-9.]+[a-z]+)\\s*",
                            (line, draft, into) -> {
                                if (line.number(1) < 100) {
                                    draft.percentile(line.number(1), line.nanos(2));
                                }
                            }),
                    row(
                            "\\s*Latency\\s+(\\S+)\\s+(\\S+)\\s+(\\S+)\\s+\\S+",
                            (line, draft, into) -> draft.mean(line.nanos(1)).max(line.nanos(3))),
                    row("\\s*Socket errors: .*timeout ([0-9]+)", (line, draft, into) -> {
                        if (line.whole(1) > 0 && draft.done().isCorrected()) {
                            into.finding(AuditFinding.note(
                                    Kind.TIMEOUTS,
                                    Numbers.count(line.whole(1), "timeout")
                                            + ": wrk2 counts one every 2 s for each connection that has not sent"
                                            + " meanwhile"));
                        } else {
                            draft.untimedMore(line.whole(1)); // a late response is among the requests
                            into.timedOut(line.whole(1));
                        }
                    }),
                    row(
                            "#\\[Max\\s*=.*Total count\\s*=\\s*([0-9]+)\\]",
                            (line, draft, into) -> draft.timed(line.whole(1))),
                    wholeFile(".*Recorded Latency.*", (line, draft, into) -> draft.corrected()),
                    wholeFile(
                            "\\s*([0-9]+) requests in ([0-9.]+[a-z]+),.*",
                            (line, draft, into) -> draft.count(line.whole(1)).lengthNanos(line.nanos(2))),
                    wholeFile(
                            "\\s*Non-2xx or 3xx responses: ([0-9]+)",
                            (line, draft, into) -> draft.failed(line.whole(1)))),
            "Uncorrected Latency",
            TextSummary::wrk);

    /** The output of ab. */
    static final Format AB = new TextSummary(
            "ab",
            head -> head.contains("This is ApacheBench") || head.contains("Percentage of the requests served within"),
            List.of(
                    row("Server Hostname:\\s+(\\S+)", (line, draft, into) -> draft.host(line.text(1))),
                    row("Server Port:\\s+([0-9]+)", (line, draft, into) -> draft.port(line.whole(1))),
                    row("SSL/TLS Protocol:.*", (line, draft, into) -> draft.tls()),
                    row("Document Path:\\s+(/\\S*)", (line, draft, into) -> into.target(draft.url(line.text(1)))),
                    row("Concurrency Level:\\s+([0-9]+).*", (line, draft, into) -> draft.users(line.whole(1))),
                    row(
                            "Time taken for tests:\\s+([0-9.]+).*",
                            (line, draft, into) -> draft.lengthNanos(line.number(1) * 1e9)),
                    row("Complete requests:\\s+([0-9]+).*", (line, draft, into) -> draft.count(line.whole(1))),
                    row("Failed requests:\\s+([0-9]+).*", (line, draft, into) -> draft.failed(line.whole(1))),
                    row(
                            "Total:\\s+([0-9]+)\\s+([0-9]+)\\s+([0-9.]+)\\s+([0-9]+)\\s+([0-9]+)",
                            (line, draft, into) ->
                                    draft.mean(line.number(2) * MILLI).max(line.number(5) * MILLI)),
                    row("\\s*([0-9]+)%\\s+([0-9]+).*", TextSummary::percentileOrMax)),
            "",
            (draft, into) -> {
                into.durationResolutionNanos((long) MILLI);
                into.summary(draft.done());
            });

    /** The output of hey and oha. What follows "Details" are the parts of a request. */
    static final Format HEY = new TextSummary(
            "hey or oha",
            head -> head.contains("Slowest:") && head.contains("Requests/sec:"),
            List.of(
                    row(heyTime("Total:\\s+"), (line, draft, into) -> draft.lengthNanos(line.nanos(1))),
                    row(heyTime("Slowest:\\s+"), (line, draft, into) -> draft.max(line.nanos(1))),
                    row(heyTime("Average:\\s+"), (line, draft, into) -> draft.mean(line.nanos(1))),
                    row(heyTime("([0-9.]+)%%? (?:in )?"), (line, draft, into) -> {
                        draft.percentile(line.number(1), line.nanos(2));
                        if (line.text(2).endsWith("secs")) {
                            into.durationResolutionNanos(HEY_DIGIT);
                        }
                    }),
                    wholeFile(
                            "\\s*\\[[1-5][0-9]{2}\\]\\s+([0-9]+) responses",
                            (line, draft, into) -> draft.countMore(line.whole(1))),
                    wholeFile(
                            "\\s*\\[([0-9]+)\\]\\s+aborted due to deadline",
                            (line, draft, into) -> into.inFlightAtEnd(line.whole(1))),
                    wholeFile(
                            "\\s*\\[([0-9]+)\\]\\s+\\S.*",
                            (line, draft, into) ->
                                    draft.countMore(line.whole(1)).untimedMore(line.whole(1)))),
            "Details",
            (draft, into) -> {
                Summary summary = draft.closedLoop().done();
                into.unanswered(summary.untimed());
                into.summary(summary);
            });

    /** One kind of line. */
    private record Row(Pattern line, boolean isForWholeFile, Effect effect) {}

    private interface Effect {
        void read(Line line, Summary.Draft draft, ResultCollector into);
    }

    /** The groups of a line that matched. */
    private record Line(Matcher groups) {
        String text(int group) {
            return groups.group(group);
        }

        long whole(int group) {
            return Long.parseLong(text(group));
        }

        double number(int group) {
            return Double.parseDouble(text(group));
        }

        /** A time with its unit. */
        double nanos(int group) {
            Matcher time = TIME.matcher(text(group).strip());
            if (!time.matches()) {
                throw new IllegalArgumentException("'"
                        + text(group).substring(0, Math.min(40, text(group).length())) + "' is not a time with a unit");
            }
            double unit = switch (time.group(2)) {
                case "ns" -> 1;
                case "us", "µs" -> 1e3;
                case "ms" -> 1e6;
                case "m" -> 60e9;
                case "h" -> 3_600e9;
                default -> 1e9;
            };
            return Double.parseDouble(time.group(1)) * unit;
        }
    }

    private static Row row(String line, Effect effect) {
        return new Row(Pattern.compile(line), false, effect);
    }

    private static Row wholeFile(String line, Effect effect) {
        return new Row(Pattern.compile(line), true, effect);
    }

    private static String heyTime(String before) {
        return "\\s*" + before + "([0-9.]+\\s?(?:secs|sec|s|ms|us|m))\\b.*";
    }

    @Override
    public boolean recognises(String text) {
        return head.test(text);
    }

    @Override
    public void read(Source source, ResultCollector into) throws IOException {
        Summary.Draft draft = new Summary.Draft();
        boolean isAppendix = false;
        while (source.line()) {
            String text = source.text();
            isAppendix |= !appendix.isEmpty() && text.contains(appendix);
            for (Row row : rows) {
                Matcher groups = row.line.matcher(text);
                if ((row.isForWholeFile || !isAppendix) && groups.matches()) {
                    row.effect.read(new Line(groups), draft, into);
                    break;
                }
            }
        }
        end.accept(draft, into);
    }

    private static void percentileOrMax(Line line, Summary.Draft draft, ResultCollector into) {
        if (line.number(1) < 100) {
            draft.percentile(line.number(1), line.number(2) * MILLI);
        } else {
            draft.max(line.number(2) * MILLI);
        }
    }

    private static void wrk(Summary.Draft draft, ResultCollector into) {
        Summary summary = draft.done();
        if (!draft.hasAny()) {
            into.finding(AuditFinding.weighty(Kind.NO_PERCENTILES, "wrk prints percentiles with --latency only"));
        }
        into.tool(summary.isCorrected() ? "wrk2" : "wrk");
        if (summary.isCorrected()) {
            into.finding(AuditFinding.note(
                    Kind.CALIBRATION, "wrk2 omits its first seconds and the requests in flight at the end"));
        }
        into.summary(summary);
    }

    /** Locust's --csv: the distribution of all requests, or one line per second. */
    static final class LocustCsv implements Format {
        private static final double MILLI = 1e6;

        @Override
        public String name() {
            return "Locust CSV";
        }

        @Override
        public boolean recognises(String head) {
            String first = head.lines().findFirst().orElse("");
            return first.startsWith("Type,Name,Request Count") || first.startsWith("Timestamp,User Count,Type,Name");
        }

        @Override
        public void read(Source source, ResultCollector into) throws IOException {
            source.line();
            Cells cells = new Cells(',').of(source);
            List<String> names = cells.all();
            boolean isHistory = names.get(0).equals("Timestamp");
            Summary last = null;
            long first = 0;
            while (source.record()) {
                if (source.isBlank() || !cells.of(source).is(names.indexOf("Name"), "Aggregated")) {
                    continue;
                }
                Summary.Draft draft = new Summary.Draft();
                String of = isHistory ? "Total " : "";
                into.durationResolutionNanos((long) MILLI);
                draft.count(cells.whole(names.indexOf(of + "Request Count")))
                        .failed(cells.whole(names.indexOf(of + "Failure Count")))
                        .mean(cells.number(names.indexOf(of + "Average Response Time")) * MILLI)
                        .max(cells.number(names.indexOf(of + "Max Response Time")) * MILLI);
                if (isHistory) {
                    first = first == 0 ? cells.whole(0) : first;
                    draft.lengthNanos((cells.whole(0) - first) * 1e9).users(cells.whole(1));
                    draft.percentile(50, cells.number(names.indexOf("Total Median Response Time")) * MILLI);
                } else {
                    percentiles(cells, names, draft);
                }
                last = draft.done();
            }
            if (last != null) {
                into.summary(last);
            }
            if (isHistory) {
                into.finding(AuditFinding.weighty(
                        Kind.AVERAGED_PERCENTILES,
                        "line 2",
                        "each line has the percentiles of a few seconds, from which none of the whole run follows"));
            }
            into.finding(AuditFinding.note(
                    Kind.ROUNDED, "Locust rounds times to two digits before it counts them: 147 ms is 150 ms"));
        }

        private static void percentiles(Cells cells, List<String> names, Summary.Draft draft) {
            for (int i = 0; i < names.size(); i++) {
                String name = names.get(i);
                if (name.endsWith("%") && !name.equals("100%") && !cells.is(i, "N/A")) {
                    draft.percentile(Double.parseDouble(name.substring(0, name.length() - 1)), cells.number(i) * MILLI);
                }
            }
        }
    }
}
