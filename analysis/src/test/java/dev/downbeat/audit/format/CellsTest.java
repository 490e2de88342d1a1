package dev.downbeat.audit.format;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.downbeat.audit.format.Cells.Names;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class CellsTest {
    private static Cells cells(String line) throws IOException {
        Source source = new Source(new ByteArrayInputStream(line.getBytes(StandardCharsets.UTF_8)));
        assertThat(source.line()).isTrue();
        return new Cells(',').of(source);
    }

    @Test
    void a_quoted_cell_may_contain_separators_and_quotes_and_is_read_without_its_own() throws IOException {
        Cells cells = cells("a,\"b,c\",,\"\",x\"y\",\"d\"\"e\", f ,");
        assertThat(cells.count()).isEqualTo(8);
        assertThat(cells.all()).containsExactly("a", "b,c", "", "", "x\"y\"", "d\"\"e", "f", "");
        assertThat(cells.text(6)).isEqualTo(" f ");
        assertThat(cells.isEmpty(2)).isTrue();
        assertThat(cells.isEmpty(3)).isTrue();
        assertThat(cells.isEmpty(0)).isFalse();
        assertThat(cells("\"").text(0)).isEqualTo("\"");
    }

    @Test
    void a_line_may_have_more_cells_than_most() throws IOException {
        Cells cells = cells(String.join(",", Collections.nCopies(99, "abc")) + ",last");
        assertThat(cells.count()).isEqualTo(100);
        assertThat(cells.text(31)).isEqualTo("abc");
        assertThat(cells.text(32)).isEqualTo("abc");
        assertThat(cells.text(99)).isEqualTo("last");
    }

    @Test
    void a_missing_cell_is_refused_by_its_number() throws IOException {
        Cells cells = cells("a,b");
        assertThatThrownBy(() -> cells.text(2)).hasMessage("cell 3 is missing");
        assertThatThrownBy(() -> cells.isEmpty(-1)).hasMessage("a column that it needs is missing");
    }

    @Test
    void a_cell_is_a_text_or_begins_with_it() throws IOException {
        Cells cells = cells("OK,ab");
        assertThat(cells.is(0, "OK")).isTrue();
        assertThat(cells.is(0, "O")).isFalse();
        assertThat(cells.is(0, "OKs")).isFalse();
        assertThat(cells.is(0, "KO")).isFalse();
        assertThat(cells.startsWith(1, "a")).isTrue();
        assertThat(cells.startsWith(1, "ab")).isTrue();
        assertThat(cells.startsWith(1, "b")).isFalse();
        assertThat(cells.startsWith(1, "abc")).isFalse();
    }

    @Test
    void whole_numbers_have_digits_only() throws IOException {
        Cells cells = cells("0123456789,0,9,,-1,1/,1:,1.5,x1");
        for (int cell = 0; cell < cells.count(); cell++) {
            assertThat(cells.isWhole(cell)).as(cells.text(cell)).isEqualTo(cell < 3);
        }
        assertThat(cells.whole(0)).isEqualTo(123_456_789);
        assertThat(cells.whole(1)).isZero();
        assertThat(cells.whole(4)).isEqualTo(-1);
        Cells largest = cells("9223372036854775807,-42");
        assertThat(largest.whole(0)).isEqualTo(Long.MAX_VALUE);
        assertThat(largest.whole(1)).isEqualTo(-42);
    }

    @ParameterizedTest
    @ValueSource(strings = {"-", "1-", "1/", "1:", "12345678901234567890", "+1", "1.0"})
    void what_is_no_whole_number_is_refused(String text) throws IOException {
        Cells cells = cells(text);
        assertThatThrownBy(() -> cells.whole(0)).hasMessage("'" + text + "' is no whole number");
    }

    @Test
    void numbers_may_be_fractions_between_spaces_and_long_ones_are_cut_in_the_refusal() throws IOException {
        Cells cells = cells(" 1.5 ,-2e3," + "x".repeat(50));
        assertThat(cells.number(0)).isEqualTo(1.5);
        assertThat(cells.number(1)).isEqualTo(-2_000);
        assertThatThrownBy(() -> cells.number(2)).hasMessage("'" + "x".repeat(40) + "' is no number");
        Cells beyond = cells("9223372036854775808");
        assertThatThrownBy(() -> beyond.whole(0)).isInstanceOf(ArithmeticException.class);
    }

    @Test
    void names_keep_their_index_however_many_follow() throws IOException {
        Names names = new Names();
        Cells cells = cells("Ann,Bob,Ann,Ann B");
        assertThat(cells.named(0, names)).isZero();
        assertThat(cells.named(1, names)).isEqualTo(1);
        assertThat(cells.named(2, names)).isZero();
        assertThat(cells.named(3, names)).isEqualTo(2);
        int wrong = 0;
        for (int i = 3; i < 100_000; i++) {
            wrong += names.of("user " + i) == i ? 0 : 1;
        }
        assertThat(wrong).isZero();
        assertThat(names.of("one more")).isEqualTo(Names.UNKNOWN);
        for (int i = 3; i < 100_000; i++) {
            wrong += names.of("user " + i) == i ? 0 : 1;
        }
        assertThat(wrong).isZero();
        assertThat(names.of("Bob")).isEqualTo(1);
    }
}
