package dev.downbeat.report.render;

import dev.downbeat.report.render.Page.Mark;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * A page as JUnit XML: one case per answer, or per objective. Missed objectives are failures. Undecided ones and
 * unsound measurements are errors, since the service's result is unknown, or skipped if the exit code does not depend on
 * them. A measurement that was cut short is always an error.
 *
 * @param passes whether the exit code is 0
 * @param isOpenAnError whether an undecided gate fails the build, which otherwise is a note
 */
record JUnitRenderer(Appendable out, boolean passes, boolean isOpenAnError) {
    private static final String NO_TIME = "0.000";

    private record Case(String name, Optional<Problem> problem) {
        boolean is(Tag tag) {
            return problem.filter(one -> one.tag() == tag).isPresent();
        }
    }

    private record Problem(Tag tag, String type, String message, String text) {}

    private enum Tag {
        FAILURE,
        ERROR,
        SKIPPED
    }

    void write(Page page) throws IOException {
        List<Case> cases = cases(page);
        String seconds = BigDecimal.valueOf(page.origin().durationNanos(), 9)
                .setScale(3, RoundingMode.HALF_UP)
                .toPlainString();
        out.append("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n  <testsuite name=");
        out.append(quoted("downbeat " + page.head().title()));
        out.append(" tests=").append(quoted(Integer.toString(cases.size())));
        out.append(" failures=").append(count(cases, Tag.FAILURE));
        out.append(" errors=").append(count(cases, Tag.ERROR));
        out.append(" skipped=").append(count(cases, Tag.SKIPPED));
        out.append(" time=").append(quoted(seconds));
        if (page.origin().started().isPresent()) {
            // the schema requires a time without a zone; it is UTC
            String started = page.origin()
                    .started()
                    .get()
                    .truncatedTo(ChronoUnit.SECONDS)
                    .toString();
            out.append(" timestamp=").append(quoted(started.substring(0, started.length() - 1)));
        }
        out.append(">\n");
        properties(page);
        String time = seconds;
        for (Case one : cases) {
            write(one, "downbeat." + page.head().title().replaceAll("[^A-Za-z0-9-]+", "_"), time);
            time = NO_TIME; // build servers add up the times of cases, but all cases share one run
        }
        StringBuilder screen = new StringBuilder();
        new TextRenderer(TerminalColours.NONE, new Lines(screen, Lines.WIDTH)).write(page);
        out.append("    <system-out>").append(escaped(screen.toString())).append("</system-out>\n");
        out.append("  </testsuite>\n</testsuites>\n");
    }

    private static String count(List<Case> cases, Tag tag) {
        return quoted(Long.toString(cases.stream().filter(one -> one.is(tag)).count()));
    }

    private List<Case> cases(Page page) {
        List<Case> cases = new ArrayList<>();
        for (Page.AnsweredQuestion answer : page.answers()) {
            List<Page.Check> named = answer.checks().stream()
                    .filter(check -> !check.name().isEmpty())
                    .toList();
            if (answer.isTrust()) {
                Optional<Problem> early = page.head()
                        .partial()
                        .filter(partial -> page.head().isCutShort())
                        .map(partial -> new Problem(Tag.ERROR, "partial", partial, ""));
                cases.add(new Case("the measurement is sound", early.or(() -> unsound(answer, page.notes()))));
            } else if (named.isEmpty() && answer.mark() != Mark.NOTE) {
                cases.add(new Case(answer.label(), problem(answer.mark(), answer.word(), answer.summary())));
            }
            for (Page.Check check : named) {
                cases.add(new Case(check.name(), problem(check.mark(), check.word(), check.text())));
            }
        }
        if (cases.isEmpty()) {
            page.answers().forEach(answer -> cases.add(new Case(answer.label(), Optional.empty())));
        }
        if (cases.isEmpty()) { // build servers treat an empty suite as an error
            cases.add(new Case(page.head().title(), Optional.empty()));
        }
        return cases;
    }

