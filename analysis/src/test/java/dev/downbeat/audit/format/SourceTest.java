package dev.downbeat.audit.format;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

/** Files that are longer than the buffer, whose lines end in any way. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class SourceTest {
    private static final int BUFFER = 1 << 20;

    private static Source source(byte[] bytes) throws IOException {
        return new Source(new ByteArrayInputStream(bytes));
    }

    private static Source source(String text) throws IOException {
        return source(text.getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void each_line_of_a_file_longer_than_the_buffer_is_read_once() throws IOException {
        StringBuilder text = new StringBuilder();
        List<String> lines = new ArrayList<>();
        for (int i = 0; text.length() < 3 * BUFFER; i++) {
            String line = "line " + i + "x".repeat(i * 7_919 % 3_000);
            lines.add(line);
            text.append(line).append(i % 2 == 0 ? "\n" : "\r\n");
        }
        Source source = source(text.toString());
        assertThat(source.head()).isEqualTo(text.substring(0, Source.HEAD));
        for (int i = 0; i < lines.size(); i++) {
            assertThat(source.line()).isTrue();
            assertThat(source.number()).isEqualTo(i + 1);
            if (!source.text().equals(lines.get(i))) {
                assertThat(source.text()).isEqualTo(lines.get(i));
            }
        }
        assertThat(source.line()).isFalse();
        assertThat(source.isCutOff()).isFalse();
    }

    @Test
    void a_line_may_be_longer_than_the_buffer_and_none_is_endless() throws IOException {
        String wide = "a" + "b".repeat(2 * BUFFER) + "c";
        Source source = source("first\n" + wide + "\nlast");
        assertThat(source.line()).isTrue();
        assertThat(source.line()).isTrue();
        assertThat(source.text().equals(wide)).isTrue();
        assertThat(source.line()).isTrue();
        assertThat(source.text()).isEqualTo("last");
        assertThat(source.line()).isFalse();
        byte[] endless = new byte[17 * BUFFER];
        Arrays.fill(endless, (byte) 'x');
        Source refused = source(endless);
        assertThatThrownBy(refused::line).hasMessage("longer than 16777216 bytes");
    }

    @Test
    void a_last_line_without_an_end_is_cut_off_but_read() throws IOException {
        Source source = source("one\n\n \t\ntwo\r");
        assertThat(source.line()).isTrue();
        assertThat(source.isBlank()).isFalse();
        assertThat(source.line()).isTrue();
        assertThat(source.isBlank()).isTrue();
        assertThat(source.line()).isTrue();
        assertThat(source.isBlank()).isTrue();
        assertThat(source.isCutOff()).isFalse();
        assertThat(source.line()).isTrue();
        assertThat(source.text()).isEqualTo("two");
        assertThat(source.isCutOff()).isTrue();
        assertThat(source.line()).isFalse();
        assertThat(source("").line()).isFalse();
    }

    @Test
    void a_record_goes_on_until_its_quotes_are_closed() throws IOException {
        Source source = source("a,\"b\nc\"\"\n\",d\ne\n");
        assertThat(source.record()).isTrue();
        assertThat(source.text()).isEqualTo("a,\"b\nc\"\"\n\",d");
        assertThat(source.number()).isEqualTo(3);
        assertThat(source.record()).isTrue();
        assertThat(source.text()).isEqualTo("e");
        assertThat(source.number()).isEqualTo(4);
        assertThat(source.record()).isFalse();
        assertThatThrownBy(() -> source("\"a\nb\n").record()).hasMessage("a quote is not closed");
        String late = '"' + "a\n".repeat(BUFFER) + "\"\n";
        assertThatThrownBy(() -> source(late).record()).as("within a megabyte").hasMessage("a quote is not closed");
        assertThat(source('"' + "a\n".repeat(BUFFER / 4) + "\"\n").record()).isTrue();
    }

    @Test
    void a_file_that_is_no_text_is_read_by_its_bytes() throws IOException {
        byte[] bytes = new byte[2 * BUFFER + BUFFER / 2];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = (byte) (i * 31 + i / 256);
        }
        Source source = source(bytes);
        assertThat(source.head()).isNotEmpty();
        try (InputStream stream = source.stream()) {
            assertThat(Arrays.equals(stream.readAllBytes(), bytes)).isTrue();
            assertThat(stream.read()).isEqualTo(-1);
        }
        byte[] part = new byte[5];
        assertThat(source("abc").stream().read(part, 1, 4)).isEqualTo(3);
        assertThat(part).containsExactly(0, 'a', 'b', 'c', 0);
    }
}
