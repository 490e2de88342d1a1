package dev.downbeat.http.requests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.downbeat.exchange.Exchange;
import dev.downbeat.exchange.Fate;
import dev.downbeat.exchange.Outcome;
import dev.downbeat.http.message.RequestWriter;
import dev.downbeat.http.requests.file.HttpFile;
import dev.downbeat.http.requests.value.DataFile;
import dev.downbeat.http.requests.value.Variables;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class RequestSetTest {
    private static final String MIX = """
            ### a
            # @weight 70
            GET http://h/a
            ### b
            # @weight 20
            GET http://h/b
            ### c
            # @weight 10
            GET http://h/c
            """;

    private static RequestSet mix(long seed) {
        HttpFile file = Written.file(MIX);
        return RequestSet.of(file.requests(), Optional.empty(), Variables.none(), RequestSet.Order.MIX, seed);
    }

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {0, 1, 2, 3, 77, -5})
    void a_mix_has_its_weights(long seed) {
        RequestSet set = mix(seed);
        long[] counts = new long[3];
        for (int i = 0; i < 100_000; i++) {
            counts[set.nameOf(Written.exchange(i, 0))]++;
        }
        double chiSquare = 0;
        double[] expected = {70_000, 20_000, 10_000};
        for (int i = 0; i < 3; i++) {
            chiSquare += (counts[i] - expected[i]) * (counts[i] - expected[i]) / expected[i];
        }
        assertThat(chiSquare).isLessThan(13.82); // 99.9 % of two degrees of freedom
    }

    @Test
    void the_same_seed_gives_the_same_sequence_and_another_another() {
        assertThat(sequence(mix(5))).isEqualTo(sequence(mix(5))).isNotEqualTo(sequence(mix(6)));
    }

    private static List<Integer> sequence(RequestSet set) {
        List<Integer> names = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            names.add(set.nameOf(Written.exchange(i, 0)));
        }
        return names;
    }

    @Test
    void in_turn_they_come_one_after_the_other_and_in_sessions_by_step() {
        RequestSet inTurn = Written.set(MIX, RequestSet.Order.IN_TURN);
        RequestSet session = Written.set(MIX, RequestSet.Order.SESSION);
        for (int i = 0; i < 9; i++) {
            assertThat(inTurn.nameOf(Written.exchange(i, 0))).isEqualTo(i % 3);
            assertThat(session.nameOf(Written.exchange(77, i))).isEqualTo(i % 3);
        }
    }

    @Test
    void values_are_drawn_by_the_seed() {
        String text = "GET http://h/{{$uuid}}/{{$random.integer(1, 5)}}/{{$random.hexadecimal(4)}}/{{d.v}}";
        DataFile data = DataFile.parse("d", DataFile.Use.RANDOM, "v\none\ntwo\nthree\n", "d.csv");
        RequestSet set = Written.set(text, RequestSet.Order.MIX, data);
        Set<String> lines = new HashSet<>();
        for (int i = 0; i < 100; i++) {
            String line = Written.of(set, i).lines().findFirst().orElseThrow();
            assertThat(line)
                    .matches("GET /[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}/[1-4]/"
                            + "[0-9a-f]{4}/(one|two|three) HTTP/1.1");
            assertThat(Written.of(set, i).lines().findFirst()).hasValue(line);
            lines.add(line);
        }
        assertThat(lines).hasSize(100);
    }

    @Test
    void each_row_may_be_for_once() {
        DataFile data = DataFile.parse("u", DataFile.Use.ONCE, "name\nann\nbob\n", "users.csv");
        RequestSet set = Written.set("GET http://h/{{u.name}}", RequestSet.Order.MIX, data);
        assertThat(Written.of(set, 0)).startsWith("GET /ann ");
        assertThat(Written.of(set, 1)).startsWith("GET /bob ");
        assertThat(Written.of(set, 2)).isEqualTo("users.csv has no unused row left (2 rows, each used once)");
    }

    @Test
    void all_statuses_that_a_request_expects_must_hold() {
        RequestSet set = Written.set("# @expect 100-299\n# @expect 200-599\nGET http://h/", RequestSet.Order.MIX);
        RequestWriter writer = set.writer(1, false);
        Exchange exchange = Written.exchange(0, 0);
        Written.write(writer, exchange);
        exchange.status = 500;
        assertThat(writer.outcome(exchange, Outcome.failedResponse("HTTP 500")).reason())
                .isEqualTo("HTTP 500, expected 100-299 and 200-599");
        exchange.status = 204;
        assertThat(writer.outcome(exchange, Outcome.answered()).fate()).isEqualTo(Fate.ANSWERED);
    }

    @Test
    void a_request_has_the_headers_that_its_method_and_its_connection_need() {
        for (String method : List.of("GET", "DELETE", "HEAD", "POST", "PUT", "PATCH")) {
            RequestSet set = Written.set(method + " http://h/", RequestSet.Order.MIX);
            RequestWriter kept = set.writer(1, false);
            assertThat(Written.write(kept, Written.exchange(0, 0)).contains("\nContent-Length: 0\n"))
                    .as(method)
                    .isEqualTo(method.startsWith("P"));
            assertThat(Written.write(kept, Written.exchange(0, 0))).doesNotContain("Connection");
            assertThat(Written.write(set.writer(1, true), Written.exchange(0, 0)))
                    .contains("\nConnection: close\n");
        }
        RequestSet own = Written.set("GET http://h/\nconnection: keep-alive", RequestSet.Order.MIX);
        assertThat(Written.write(own.writer(1, true), Written.exchange(0, 0))).doesNotContain("close");
    }

    @Test
    void a_session_sends_its_cookies_unless_a_request_has_its_own() {
        RequestWriter writer = Written.set(
                        "GET http://h/1\n###\nGET http://h/2\n###\nGET http://h/3\nCookie: own=1\n",
                        RequestSet.Order.SESSION)
                .writer(1, false);
        Written.write(writer, Written.exchange(0, 0));
        RequestWriter.ResponseSink sink = Objects.requireNonNull(writer.sink(Written.exchange(0, 0)));
        byte[] cookie = "set-cookie: sid=7; Path=/".getBytes(StandardCharsets.US_ASCII);
        sink.line(cookie, 0, cookie.length);
        assertThat(writer.outcome(Written.exchange(0, 0), Outcome.answered())).isEqualTo(Outcome.answered());
        assertThat(Written.write(writer, Written.exchange(0, 1))).contains("\nCookie: sid=7\n");
        assertThat(Written.write(writer, Written.exchange(0, 2)))
                .contains("\nCookie: own=1\n")
                .doesNotContain("sid");
        assertThat(Written.write(writer, Written.exchange(1, 0)))
                .as("the next session")
                .doesNotContain("Cookie");
    }

    @Test
    void a_session_whose_first_request_was_never_sent_has_nothing_of_the_one_before_in_its_place() {
        RequestWriter writer = Written.set(
                        "# @capture token = json /t\nGET http://h/1\n###\nGET http://h/2?t={{token}}\n###\nGET http://h/3\n",
                        RequestSet.Order.SESSION)
                .writer(1, false);
        Written.write(writer, Written.exchange(0, 0));
        RequestWriter.ResponseSink sink = Objects.requireNonNull(writer.sink(Written.exchange(0, 0)));
        byte[] cookie = "set-cookie: sid=7".getBytes(StandardCharsets.US_ASCII);
        sink.line(cookie, 0, cookie.length);
        byte[] body = "{\"t\": \"a\"}".getBytes(StandardCharsets.US_ASCII);
        sink.body(body, 0, body.length);
        writer.outcome(Written.exchange(0, 0), Outcome.answered());
        assertThat(Written.write(writer, Written.exchange(0, 1))).contains("/2?t=a", "Cookie: sid=7");
        assertThat(Written.write(writer, Written.exchange(1, 1))).isEqualTo("not sent: {{token}} was not captured");
        assertThat(Written.write(writer, Written.exchange(1, 2))).doesNotContain("Cookie");
    }

    @Test
    void numbers_of_a_set_are_within_their_bounds() {
        RequestSet set = Written.set("GET http://h/", RequestSet.Order.MIX);
        for (int hops : new int[] {0, 101}) {
            assertThatThrownBy(() -> set.following(hops))
                    .hasMessage("redirects to follow must be from 1 to 100, but was " + hops);
        }
        assertThat(set.following(1).following(100).describe()).isEqualTo("GET http://h/ at http://h");
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < 500; i++) {
            text.append("### r").append(i).append("\nGET http://h/").append(i).append('\n');
        }
        RequestSet many = Written.set(text.toString(), RequestSet.Order.IN_TURN);
        assertThat(new ColdRequests(many, "", 1).names()).hasSize(1_000);
        RequestSet more = Written.set(text + "### r500\nGET http://h/500\n", RequestSet.Order.IN_TURN);
        assertThatThrownBy(() -> new ColdRequests(more, "", 1))
                .hasMessageContaining("at most 500 names")
                .hasMessageEndingWith("501");
        assertThatThrownBy(() -> Written.set("### (session)\nGET http://h/", RequestSet.Order.MIX))
                .hasMessageContaining("is reserved for whole sessions");
    }

    @Test
    void names_show_neither_keys_nor_control_characters() {
        String key = "123456:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw";
        RequestSet set = Written.set(
                "POST https://h/bot" + key + "/send\n###\u001b[2J list ?token=s3cret\nGET https://h/\n",
                RequestSet.Order.IN_TURN);
        assertThat(set.names()).containsExactly("POST https://h/bot123456:***/send", " [2J list ?token=***");
    }

    @Test
    void beyond_a_thousand_names_the_rest_share_one() {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < 1_200; i++) {
            text.append("### r").append(i).append("\nGET http://h/").append(i).append('\n');
        }
        RequestSet set = Written.set(text.toString(), RequestSet.Order.IN_TURN);
        assertThat(set.names()).hasSize(1_000).endsWith("r998", "(others)");
        assertThat(set.nameOf(Written.exchange(998, 0))).isEqualTo(998);
        assertThat(set.nameOf(Written.exchange(1_199, 0))).isEqualTo(999);
    }

    @Test
    void instants_are_written_as_iso_8601_has_them() {
        String head = Written.of("GET http://h/{{$isoTimestamp}}");
        Instant written = Instant.parse(head.substring("GET /".length(), head.indexOf(" HTTP")));
        assertThat(written).isCloseTo(Instant.now(), within(1, ChronoUnit.HOURS)); // the clock may be set meanwhile
    }
}
