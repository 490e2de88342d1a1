package dev.downbeat.report.render;

import static org.assertj.core.api.Assertions.assertThat;

import dev.downbeat.report.render.Page.Where;
import dev.downbeat.report.render.Table.Column;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class TextRendererTest {
    private static final int NARROW = 48;

    @Test
    void no_words_of_a_table_are_lost_on_a_narrow_terminal() throws IOException {
        Table table = Table.with(Column.of(""), Column.of("response"), Column.words("objective"), Column.words(""))
                .row("p50", "3".repeat(30), "", "up to 1.20 ms of it ours")
                .row("p99", "9".repeat(30), "< 10 ms MISSED", "")
                .row("max", "8".repeat(30), "", "");
        assertThat(screen(table).lines())
                .containsSubsequence(
                        "  p50  " + "3".repeat(30),
                        "  p99  " + "9".repeat(30),
                        "  max  " + "8".repeat(30),
                        "  p50                  up to 1.20 ms of it ours",
                        "  p99  < 10 ms MISSED")
                .noneMatch(line -> line.equals("  max"));
    }

    @Test
    void names_keep_their_case_and_labels_of_Downbeat_do_not_whatever_they_look_like() throws IOException {
        Page page = page(
                List.of(
                        Page.AnsweredQuestion.of("result", Page.Mark.GOOD, "sound", "a"),
                        Page.AnsweredQuestion.named("results", Page.Mark.GOOD, "sound", "b")),
                List.of());
        StringBuilder screen = new StringBuilder();
        new TextRenderer(TerminalColours.NONE, new Lines(screen, NARROW)).write(page);
        assertThat(screen).contains("RESULT ").contains("results ").doesNotContain("RESULTS");
    }

    @Test
    void names_are_no_markdown() throws IOException {
        String name = "a|b *c* [d](http://e) <f> &lt; ~~g~~";
        Page page = page(
                List.of(Page.AnsweredQuestion.named(name, Page.Mark.GOOD, "sound", name)),
                List.of(new Page.Fact(name, name)));
        StringBuilder text = new StringBuilder();
        new MarkdownRenderer(text).write(page);
        String escaped = "a\\|b \\*c\\* \\[d\\](http://e) \\<f> \\&lt; \\~\\~g\\~\\~";
        assertThat(text)
                .contains("* " + escaped + ": **sound**, " + escaped + "\n")
                .contains("| " + escaped + " | " + escaped + " |\n")
                .contains("\n`x || y`\n")
                .contains("| command | `downbeat 'x \\|\\| y'` |");
    }

    /** A comment of GitHub mentions people and links issues, and a line's first signs make lists. */
    @Test
    void names_are_nothing_to_GitHub() throws IOException {
        Map<String, String> escaped = Map.of(
                "@org/team me@home.org", "@&#8203;org/team me@home.org",
                "fixes #12 of #x", "fixes #&#8203;12 of #x",
                "$x$", "\\$x\\$",
                "- a", "\\- a",
                "> a", "\\> a",
                "-5 ms", "-5 ms",
                "12. a", "12\\. a",
                "12.5 a", "12.5 a");
        for (Map.Entry<String, String> one : escaped.entrySet()) {
            StringBuilder text = new StringBuilder();
            new MarkdownRenderer(text).write(page(List.of(), List.of(new Page.Fact(one.getKey(), ""))));
            assertThat(text).contains("| " + one.getValue() + " | ");
        }
    }

    /** Half of a sign is no sign: the screen had a question mark. */
    @Test
    void a_shortened_name_keeps_whole_signs() throws IOException {
        String sign = Character.toString(0x1F600);
        for (int before = 14; before <= 16; before++) {
            String name = "a".repeat(before) + sign + "b".repeat(40) + sign + "c".repeat(before - 1);
            String screen = screen(Table.with(Column.of(""), Column.of("p50")).row(name, "1 ms"));
            assertThat(screen)
                    .contains("…")
                    .matches(text -> !text.replace(sign, "").codePoints().anyMatch(c -> c >= 0xD800 && c <= 0xDFFF));
        }
    }

    private static Page.AnsweredQuestion measurement(Page.Mark mark) {
        return new Page.AnsweredQuestion(
                "measurement", mark, "its word", "", "", Page.AnsweredQuestion.AnswerTopic.MEASUREMENT, List.of());
    }

    @Test
    void a_page_has_the_result_before_the_measurement_unless_that_failed() {
        Page.AnsweredQuestion result = Page.AnsweredQuestion.of("service", Page.Mark.GOOD, "one word", "");
        String sound = verdict(List.of(measurement(Page.Mark.GOOD), result));
        assertThat(sound.indexOf("its word")).isGreaterThan(sound.indexOf("one word"));
        String failed = verdict(List.of(measurement(Page.Mark.BAD), result));
        assertThat(failed.indexOf("ITS WORD")).isBetween(0, failed.indexOf("one word"));
    }

    private static String verdict(List<Page.AnsweredQuestion> answers) {
        String page = new HtmlRenderer().text(page(answers, List.of()));
        return page.substring(page.indexOf("id=\"verdict\""));
    }

    private static Page page(List<Page.AnsweredQuestion> answers, List<Page.Fact> facts) {
        return new Page(
                new Page.Head("report", "x || y", "It was slow.", Optional.empty(), List.of()),
                answers,
                List.of(),
                List.of(),
                facts,
                Page.Origin.of(List.of("downbeat", "x || y"), "1", List.of()));
    }

    private static String screen(Table table) throws IOException {
        Page page = new Page(
                new Page.Head("report", "a service", "It was slow.", Optional.empty(), List.of()),
                List.of(),
                List.of(),
                List.of(Page.Section.of("percentiles", "Percentiles", Where.EVERYWHERE, table)),
                List.of(),
                Page.Origin.of(List.of("downbeat"), "1", List.of()));
        StringBuilder screen = new StringBuilder();
        new TextRenderer(TerminalColours.NONE, new Lines(screen, NARROW)).write(page);
        return screen.toString();
    }
}
