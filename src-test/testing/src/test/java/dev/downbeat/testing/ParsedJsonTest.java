package dev.downbeat.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The parser is strict, since a lenient one would accept a broken report. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class ParsedJsonTest {
    @Test
    void every_kind_of_value_is_read() {
        ParsedJson json = ParsedJson.parse(
                " {\"a\": {\"b\": [1, -2.5e3, \"x\\n\\u00e9\\\"\", true, null, {}, []]}, \"c.d\": 7}\n");
        assertThat(json.at("a.b").items().get(0).whole()).isEqualTo(1);
        assertThat(json.at("a.b").items().get(1).number()).isEqualTo(-2500);
        assertThat(json.at("a.b").items().get(2).text()).isEqualTo("x\né\"");
        assertThat(json.at("a.b").items().get(3).truth()).isTrue();
        assertThat(json.at("a.b").items().get(4).isNull()).isTrue();
        assertThat(json.leaves()).containsKeys("a.b[0]", "a.b[4]", "c.d").hasSize(6);
    }

    @ParameterizedTest(name = "{0}")
    @ValueSource(
            strings = {
                "",
                "{",
                "{\"a\": 1,}",
                "[1,]",
                "[1] 2",
                "{\"a\": 1, \"a\": 2}",
                "{a: 1}",
                "[01]",
                "[1.]",
                "[NaN]",
                "[-]",
                "\"a\nb\"",
                "\"\\x\"",
                "\"\\u12g4\"",
                "tru",
                "{\"a\" 1}"
            })
    void invalid_JSON_is_refused(String text) {
        assertThatThrownBy(() -> ParsedJson.parse(text))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("not JSON");
    }

    @Test
    void a_number_with_a_fraction_is_not_an_integer() {
        assertThatThrownBy(() -> ParsedJson.parse("{\"a_ns\": 1.0}").at("a_ns").whole())
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("a_ns");
    }
}
