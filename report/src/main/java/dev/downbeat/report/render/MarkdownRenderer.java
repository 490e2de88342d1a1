package dev.downbeat.report.render;

import dev.downbeat.report.render.Page.Mark;
import dev.downbeat.report.render.Page.Where;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** A page as Markdown, with the numbers and words of the screen. */
record MarkdownRenderer(Appendable out) {
    void write(Page page) throws IOException {
        Page.Head head = page.head();
        out.append("## ").append(escaped(head.headline())).append("\n\n");
        if (head.partial().isPresent()) {
            out.append("**").append(escaped(head.partial().get())).append("**\n\n");
        }
        out.append(code(head.title())).append("\n\n");
        for (String line : head.about()) {
            out.append(escaped(line)).append("\n\n");
        }
        for (Page.AnsweredQuestion answer : page.answers()) {
            answer(answer);
        }
        for (Page.Section section : page.sections()) {
            if (section.where().isWords()) {
                section(section);
            }
        }
        List<Page.Fact> facts = new ArrayList<>(page.facts());
        Page.Origin origin = page.origin();
        facts.add(new Page.Fact(
                "environment",
                "Downbeat " + origin.version() + (origin.client().isEmpty() ? "" : ", " + origin.client())));
        out.append('\n');
        facts(facts);
        if (!origin.command().isEmpty()) {
            row(List.of("command", code(ShellWords.line(origin.command())).replace("|", "\\|")));
        }
        notes(page.notes());
    }

    private void answer(Page.AnsweredQuestion answer) throws IOException {
        String word = answer.mark() == Mark.BAD ? answer.word().toUpperCase(Locale.ROOT) : answer.word();
        out.append("* ")
                .append(escaped(answer.label()))
                .append(": **")
                .append(escaped(word))
                .append("**");
        out.append(answer.isListed() ? "" : ", " + escaped(answer.summary())).append('\n');
        if (answer.isListed()) {
            for (Page.Check check : answer.checks()) {
                if (check.text().isEmpty()) {
                    continue; // its word is the answer's
                }
                out.append("  * ")
                        .append(check.word())
                        .append(": ")
                        .append(escaped(check.text()))
                        .append('\n');
            }
        }
    }

    private void section(Page.Section section) throws IOException {
        if (section.where() == Where.CHAPTER) {
            out.append("\n### ").append(escaped(section.title())).append('\n');
        }
        for (Page.Block block : section.blocks()) {
            if (block instanceof Table table && !table.rows().isEmpty()) {
                out.append('\n');
                table(table);
            }
        }
        for (String text : section.leads()) {
            out.append('\n').append(escaped(text)).append('\n');
        }
        for (String text : section.remarks()) {
            out.append('\n').append(escaped(text)).append('\n');
        }
    }

    private void table(Table table) throws IOException {
        List<Integer> shown = table.shown(Where::isWords);
        row(shown.stream().map(i -> escaped(table.columns().get(i).head())).toList());
        row(shown.stream()
                .map(i -> i == 0 || table.columns().get(i).isWords() ? "---" : "---:")
                .toList());
        for (List<Table.Cell> row : table.rows()) {
            row(shown.stream().map(i -> cell(row.get(i))).toList());
        }
    }

    private static String cell(Table.Cell cell) {
        boolean bad = cell.mark().filter(mark -> mark == Mark.BAD).isPresent();
        return bad ? "**" + escaped(cell.text()) + "**" : escaped(cell.text());
    }

    private void facts(List<Page.Fact> facts) throws IOException {
        out.append("| | |\n|---|---|\n");
        for (Page.Fact fact : facts) {
            row(List.of(escaped(fact.label()), escaped(fact.text())));
        }
    }

    private void notes(List<Page.Note> notes) throws IOException {
        int number = 1;
        for (Page.Note note : notes) {
            out.append(number == 1 ? "\n" : "")
                    .append(Integer.toString(number++))
                    .append(". ");
            out.append(note.isDoubt() ? "**doubt:** " : "")
                    .append(escaped(note.text()))
                    .append('\n');
        }
    }

    private void row(List<String> cells) throws IOException {
        out.append("| ").append(String.join(" | ", cells)).append(" |\n");
    }

    /** Nothing of it is a list or a formula, and a zero-width space keeps GitHub from linking people and issues. */
    private static String escaped(String text) {
        return text.replace(Lines.GLUE, " ")
                .replaceAll("\\R", " ")
                .replaceAll("([\\\\`*_<|~&$\\[\\]])", "\\\\$1")
                .replaceAll("^([-+] |>)", "\\\\$1")
                .replaceAll("^(\\d+)([.)] )", "$1\\\\$2")
                .replaceAll("(?<!\\w)@(?=\\w)|#(?=\\d)", "$0&#8203;");
    }

    /** A code span with enough backticks. In a table its bars must be escaped. */
    private static String code(String text) {
        String line = text.replaceAll("\\R", " ");
        String fence = "`";
        while (line.contains(fence)) {
            fence += "`";
        }
        String space = fence.length() > 1 ? " " : "";
        return fence + space + line + space + fence;
    }
}
