package dev.downbeat.exchange;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a service or a file says is shown as one plain line that cannot move the cursor or turn the text round. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class SafeTextTest {
    @ParameterizedTest
    @ValueSource(
            ints = {0, '\n', 0x1b, 0x7f, 0x9b, 0x61c, 0x200e, 0x200f, 0x2028, 0x2029, 0x202a, 0x202e, 0x2066, 0x2069})
    void a_character_that_controls_a_terminal_is_a_space(int character) {
        assertThat(SafeText.line("a" + (char) character + "b")).isEqualTo("a b");
        assertThat(SafeText.line((char) character + "b" + (char) character)).isEqualTo(" b ");
    }

    @ParameterizedTest
    @ValueSource(ints = {' ', '~', 0xa0, 0xe9, 0x61b, 0x61d, 0x200d, 0x2010, 0x2027, 0x202f, 0x2065, 0x206a, 0x4e00})
    void any_other_character_stays(int character) {
        assertThat(SafeText.line("\n" + (char) character)).isEqualTo(" " + (char) character);
    }

    @Test
    void a_plain_text_is_itself() {
        String plain = "HTTP 503 für /café";
        assertThat(SafeText.line(plain)).isSameAs(plain);
        assertThat(SafeText.line("")).isEmpty();
    }

    @ParameterizedTest(name = "{index}")
    @CsvSource({"\ud83d\ude00, \ud83d\ude00", "\ud83dx, ?x", "x\ud83d, x?", "\ude00x, ?x", "x\ude00, x?"})
    void half_of_a_pair_is_a_question_mark_and_a_pair_stays(String text, String shown) {
        assertThat(SafeText.line(text)).isEqualTo(shown);
    }

    @ParameterizedTest
    @CsvSource({
        "rate, rate, 0",
        "rate, rat, 1",
        "rate, rated, 1",
        "rate, race, 1",
        "rate, arte, 1",
        "rate, raet, 1",
        "rate, tare, 2",
        "rate, '', 4",
        "'', rate, 4",
        "rate, pace, 2"
    })
    void a_letter_more_or_less_another_one_and_a_swap_are_one_typo_each(String word, String other, int typos) {
        assertThat(SimilarNames.typos(word, other)).isEqualTo(typos);
    }

    @Test
    void a_name_is_meant_if_one_letter_in_five_is_wrong_at_most_and_the_nearest_wins() {
        List<String> known = List.of("timeouts", "timeout", "rate");
        assertThat(SimilarNames.nearest("Tiemout", known)).contains("timeout");
        assertThat(SimilarNames.nearest("tmieotu", known)).isEmpty();
        assertThat(SimilarNames.nearest("ratex", known)).contains("rate");
        assertThat(SimilarNames.nearest("rat", known)).isEmpty();
    }
}