    private Optional<Problem> unsound(Page.AnsweredQuestion answer, List<Page.Note> notes) {
        List<Page.Note> doubts = notes.stream().filter(Page.Note::isDoubt).toList();
        if (answer.mark() != Mark.BAD && answer.mark() != Mark.OPEN) {
            return Optional.empty();
        }
        return Optional.of(new Problem(
                passes ? Tag.SKIPPED : Tag.ERROR,
                "unsound",
                doubts.isEmpty()
                        ? answer.summary()
                        : doubts.stream().map(Page.Note::text).collect(Collectors.joining("; ")),
                doubts.stream().map(Page.Note::code).collect(Collectors.joining(", "))));
    }

    private Optional<Problem> problem(Mark mark, String type, String message) {
        return switch (mark) {
            case GOOD -> Optional.empty();
            case BAD -> Optional.of(new Problem(passes ? Tag.SKIPPED : Tag.FAILURE, type, message, ""));
            case OPEN -> Optional.of(new Problem(passes ? Tag.SKIPPED : Tag.ERROR, type, message, ""));
            // a note without a word is a finding, not something undecided
            case NOTE ->
                type.isEmpty()
                        ? Optional.empty()
                        : Optional.of(new Problem(isOpenAnError ? Tag.ERROR : Tag.SKIPPED, type, message, ""));
        };
    }

    private void properties(Page page) throws IOException {
        out.append("    <properties>\n");
        property("downbeat", page.origin().version());
        property("command", ShellWords.line(page.origin().command()));
        property("headline", page.head().headline());
        property("workload", String.join("; ", page.head().about()));
        for (Page.Fact fact : page.facts()) {
            if (!fact.name().isEmpty()) {
                property(fact.name(), fact.text());
            }
        }
        Optional<Table> first = page.sections().stream()
                .filter(section -> section.where().isWords())
                .flatMap(section -> section.blocks().stream())
                .filter(Table.class::isInstance)
                .map(Table.class::cast)
                .findFirst();
        if (first.isPresent()) {
            List<Table.Column> columns = first.get().columns();
            for (List<Table.Cell> row : first.get().rows()) {
                for (int i = 1; i < row.size(); i++) {
                    if (!columns.get(i).isWords() && !row.get(i).text().isEmpty()) {
                        property(
                                columns.get(i).head() + " " + row.get(0).text(),
                                row.get(i).text());
                    }
                }
            }
        }
        out.append("    </properties>\n");
    }

    private void property(String name, String value) throws IOException {
        out.append("      <property name=").append(quoted(name)).append(" value=");
        out.append(quoted(value)).append("/>\n");
    }

    private void write(Case one, String classname, String seconds) throws IOException {
        out.append("    <testcase name=")
                .append(quoted(one.name()))
                .append(" classname=")
                .append(quoted(classname));
        out.append(" time=").append(quoted(seconds));
        if (one.problem().isEmpty()) {
            out.append("/>\n");
            return;
        }
        Problem problem = one.problem().get();
        String tag = problem.tag().name().toLowerCase(Locale.ROOT);
        out.append(">\n      <").append(tag);
        if (problem.tag() == Tag.SKIPPED) { // the schema allows no type
            out.append(" message=").append(quoted(problem.type() + ": " + problem.message()));
        } else {
            out.append(" type=")
                    .append(quoted(problem.type()))
                    .append(" message=")
                    .append(quoted(problem.message()));
        }
        out.append(problem.text().isEmpty() ? "/>" : ">" + escaped(problem.text()) + "</" + tag + ">");
        out.append("\n    </testcase>\n");
    }

    private static String quoted(String text) {
        return '"' + escaped(text).replace("\n", "&#10;") + '"';
    }

    /** Characters that XML 1.0 forbids become question marks. */
    private static String escaped(String text) {
        StringBuilder escaped = new StringBuilder();
        text.replace(Lines.GLUE, " ").codePoints().forEach(c -> {
            switch (c) {
                case '&' -> escaped.append("&amp;");
                case '<' -> escaped.append("&lt;");
                case '>' -> escaped.append("&gt;");
                case '"' -> escaped.append("&quot;");
                default -> escaped.appendCodePoint(isAllowed(c) ? c : '?');
            }
        });
        return escaped.toString();
    }

    private static boolean isAllowed(int c) {
        return c == '\n' || c == '\t' || (c >= ' ' && c < 0xD800) || (c > 0xDFFF && c < 0xFFFE) || c > 0xFFFF;
    }
}
