package dev.downbeat.report.render;

import dev.downbeat.report.render.Page.Mark;
import dev.downbeat.report.render.Page.Where;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/** A page on a screen, wrapped except for long words. Colour is never the only carrier of meaning. */
final class TextRenderer {
    private static final int LONGEST_NAME = 32;
    private static final String GAP = "  ";
    private static final String TITLE_GAP = "    ";

    private static final int NARROWEST_LABEL = 13;
    private static final int NARROWEST_WORD = 9;

    private final TerminalColours ink;
    private final Lines lines;
    private int labels = NARROWEST_LABEL;
    private int words = NARROWEST_WORD;

    TextRenderer(TerminalColours ink, Lines lines) {
        this.ink = ink;
        this.lines = lines;
    }

    void write(Page page) throws IOException {
        Page.Head head = page.head();
        labels = Stream.concat(
                        page.answers().stream().map(Page.AnsweredQuestion::label),
                        page.facts().stream().map(Page.Fact::label))
                .mapToInt(String::length)
                .map(length -> Math.min(length, LONGEST_NAME))
                .filter(length -> length >= NARROWEST_LABEL)
                .map(length -> length + GAP.length())
                .reduce(NARROWEST_LABEL, Math::max);
        words = page.answers().stream()
                .mapToInt(answer -> answer.word().length())
                .reduce(NARROWEST_WORD, Math::max);
        if (head.partial().isPresent()) {
            lines.line(ink.doubt(head.partial().get()));
        }
        lines.line(ink.bold(head.headline()));
        String joined = head.title() + TITLE_GAP + String.join("", head.about());
        if (head.about().size() == 1 && joined.length() <= lines.width()) {
            lines.unwrapped(joined);
        } else {
            lines.line(head.title());
            for (String line : head.about()) {
                lines.line(line);
            }
        }
        lines.blank();
        for (Page.AnsweredQuestion answer : page.answers()) {
            answer(answer, page.notes());
        }
        boolean first = page.answers().isEmpty();
        for (Page.Section section : page.sections()) {
            if (section.where().isScreen()) {
                if (!first) {
                    lines.blank();
                }
                section(section);
                first = false;
            }
        }
        if (!page.facts().isEmpty()) {
            lines.blank();
            facts(page.facts());
        }
        notes(page.notes());
    }

    private void answer(Page.AnsweredQuestion answer, List<Page.Note> notes) throws IOException {
        String label = label(answer.isNamed() ? answer.label() : upperCase(answer.label()));
        String word = padded(answer.mark() == Mark.BAD ? upperCase(answer.word()) : answer.word(), words, true);
        if (!answer.isListed()) {
            String see = answer.isTrust() ? doubtNumbers(notes) : "";
            lines.paragraph(label + painted(answer.mark(), word) + GAP, answer.summary() + see);
            return;
        }
        String before = "";
        for (Page.Check check : answer.checks()) {
            String now = check.mark() == Mark.BAD ? upperCase(check.word()) : check.word();
            String shown = padded(now.equals(before) ? "" : now, words, true);
            lines.paragraph(label + painted(check.mark(), shown) + GAP, check.text());
            label = label("");
            before = now;
        }
    }

    /** The label, padded to the widest of the page. */
    private String label(String name) {
        String shown = shortened(name);
        int gap = shown.length() < NARROWEST_LABEL ? 1 : 2;
        return GAP + shown + " ".repeat(Math.max(gap, labels - shown.length()));
    }

    private static String upperCase(String word) {
        return word.toUpperCase(Locale.ROOT);
    }

    /** "; see !1, 3": the numbers of the notes that are doubts. */
    private static String doubtNumbers(List<Page.Note> notes) {
        StringBuilder see = new StringBuilder();
        for (int i = 0; i < notes.size(); i++) {
            if (notes.get(i).isDoubt()) {
                see.append(see.isEmpty() ? "; see !" + Lines.GLUE : ", ").append(i + 1);
            }
        }
        return see.toString();
    }

    private String painted(Mark mark, String text) {
        return switch (mark) {
            case GOOD -> ink.good(text);
            case BAD -> ink.bad(text);
            case OPEN -> ink.doubt(text);
            case NOTE -> text;
        };
    }

    private void section(Page.Section section) throws IOException {
        if (section.where() == Where.CHAPTER) {
            lines.unwrapped(ink.bold(section.title()));
        }
        for (Page.Block block : section.blocks()) {
            if (block instanceof Table table && !table.rows().isEmpty()) {
                table(table);
            }
        }
        String open = ""; // a lead that is not a sentence is joined with the first remark, since screens have few lines
        for (String lead : section.leads()) {
            if (lead.endsWith(".") || section.remarks().isEmpty()) {
                lines.paragraph(GAP, lead);
            } else {
                open += lead + "; ";
            }
        }
        for (String remark : section.remarks()) {
            lines.paragraph(GAP, open + ink.faint(remark));
            open = "";
        }
    }

    /** Keeps columns aligned. Only a last column of words is wrapped; columns without room follow in a second table. */
    private void table(Table table) throws IOException {
        List<Integer> shown = table.shown(Where::isScreen);
        int[] cells = new int[table.columns().size()];
        for (int i : shown) {
            for (List<Table.Cell> row : table.rows()) {
                cells[i] = Math.max(cells[i], text(row, i).length());
            }
        }
        int[] widths = underHeads(table, shown, cells);
        int names = namingColumns(table, shown, widths);
        List<List<Integer>> parts = columnsPerPart(table, shown, names, widths);
        for (List<Integer> beside : parts) {
            boolean isFirst = beside.equals(parts.get(0));
            rows(table, beside, widths, isFirst ? 0 : names);
        }
    }

