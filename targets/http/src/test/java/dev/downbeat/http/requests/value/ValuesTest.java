package dev.downbeat.http.requests.value;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.downbeat.http.message.RequestBytes;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Rows of files, random values, and cookies. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class ValuesTest {
    private static final SourcePosition HERE = new SourcePosition("a.http", 7);

    private static TextTemplate text(String raw, DataFile... data) {
        Variables variables = Variables.ofProcess(Map.of("HOME", "/root")).with(List.of(data));
        return TextTemplate.of(raw, HERE, variables, 5);
    }

    private static DataFile data(DataFile.Use use, String csv) {
        return DataFile.parse("d", use, csv, "d.csv");
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource({
        "$random.alphabetic(1), [a-zA-Z]",
        "$random.alphabetic(40), [a-zA-Z]{40}",
        "$random.alphanumeric( 40 ), [a-zA-Z0-9]{40}",
        "$random.hexadecimal(10000), '[0-9a-f]{10000}'",
        "$random.integer(), '[0-9]{1,3}'",
        "'$random.integer(-2, -1)', -2",
        "$randomInt, '[0-9]{1,3}'",
        "$randomInt 7 8, 7",
        "$timestamp, 1[0-9]{9}",
        "$processEnv HOME, /root",
        "$env.HOME, /root",
    })
    void a_value_is_what_its_name_says(String name, String shape) {
        assertThat(text("<{{" + name + "}}>").text(1)).matches("<" + shape + ">");
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', textBlock = """
            $random.alphabetic(0)     | must have a number of characters from 1 to 10000
            $random.alphabetic(10001) | must have a number of characters from 1 to 10000
            $random.hexadecimal(1, 2) | must have a number of characters from 1 to 10000
            $random.integer(1)        | must have two whole numbers
            $randomInt 8 8            | the first number must be below the second
            $randomInt 8 7            | the first number must be below the second
            """)
    void bounds_of_a_value_are_checked(String name, String why) {
        assertThatThrownBy(() -> text("{{" + name + "}}"))
                .hasMessageStartingWith("a.http:7: {{" + name + "}}")
                .hasMessageContaining(why);
    }

    @Test
    void random_numbers_reach_their_bounds_and_letters_their_ends() {
        Set<String> numbers = new HashSet<>();
        Set<String> digits = new HashSet<>();
        for (int i = 0; i < 200; i++) {
            numbers.add(text("{{$random.integer(-1, 2)}}").text(i));
            digits.add(text("{{$random.hexadecimal(1)}}").text(i));
        }
        assertThat(numbers).containsExactlyInAnyOrder("-1", "0", "1");
        assertThat(digits).hasSize(16);
    }

    @Test
    void rows_are_taken_in_turn_at_random_or_once() {
        String csv = "a\none\ntwo\nthree\n";
        TextTemplate inTurn = text("{{d}}", data(DataFile.Use.SEQUENTIAL, csv));
        TextTemplate once = text("{{d.a}}", data(DataFile.Use.ONCE, csv));
        for (int i = 0; i < 3; i++) {
            String expected = List.of("one", "two", "three").get(i);
            assertThat(inTurn.text(i)).isEqualTo(expected);
            assertThat(inTurn.text(i + 3)).isEqualTo(expected);
            assertThat(once.text(i)).isEqualTo(expected);
        }
        assertThatThrownBy(() -> once.text(3)).hasMessage("d.csv has no unused row left (3 rows, each used once)");
        TextTemplate random = text("{{d.a}}", data(DataFile.Use.RANDOM, csv));
        Set<String> drawn = new HashSet<>();
        for (int i = 0; i < 100; i++) {
            drawn.add(random.text(i));
        }
        assertThat(drawn).hasSize(3);
        assertThat(data(DataFile.Use.RANDOM, csv)).hasToString("d: 3 rows, random");
        assertThatThrownBy(() -> text("{{d}}", data(DataFile.Use.ONCE, "a,b\n1,2\n")))
                .hasMessage("a.http:7: {{d}}: say which column, such as {{d.a}} (there are: a, b)");
    }

    @Test
    void a_quoted_cell_may_have_several_lines() {
        DataFile file = data(DataFile.Use.SEQUENTIAL, " a ,b\n\"x\n,y\",\"\"\n\n\"\",z");
        assertThat(file.size()).isEqualTo(2);
        assertThat(text("{{d.a}}|{{d.b}}", file).text(0)).isEqualTo("x\n,y|");
        assertThat(text("{{d.a}}|{{d.b}}", file).text(1)).isEqualTo("|z");
    }

    @ParameterizedTest
    @ValueSource(strings = {"a,b\r1,2\r3,\"4\"\r", "a,b\r\n1,2\r\n3,4", "a,b\n1,2\r3,4"})
    void a_line_ends_as_on_any_system(String csv) {
        DataFile file = data(DataFile.Use.SEQUENTIAL, csv);
        assertThat(file.size()).isEqualTo(2);
        assertThat(text("{{d.a}}|{{d.b}}", file).text(1)).isEqualTo("3|4");
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            a,b~1,2~1 | d.csv:3: expected 2 columns, but found 1
            a~"x~y"~1,2 | d.csv:4: expected 1 columns, but found 2
            a~1~"x~y | d.csv:3: a quote is not closed
            a~"x~y"z | d.csv:3: expected ',' or a new line behind a closing quote
            a,b | d.csv: expected a header row and at least one data row, but found 1 row
            `` | d.csv: expected a header row and at least one data row, but found 0 rows
            """)
    void an_unreadable_row_is_named_by_its_line(String csv, String message) {
        assertThatThrownBy(() -> data(DataFile.Use.ONCE, csv.replace('~', '\n')))
                .hasMessage(message);
    }

    private static String cookies(SessionState session) {
        RequestBytes bytes = new RequestBytes();
        session.writeCookies(bytes, 0);
        return new String(bytes.array(), 0, bytes.length(), StandardCharsets.ISO_8859_1);
    }

    private static SessionState session(String... fields) {
        SessionState session = new SessionState(1, List.of("shop.test", "www.shop.test", "10.0.0.1"));
        List.of(fields).forEach(session::cookie);
        return session;
    }

    @Test
    void a_session_sends_the_cookies_that_it_was_given_until_the_next_begins() {
        SessionState session = session("a=1", " b = 2 ; Path=/", "=none", "none", "a=3");
        assertThat(cookies(session)).isEqualTo("a=3; b = 2");
        session.capture(0, new byte[] {1});
        assertThat(session.captured(0)).containsExactly(1);
        session.switchTo(1);
        assertThat(session.hasCookies()).isFalse();
        assertThat(session.captured(0)).isNull();
    }

    @Test
    void a_host_keeps_fifty_cookies() {
        SessionState session = session();
        for (int i = 0; i < 51; i++) {
            session.cookie("c" + i + "=1");
        }
        session.cookie("c49=2");
        assertThat(cookies(session).split("; ")).hasSize(50).endsWith("c48=1", "c49=2");
        session.cookie("c0=; Max-Age=0");
        session.cookie("c51=1");
        assertThat(cookies(session).split("; ")).hasSize(50).startsWith("c1=1").endsWith("c51=1");
    }

    @Test
    void a_cookie_cannot_begin_another_header() {
        assertThat(cookies(session("a=1\r\nX: y"))).isEqualTo("a=1  X: y");
    }

    @ParameterizedTest(name = "{0}")
    @ValueSource(strings = {"10.0.0.1", "0.0.1", "test", ".test"})
    void a_domain_of_numbers_or_of_one_word_is_nobodys(String domain) {
        SessionState session = session();
        session.selectHost(2);
        session.cookie("a=1; Domain=" + domain);
        assertThat(session.hasCookies()).isEqualTo(domain.equals("10.0.0.1"));
        session.selectHost(0);
        session.cookie("a=1; Domain=" + domain);
        assertThat(session.hasCookies()).isFalse();
    }

    /** Clocks may differ by an hour, which keeps a value but no empty one. */
    @Test
    void a_cookie_expires_an_hour_late_unless_it_is_empty() {
        DateTimeFormatter form = DateTimeFormatter.ofPattern("EEE, dd MMM yyyy HH:mm:ss 'GMT'", Locale.ENGLISH)
                .withZone(ZoneOffset.UTC);
        Instant now = Instant.now();
        String longAgo = "; Expires=" + form.format(now.minusSeconds(3_700));
        String justNow = "; Expires=" + form.format(now.minusSeconds(3_000));
        assertThat(session("a=1" + longAgo).hasCookies()).isFalse();
        assertThat(session("a=1" + justNow).hasCookies()).isTrue();
        assertThat(session("a=" + justNow).hasCookies()).isFalse();
        assertThat(session("a=1; Expires=" + form.format(now.plusSeconds(60))).hasCookies())
                .isTrue();
        assertThat(session("a=1", "a=" + justNow).hasCookies()).as("deleted").isFalse();
        assertThatCode(() -> session("a=1; Expires=Sat, 01 Jan 2050 99:99:99 GMT"))
                .doesNotThrowAnyException();
        assertThat(session("a=1; Expires=Sat, 01-Jan-69 00:00:01 GMT").hasCookies())
                .as("2069")
                .isTrue();
        assertThat(session("a=1; Expires=Sat, 01-Jan-70 00:00:01 GMT").hasCookies())
                .as("1970")
                .isFalse();
        assertThat(session("a=1; Expires=Sat, 01-Jan-99 00:00:01 GMT").hasCookies())
                .as("1999")
                .isFalse();
        assertThat(session("a=1; Expires=Sat, 01 Foo 1999 00:00:01 GMT").hasCookies())
                .as("no month")
                .isTrue();
        assertThatCode(() -> session("a=1; Expires=Sat, 00 Jan 1999 00:00:01 GMT"))
                .doesNotThrowAnyException();
    }

    @Test
    void text_that_is_found_is_short_and_one_line() {
        assertThat(SourcePosition.found("x".repeat(60))).isEqualTo("'" + "x".repeat(60) + "'");
        assertThat(SourcePosition.found(" " + "x".repeat(61))).isEqualTo("'" + "x".repeat(60) + "...'");
        assertThat(SourcePosition.foundWord("Authorization s3cret")).isEqualTo("'Authorization ...'");
        assertThat(new SourcePosition("a", 0)).hasToString("a");
        assertThat(new SourcePosition("a", 1)).hasToString("a:1");
    }

    @Test
    void a_name_of_data_is_used_once() {
        DataFile file = data(DataFile.Use.ONCE, "a\n1\n");
        assertThatThrownBy(() -> Variables.none().with(List.of(file, file)))
                .hasMessage("the name of data must be used once, but was twice: d");
    }
}
