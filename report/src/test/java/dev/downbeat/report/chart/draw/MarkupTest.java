package dev.downbeat.report.chart.draw;

import static org.assertj.core.api.Assertions.assertThat;

import dev.downbeat.report.PageReader;
import java.util.SplittableRandom;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class MarkupTest {
    static java.util.stream.LongStream seeds() {
        return java.util.stream.LongStream.range(0, 50);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void any_text_comes_back_from_a_parser(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < 200; i++) {
            text.append((char) random.nextInt(random.nextBoolean() ? 0x80 : 0x10000));
        }
        Markup markup = new Markup();
        markup.open("a").with("b", text.toString()).text(text.toString()).close();
        var element = PageReader.of(markup.toString()).document().getDocumentElement();
        long letters = text.chars().filter(c -> c >= 'A' && c <= 'z').count();
        assertThat(element.getTextContent()
                        .chars()
                        .filter(c -> c >= 'A' && c <= 'z')
                        .count())
                .isEqualTo(letters);
        assertThat(element.getAttribute("b")).hasSameSizeAs(element.getTextContent());
    }

    @Test
    void markup_is_escaped() {
        assertThat(new Markup()
                        .open("td")
                        .with("x", "\"><")
                        .text("<b>&\"\n\u0000")
                        .close()
                        .toString())
                .isEqualTo("<td x=\"&quot;&gt;&lt;\">&lt;b&gt;&amp;&quot; \ufffd</td>");
    }

    @Test
    void a_path_is_written_in_few_letters() {
        assertThat(new Path()
                        .to(0, 10)
                        .to(5, 10)
                        .to(9, 10)
                        .to(9, 3.25)
                        .gap()
                        .to(1, 1)
                        .to(2, 2))
                .hasToString("M0 10h9v-6.7M1 1l1 1");
    }
}