    /** A column of remarks may extend under the heads of the following columns without heads. */
    private int[] underHeads(Table table, List<Integer> shown, int[] cells) {
        int[] over = cells.clone();
        int[] alone = cells.clone();
        for (int at = 0; at < shown.size(); at++) {
            int i = shown.get(at);
            int head = table.columns().get(i).head().length();
            alone[i] = Math.max(cells[i], head);
            for (int next = at + 1;
                    next < shown.size() && isWords(table, i) && isWordsWithoutHead(table, shown.get(next));
                    next++) {
                head -= GAP.length() + cells[shown.get(next)];
            }
            over[i] = Math.max(cells[i], head);
        }
        boolean isOneLine = width(shown, over) <= lines.columns()
                || lines.hasRoomAfter(width(shown.subList(0, shown.size() - 1), over) + GAP.length());
        return isOneLine ? over : alone;
    }

    private static boolean isWords(Table table, int column) {
        return table.columns().get(column).isWords();
    }

    /** Whether it is a column of words without a head. */
    private static boolean isWordsWithoutHead(Table table, int column) {
        return isWords(table, column) && table.columns().get(column).head().isEmpty();
    }

    /** The number of columns that name a row: those of words before the first number, if enough room remains. */
    private int namingColumns(Table table, List<Integer> shown, int[] widths) {
        int names = 0;
        while (names < shown.size() - 1
                && isLeft(table, shown.get(names))
                && (names == 0 || width(shown.subList(0, names + 1), widths) <= lines.columns() / 2)) {
            names++;
        }
        return names;
    }

    private List<List<Integer>> columnsPerPart(Table table, List<Integer> shown, int names, int[] widths) {
        List<List<Integer>> parts = new ArrayList<>(); // each part starts with the columns that name a row
        List<Integer> part = new ArrayList<>(shown.subList(0, names));
        int length = width(part, widths);
        for (int i : shown.subList(names, shown.size())) {
            length += GAP.length();
            boolean isWrapped = i == shown.get(shown.size() - 1) && isLeft(table, i) && lines.hasRoomAfter(length);
            if (!isWrapped && part.size() > names && length + widths[i] > lines.columns()) {
                parts.add(part);
                part = new ArrayList<>(shown.subList(0, names));
                length = width(part, widths) + GAP.length();
            }
            part.add(i);
            length += widths[i];
        }
        parts.add(part);
        return parts;
    }

    private static int width(List<Integer> columns, int[] widths) {
        return columns.stream().mapToInt(i -> GAP.length() + widths[i]).sum();
    }

    /** Omits rows that are empty after the naming columns; none if 0. */
    private void rows(Table table, List<Integer> shown, int[] widths, int names) throws IOException {
        StringBuilder heads = new StringBuilder();
        int end = 0;
        for (int i : shown) {
            end += GAP.length() + widths[i];
            if (!isWordsWithoutHead(table, i)) {
                String head = padded(table.columns().get(i).head(), widths[i], isLeft(table, i));
                heads.append(" ".repeat(Math.max(0, end - widths[i] - heads.length())))
                        .append(head);
            }
        }
        if (!heads.toString().isBlank()) {
            lines.unwrapped(ink.faint(heads.toString().stripTrailing()));
        }
        for (List<Table.Cell> row : table.rows()) {
            if (names > 0
                    && shown.stream().skip(names).allMatch(i -> text(row, i).isEmpty())) {
                continue;
            }
            StringBuilder line = new StringBuilder();
            for (int i : shown) {
                Table.Cell cell = row.get(i);
                boolean endsLine = i == shown.get(shown.size() - 1) && isLeft(table, i);
                String text = endsLine ? text(row, i) : padded(text(row, i), widths[i], isLeft(table, i));
                String painted = cell.mark().map(mark -> painted(mark, text)).orElse(text);
                line.append(GAP);
                int behind = TerminalColours.visibleLength(line.toString());
                if (endsLine && (lines.hasRoomAfter(behind) || behind + text.length() > lines.columns())) {
                    lines.paragraph(line.toString(), painted);
                    line.setLength(0);
                } else {
                    line.append(painted);
                }
            }
            if (!line.isEmpty()) {
                lines.unwrapped(line.toString());
            }
        }
    }

    /** A name is shortened in its middle, since a long one would push the numbers off the screen. */
    private static String text(List<Table.Cell> row, int column) {
        String text = row.get(column).text();
        return column > 0 ? text : shortened(text);
    }

    private static String shortened(String name) {
        return name.length() <= LONGEST_NAME
                ? name
                : name.substring(0, betweenSigns(name, LONGEST_NAME / 2)) + "…"
                        + name.substring(betweenSigns(name, name.length() - LONGEST_NAME / 2 + 1));
    }

    /** The place itself, or the next one if it is within a sign of two characters. */
    private static int betweenSigns(String name, int at) {
        return Character.isLowSurrogate(name.charAt(at)) && Character.isHighSurrogate(name.charAt(at - 1))
                ? at + 1
                : at;
    }

    private static boolean isLeft(Table table, int column) {
        return column == 0 || table.columns().get(column).isWords();
    }

    private static String padded(String text, int width, boolean left) {
        String space = " ".repeat(Math.max(0, width - text.length()));
        return left ? text + space : space + text;
    }

    private void facts(List<Page.Fact> facts) throws IOException {
        for (Page.Fact fact : facts) {
            lines.paragraph(label(fact.label()), fact.text());
        }
    }

    private void notes(List<Page.Note> notes) throws IOException {
        if (!notes.isEmpty()) {
            lines.blank();
        }
        int number = 1;
        for (Page.Note note : notes) {
            String mark = "  ! " + number++ + ": ";
            lines.paragraph(note.isDoubt() ? ink.bad(mark) : mark, note.text());
        }
    }
}
