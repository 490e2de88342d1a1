package dev.downbeat.report.render;

import static org.assertj.core.api.Assertions.assertThat;

import dev.downbeat.report.PageReader;
import dev.downbeat.report.Samples;
import dev.downbeat.report.data.RunReport;
import dev.downbeat.report.view.RunView;
import java.io.IOException;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.w3c.dom.Element;
import org.xml.sax.InputSource;

/** A command that a page shows can be pasted: a shell reads the words that were asked for. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class ShellWordsTest {
    private static final List<String> WORDS = List.of(
            "downbeat",
            "run",
            "http://h/?a=1&page=2",
            "--slo=p99<50ms",
            "--name=two words",
            "it's",
            "\"quoted\"",
            "$HOME `date` | x",
            "two\nlines",
            "--name=bell\u0007 100% \\n\ttab\u0085",
            "-dash\n-n",
            "");

    private final RunReport report = report(WORDS);

    private static RunReport report(List<String> command) {
        RunReport sample = Samples.of("stall");
        return new RunReport(
                sample.result(),
                sample.verdict(),
                command,
                sample.seed(),
                sample.version(),
                sample.machine(),
                sample.details());
    }

    private static List<String> read(String line) throws IOException {
        Process shell = new ProcessBuilder("sh").redirectErrorStream(true).start();
        try (var in = shell.getOutputStream()) {
            in.write(("printf '%s\\0' " + line).getBytes(StandardCharsets.UTF_8));
        }
        String said = new String(shell.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return List.of(said.split("\0", -1))
                .subList(0, (int) said.chars().filter(c -> c == 0).count());
    }

    @Test
    void a_shell_reads_the_words_again() throws IOException {
        assertThat(read(ShellWords.line(WORDS))).isEqualTo(WORDS);
        List<String> ends = List.of("ends\n\n", "\n", "--name=\u0007\n"); // which no line of a shell can say
        assertThat(read(ShellWords.line(ends))).isEqualTo(ends);
    }

    @ParameterizedTest
    @ValueSource(strings = {"p99<50ms", "two words", "it's", "$HOME", "two\nlines", "a\u0007b", "\\", "\u0085"})
    void a_word_is_one_line(String word) throws IOException {
        assertThat(ShellWords.line(List.of(word))).hasLineCount(1);
        assertThat(read(ShellWords.line(List.of(word)))).containsExactly(word);
    }

    @Test
    void the_command_of_a_page_can_be_pasted() throws IOException {
        Element method = PageReader.of(report).section("method");
        String shown = PageReader.in(method, "code").get(0).getTextContent();
        assertThat(read(shown)).isEqualTo(WORDS);
    }

    @Test
    void the_command_in_the_xml_of_a_build_can_be_pasted() throws Exception {
        var properties = DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(new InputSource(new StringReader(Samples.text(RunView.on(Renderer.JUNIT), report))))
                .getElementsByTagName("property");
        assertThat(((Element) properties.item(1)).getAttribute("name")).isEqualTo("command");
        assertThat(read(((Element) properties.item(1)).getAttribute("value"))).isEqualTo(WORDS);
    }

    @Test
    void the_command_in_a_comment_of_a_review_can_be_pasted() throws IOException {
        List<String> oneLine = List.of("downbeat", "run", "--slo=p99<50ms", "a|b `c` ``d``", "two\nlines");
        String line = Samples.text(RunView.on(Renderer.MARKDOWN), report(oneLine))
                .lines()
                .filter(row -> row.startsWith("| command |"))
                .findFirst()
                .orElseThrow();
        String code = line.substring("| command | ``` ".length(), line.length() - " ``` |".length());
        assertThat(read(code.replace("\\|", "|"))).isEqualTo(oneLine);
    }
}
