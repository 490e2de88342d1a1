package dev.downbeat.report.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class UndecidedPolicyTest {
    @TempDir
    Path folder;

    @ParameterizedTest(name = "{0} lets {1} in a row pass")
    @CsvSource({"fails, 0, false", "fails-after-1, 1, true", "fails-after-30, 30, true"})
    void the_limit_passes_and_no_more(String text, int most, boolean isCounted) {
        UndecidedPolicy policy = UndecidedPolicy.parse(text);
        assertThat(policy.text()).isEqualTo(text);
        assertThat(policy.isCounted()).isEqualTo(isCounted);
        assertThat(policy.passes(most + 1)).isFalse();
        assertThat(policy.passes(most)).isTrue();
        assertThat(UndecidedPolicy.parse("passes").passes(most + 1)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "fail", "FAILS", "fails-after-", "fails-after-0", "fails-after--1", "fails-after-100"})
    void anything_else_is_refused_with_what_is_accepted(String text) {
        assertThatThrownBy(() -> UndecidedPolicy.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("it must be fails, passes or fails-after-3, but was '" + text + "'");
    }

    @Test
    void a_decided_build_resets_the_count() throws IOException {
        Path file = folder.resolve("result.undecided");
        assertThat(UndecidedPolicy.inARow(file, false)).isZero();
        assertThat(file).doesNotExist();
        assertThat(Stream.of(true, true, false, true).map(isUndecided -> UndecidedPolicy.inARow(file, isUndecided)))
                .containsExactly(1, 2, 0, 1);
        assertThat(UndecidedPolicy.inARow(file, false)).isZero();
        assertThat(file).hasContent("0\n");
    }

    @ParameterizedTest
    @ValueSource(strings = {"three", "-50", "2147483646", "2147483647", "2147483648", ""})
    void a_count_that_is_no_count_lets_nothing_pass_until_a_decided_build(String content) throws IOException {
        Path file = folder.resolve("result.undecided");
        Files.writeString(file, content);
        assertThat(UndecidedPolicy.inARow(file, true)).isEqualTo(UndecidedPolicy.COUNT_UNKNOWN);
        assertThat(UndecidedPolicy.inARow(file, true)).isEqualTo(UndecidedPolicy.COUNT_UNKNOWN);
        assertThat(UndecidedPolicy.inARow(file, false)).isZero();
        assertThat(UndecidedPolicy.inARow(file, true)).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, 100, UndecidedPolicy.COUNT_UNKNOWN})
    void a_policy_that_its_parser_would_refuse_is_refused(int most) {
        assertThatThrownBy(() -> new UndecidedPolicy(most)).hasMessageContaining("from 0 to 99, but was " + most);
    }

    @Test
    void a_count_that_cannot_be_kept_lets_nothing_pass_that_is_counted() {
        int inARow = UndecidedPolicy.inARow(folder.resolve("no folder/result.undecided"), true);
        assertThat(UndecidedPolicy.parse("fails-after-99").passes(inARow)).isFalse();
        assertThat(UndecidedPolicy.PASSES.passes(inARow)).isTrue();
        assertThat(UndecidedPolicy.inWords(inARow)).isEqualTo("but their count could not be read or written");
    }
}
