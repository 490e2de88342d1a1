package dev.downbeat.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.downbeat.json.JsonReader.MemoryBudget;
import java.io.IOException;
import java.io.Reader;
import java.io.StringReader;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class JsonReaderTest {
    private static Object exact(String text) throws IOException {
        return JsonReader.parse(text, JsonRules.EXACT);
    }

    @Test
    void every_kind_of_value_is_read() throws IOException {
        assertThat(exact(" {\"a\": [1, -2.5e3, \"x\\n\\u00e9\\\"\\/\", true, false, null, {}, []]}\r\n"))
                .isEqualTo(Map.of(
                        "a",
                        List.of(
                                1L,
                                new BigDecimal("-2.5e3"),
                                "x\n\u00e9\"/",
                                true,
                                false,
                                JsonReader.NULL,
                                Map.of(),
                                List.of())));
    }

    @Test
    void numbers_keep_their_digits_or_become_doubles() throws IOException {
        assertThat(exact("[9223372036854775807, 9223372036854775808, 1.10]"))
                .isEqualTo(List.of(Long.MAX_VALUE, new BigDecimal("9223372036854775808"), new BigDecimal("1.10")));
        assertThat(JsonReader.parse("[-9223372036854775808, 1.10]", JsonRules.OWN))
                .isEqualTo(List.of(Long.MIN_VALUE, 1.1));
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
                    ``                | invalid JSON at character 1: expected a value, but the text ends
                    {                 | invalid JSON at character 2: expected a name in quotes, but the text ends
                    {"a": 1,}         | invalid JSON at character 9: expected a name in quotes
                    {"a" 1}           | invalid JSON at character 6: expected ':'
                    {a: 1}            | invalid JSON at character 2: expected a name in quotes
                    {"a": 1 "b"       | invalid JSON at character 9: expected ',' or '}'
                    [1,]              | invalid JSON at character 4: expected a value
                    [1 2]             | invalid JSON at character 4: expected ',' or ']'
                    [1] 2             | invalid JSON at character 5: expected the end
                    [NaN]             | invalid JSON at character 2: expected a value
                    [+1]              | invalid JSON at character 2: expected a value
                    [-]               | invalid JSON at character 3: expected a number
                    [1.2.3]           | invalid JSON at character 7: expected a number
                    [007]             | invalid JSON at character 5: expected a number
                    [-01.5]           | invalid JSON at character 7: expected a number
                    [1.]              | invalid JSON at character 4: expected a number
                    [-.5]             | invalid JSON at character 5: expected a number
                    [1.e5]            | invalid JSON at character 6: expected a number
                    tru               | invalid JSON at character 4: expected a value, but the text ends
                    "ab               | invalid JSON at character 4: expected a closing quote, but the text ends
                    "\\x"             | invalid JSON at character 4: expected an escape such as \\n
                    "\\u12g4"         | invalid JSON at character 7: expected four hexadecimal digits
                    "\\u１２３４"         | invalid JSON at character 5: expected four hexadecimal digits
                    """)
    void invalid_JSON_is_refused_with_its_position(String text, String message) {
        assertThatThrownBy(() -> exact(text)).isInstanceOf(IOException.class).hasMessage(message);
    }

    @Test
    void control_characters_in_strings_are_refused() {
        for (String text : List.of("\"a\tb\"", "\"\n\"", "\"\\n\u0000\"", "{\"a\rb\": 1}")) {
            assertThatThrownBy(() -> exact(text)).hasMessageContaining("expected no control character in a string");
        }
    }

    @Test
    void a_place_is_in_a_line_if_there_are_several() {
        assertThatThrownBy(() -> exact("{\n  \"a\":\n  x}"))
                .hasMessage("invalid JSON at line 3, character 3: expected a value");
    }

    @Test
    void duplicate_names_are_refused_only_in_Downbeats_files() throws IOException {
        assertThat(exact("{\"a\": 1, \"a\": 2}")).isEqualTo(Map.of("a", 2L));
        assertThatThrownBy(() -> JsonReader.parse("{\"a\": 1, \"a\": 2}", JsonRules.OWN))
                .hasMessage("invalid JSON at character 16: duplicate member 'a'");
    }

    @Test
    void texts_that_are_shown_are_one_plain_line() throws IOException {
        assertThat(JsonReader.parse("{\"a\\u001b\": \"b\\nc\"}", JsonRules.SHOWN))
                .isEqualTo(Map.of("a ", "b c"));
    }

    @Test
    void deep_nesting_is_refused_before_a_stack_overflow() {
        for (String open : List.of("[", "{\"a\":")) {
            assertThatThrownBy(() -> exact(open.repeat(1_000_000))).hasMessageContaining("at most 100 levels");
            JsonReader passing = new JsonReader(new StringReader(open.repeat(1_000_000)), JsonRules.EXACT);
            assertThatThrownBy(() -> passing.each(element -> {}, "b")).hasMessageContaining("at most 100 levels");
        }
    }

    @Test
    void a_hundred_levels_and_a_thousand_digits_are_read_and_one_more_is_not() throws IOException {
        for (String open : List.of("[", "{\"a\":")) {
            String close = open.equals("[") ? "]" : "}";
            assertThat(exact(open.repeat(100) + "1" + close.repeat(100))).isNotNull();
            assertThat(exact("[" + (open.repeat(99) + "1" + close.repeat(99) + ",").repeat(3) + "1]"))
                    .isNotNull();
            assertThatThrownBy(() -> exact(open.repeat(101) + "1" + close.repeat(101)))
                    .hasMessageContaining("at most 100 levels");
        }
        String digits = "1".repeat(1_000);
        assertThat(exact(digits)).isEqualTo(new BigDecimal(digits));
        assertThatThrownBy(() -> exact(digits + "1")).hasMessageContaining("a number of at most 1000 characters");
        assertThatThrownBy(() -> exact("1e99999999999")).hasMessageContaining("expected a smaller exponent");
    }

    @Test
    void texts_that_need_more_memory_than_there_is_are_refused() throws IOException {
        MemoryBudget room = new MemoryBudget(400);
        Object unused = JsonReader.parse("[1, 2]", JsonRules.EXACT, room);
        assertThatThrownBy(() -> JsonReader.parse("[1, 2]", JsonRules.EXACT, room))
                .hasMessage("the JSON needs more memory than is available");
    }

    /** Gives at most so many characters at once. */
    private static Reader inPieces(String text, int most) {
        return new StringReader(text) {
            @Override
            public int read(char[] into, int from, int length) throws IOException {
                return super.read(into, from, Math.min(length, most));
            }
        };
    }

    @Test
    void elements_at_a_path_come_one_by_one_and_all_else_is_passed_over() throws IOException {
        String text =
                "{\"x\": [{\"y\": 1}], \"log\": {\"entries\": [{\"a\": 1}, 2, [\"\\\"}\"]], \"z\": \"]}\\\"\"}} {\"log\": 7}";
        for (int most = 1; most < 20; most++) {
            JsonReader json = new JsonReader(inPieces(text, most), JsonRules.EXACT);
            List<Object> seen = new ArrayList<>();
            while (json.isMore()) {
                json.each(seen::add, "log", "entries", "*");
            }
            assertThat(seen).isEqualTo(List.of(Map.of("a", 1L), 2L, List.of("\"}")));
        }
    }

    @Test
    void space_of_finished_elements_is_reused() throws IOException {
        String text = "[" + "\"a\\nb\", {\"c\": [1, 2, 3]}, ".repeat(1_000) + "0]";
        JsonReader json = new JsonReader(new StringReader(text), JsonRules.EXACT, new MemoryBudget(1_000));
        List<Object> seen = new ArrayList<>();
        json.each(seen::add, "*");
        assertThat(seen).hasSize(2_001);
        assertThatThrownBy(() -> JsonReader.parse(text, JsonRules.EXACT, new MemoryBudget(1_000)))
                .hasMessage("the JSON needs more memory than is available");
    }

    @Test
    void values_survive_a_round_trip() throws IOException {
        for (int seed = 0; seed < 200; seed++) {
            Random random = new Random(seed);
            Object tree = tree(random, 4);
            String text = JsonText.of(tree);
            assertThat(text).doesNotContain("\n");
            JsonReader json = new JsonReader(inPieces(text, 1 + random.nextInt(7)), JsonRules.EXACT);
            assertThat(json.value()).isEqualTo(tree);
            assertThat(exact(text)).isEqualTo(tree);
        }
    }

    private static Object tree(Random random, int depth) {
        return switch (random.nextInt(depth > 0 ? 7 : 5)) {
            case 0 -> random.nextLong();
            case 1 -> new BigDecimal(random.nextInt() + "." + random.nextInt(1_000));
            case 2 -> random.nextBoolean();
            case 3 -> JsonReader.NULL;
            case 4 -> text(random);
            case 5 -> {
                List<Object> list = new ArrayList<>();
                for (int i = random.nextInt(5); i > 0; i--) {
                    list.add(tree(random, depth - 1));
                }
                yield list;
            }
            default -> {
                Map<String, Object> map = new LinkedHashMap<>();
                for (int i = random.nextInt(5); i > 0; i--) {
                    map.put(text(random), tree(random, depth - 1));
                }
                yield map;
            }
        };
    }

    private static String text(Random random) {
        StringBuilder text = new StringBuilder();
        for (int i = random.nextInt(12); i > 0; i--) {
            text.append((char) random.nextInt(random.nextInt(3) == 0 ? 65_536 : 128));
        }
        return text.toString();
    }
}
