package dev.downbeat.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.downbeat.exchange.MeasuredSystem;
import dev.downbeat.http.options.HttpOptions;
import dev.downbeat.http.options.HttpOptions.HttpVersion;
import dev.downbeat.run.Script;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class HttpTest {
    private static List<String> words(Http requests) {
        return ((MeasuredSystem) requests).commandLineArguments();
    }

    private static int connections(Http requests, int users) {
        return ((Http) ((MeasuredSystem) requests).forUsers(users)).options().connections();
    }

    @Test
    void each_user_of_a_closed_loop_has_a_connection_or_a_stream_unless_their_number_is_set() {
        Http get = Http.get("http://h/");
        assertThat(connections(get, 0)).isEqualTo(64);
        assertThat(connections(get, 5)).isEqualTo(5);
        assertThat(connections(get, 200)).isEqualTo(200);
        assertThat(connections(get, 1_000_000)).isEqualTo(65_535);
        assertThat(connections(get.connections(7), 200)).isEqualTo(7);
        HttpOptions two = ((Http) ((MeasuredSystem) get.http2()).forUsers(200)).options();
        assertThat(two.asNeeded()).isTrue();
        assertThat(two.connectionsNeeded(200, 100)).isEqualTo(2);
        assertThat(two.connectionsNeeded(201, 100)).isEqualTo(3);
        assertThat(((Http) ((MeasuredSystem) get.http2().connections(7)).forUsers(200))
                        .options()
                        .asNeeded())
                .isFalse();
        assertThat(words((Http) ((MeasuredSystem) get.http2()).forUsers(200)))
                .as("the command line derives it alike")
                .containsExactly("http://h/", "--http=2");
        assertThat(words((Http) ((MeasuredSystem) get).forUsers(200)))
                .containsExactly("http://h/", "--connections=200");
    }

    @Test
    void a_get_with_a_body_is_a_get_on_the_command_line_too() {
        assertThat(words(Http.get("http://h/").body("x")))
                .containsExactly("http://h/", "--method=GET", "--data=***", "--connections=64");
        assertThat(words(Http.post("http://h/").body("x")))
                .containsExactly("http://h/", "--method=POST", "--data=***", "--connections=64");
    }

    @Test
    void each_option_is_set_and_has_its_word_of_the_command_line() {
        Http all = Http.delete("http://h/a")
                .header("Accept", "text/html")
                .header("X-Key", "s3cret")
                .connections(3)
                .connections(7)
                .withoutKeepAlive()
                .connectTimeout(Duration.ofMillis(1_500))
                .http2()
                .trustAll();
        assertThat(words(all))
                .containsExactly(
                        "http://h/a",
                        "--method=DELETE",
                        "--header=Accept: text/html",
                        "--header=X-Key: ***",
                        "--no-keepalive",
                        "--connect-timeout=1.5s",
                        "--http=2",
                        "--insecure",
                        "--connections=7");
        HttpOptions options = all.options();
        assertThat(options.connections()).isEqualTo(7);
        assertThat(options.keepAlive()).isFalse();
        assertThat(options.connectTimeoutNanos()).isEqualTo(1_500_000_000);
        assertThat(options.http()).isEqualTo(HttpVersion.HTTP_2);
        assertThat(options.tls().verify()).isFalse();
        assertThat(all).hasToString("DELETE http://h/a");
        assertThatThrownBy(() -> Http.get("http://h/").connections(0)).hasMessageContaining("connections must be");
    }

    @Test
    void options_of_a_file_are_not_those_of_one_request(@TempDir Path folder) throws IOException {
        Path path = Files.writeString(folder.resolve("a.http"), "GET /{{d.v}}");
        Path rows = Files.writeString(folder.resolve("d.csv"), "v\n1\n");
        Http file = Http.file(path);
        assertThatThrownBy(() -> file.header("A", "b")).hasMessageStartingWith("header is for one request");
        assertThatThrownBy(() -> file.body("b")).hasMessageStartingWith("body is for one request");
        Http one = Http.put("http://h/");
        assertThatThrownBy(() -> one.baseUrl("http://h")).hasMessageStartingWith("baseUrl is for a file of requests");
        assertThatThrownBy(() -> one.variable("a", "b")).hasMessageStartingWith("variable is for a file");
        assertThatThrownBy(() -> one.data("d", rows)).hasMessageStartingWith("data is for a file");
        assertThatThrownBy(() -> one.randomData("d", rows)).hasMessageStartingWith("randomData is for a file");
        assertThatThrownBy(() -> one.dataOnce("d", rows)).hasMessageStartingWith("dataOnce is for a file");
        assertThatThrownBy(() -> one.seed(1)).hasMessageStartingWith("seed is for a file");
        assertThat(words(file.data("d", rows)))
                .containsExactly(path.toString(), "--data-file=d=" + rows + ",sequential", "--connections=64");
        assertThat(words(file.randomData("d", rows))).contains("--data-file=d=" + rows + ",random");
        assertThat(words(file.dataOnce("d", rows))).contains("--data-file=d=" + rows + ",once");
        assertThat(((Script) file.dataOnce("d", rows)).isDataUsedOnce()).isTrue();
        assertThat(((Script) file.data("d", rows)).isDataUsedOnce()).isFalse();
        assertThat(words(file.variable("a", "s3cret"))).contains("--var=a=***");
        assertThat(words(file.seed(1))).as("no such option").isEmpty();
        Http whole = file.data("d", rows).baseUrl("http://shop");
        assertThat(((Script) whole).session(1).describe()).isEqualTo("GET /{{d.v}} at http://shop");
        assertThat(((Script) whole).mix(1).names()).containsExactly("GET /{{d.v}}");
    }

    @Test
    void what_a_response_must_be_is_said_as_on_the_command_line(@TempDir Path folder) throws IOException {
        Http get = Http.get("http://h/a").expect("2xx").expectBody("a {{b}}");
        assertThat(words(get))
                .containsExactly("http://h/a", "--expect=2xx", "--expect-body=a {{b}}", "--connections=64");
        assertThat(((Script) get).mix(1).names()).containsExactly("GET /a");
        Http none = Http.head("http://h/").expect("200").expect("404");
        assertThatThrownBy(() -> ((Script) none).mix(1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("request: no status is both 200 and 404: write statuses to choose from as 200,404");
        assertThatThrownBy(() -> get.expect("20")).hasMessageContaining("expected a status such as 200");
        assertThatThrownBy(() -> get.expectBody("")).hasMessageContaining("the body must hold");
        assertThatThrownBy(() -> Http.get("connect:h:80").expect("200"))
                .hasMessage("expect is for requests, but to connect:h:80 none is sent");
        Http file = Http.file(Files.writeString(folder.resolve("a.http"), "GET http://h/\n"))
                .expect("204");
        assertThat(words(file)).contains("--expect=204");
        assertThat(file).hasToString(folder.resolve("a.http").toString());
    }

    @Test
    void a_file_that_cannot_be_read_is_one_kind_of_failure(@TempDir Path folder) throws IOException {
        Path none = folder.resolve("none.csv");
        String unset = System.getProperty("no.such.name");
        Http file = Http.file(Files.writeString(folder.resolve("a.http"), "GET http://h/{{a.b}}\n"));
        for (ThrowingCallable read : List.<ThrowingCallable>of(
                () -> Http.file(none),
                () -> file.data("a", none),
                () -> file.randomData("a", none),
                () -> file.dataOnce("a", none))) {
            assertThatThrownBy(read)
                    .isInstanceOf(UncheckedIOException.class)
                    .hasMessage(none + " cannot be read: no such file");
        }
        assertThatThrownBy(() -> file.data(unset, none)).hasMessage("name");
    }

    @Test
    void the_last_value_of_a_variable_counts(@TempDir Path folder) throws IOException {
        Path file = Files.writeString(folder.resolve("a.http"), "@host = a\nGET http://{{host}}/");
        Http last = Http.file(file).variable("host", "b").variable("host", "c");
        assertThat(((Script) last).mix(1).describe()).endsWith("http://c");
    }

    @Test
    void a_variable_without_a_name_or_a_value_is_refused_at_once(@TempDir Path folder) throws IOException {
        Http file = Http.file(Files.writeString(folder.resolve("a.http"), "@host = a\nGET http://{{host}}/"));
        String unset = System.getProperty("no.such.host");
        assertThatThrownBy(() -> file.variable("host", unset))
                .isInstanceOf(NullPointerException.class)
                .hasMessage("value");
        assertThatThrownBy(() -> file.variable(unset, "a"))
                .isInstanceOf(NullPointerException.class)
                .hasMessage("name");
    }

    @Test
    void times_beyond_the_clock_are_longest_times_and_probes_are_whole_seconds() {
        assertThat(HttpOptions.of(draft -> draft.connectTimeout = Duration.ofSeconds(Long.MAX_VALUE))
                        .connectTimeoutNanos())
                .isEqualTo(Long.MAX_VALUE);
        for (String time : new String[] {"PT10H", "PT1.5S", "PT0S"}) {
            assertThatThrownBy(() -> HttpOptions.of(draft -> draft.tcpProbes = Optional.of(Duration.parse(time))))
                    .hasMessageContaining("whole seconds from 1 to 32767");
        }
    }
}
