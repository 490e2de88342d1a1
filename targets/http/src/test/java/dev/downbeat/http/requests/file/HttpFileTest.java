package dev.downbeat.http.requests.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.downbeat.exchange.Exchange;
import dev.downbeat.exchange.Outcome;
import dev.downbeat.http.message.RequestWriter;
import dev.downbeat.http.requests.RequestSet;
import dev.downbeat.http.requests.Written;
import dev.downbeat.http.requests.check.Capture;
import dev.downbeat.http.requests.check.Expectation;
import dev.downbeat.http.requests.file.RequestText.Directives;
import dev.downbeat.http.requests.value.DataFile;
import dev.downbeat.http.requests.value.Variables;
import dev.downbeat.run.ThinkTime;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class HttpFileTest {
    private static final String SHOP = """
            @host = http://localhost:8080
            @api = {{host}}/api

            ### list
            // what everybody sees
            GET {{api}}/items
                ?page=2
                &size={{$env.TOKEN}}
            Accept: application/json

            ### place order
            # @weight 3
            # @expect 201
            # @capture orderId = json /id
            POST {{host}}/orders HTTP/1.1
            Content-Type: application/json

            {"sku": "a b", "count": 2}

            > {% client.global.set("orderId", response.body.id); %}

            ###
            # @name show
            {{host}}/orders/{{orderId}}
            """;

    @Test
    void requests_have_names_methods_headers_and_bodies() {
        HttpFile file = Written.file(SHOP);
        assertThat(file.requests()).extracting(RequestText::name).containsExactly("list", "place order", "show");
        assertThat(file.requests()).extracting(RequestText::method).containsExactly("GET", "POST", "GET");
        assertThat(file.requests()).extracting(one -> one.spot().line()).containsExactly(6, 15, 24);
        assertThat(file.variables()).containsEntry("host", "http://localhost:8080");
        Directives order = file.requests().get(1).directives();
        assertThat(order.weight()).isEqualTo(3);
        assertThat(order.expectations()).extracting(Expectation::text).containsExactly("201");
        assertThat(order.captures()).extracting(Capture::name).containsExactly("orderId");
    }

    @Test
    void a_handler_is_not_run_and_says_what_to_write_instead() {
        assertThat(Written.file(SHOP).notes())
                .containsExactly("shop.http:20: the response handler is not run: write '# @capture orderId = json /id'"
                        + " above the request");
    }

    @Test
    void a_script_before_a_request_is_passed_over_to_its_end() {
        HttpFile file = Written.file("""
                < {%
                  request.variables.set("a", "1");
                %}
                GET http://h/1

                ###
                < {% one(); %}
                < ./before.js
                GET http://h/2
                """);
        assertThat(file.requests()).extracting(one -> one.spot().line()).containsExactly(4, 9);
        assertThat(file.notes())
                .extracting(note -> note.substring(0, note.indexOf(" is not run")))
                .containsExactly(
                        "shop.http:1: the script before a request",
                        "shop.http:7: the script before a request",
                        "shop.http:8: the script before a request");
        assertThatThrownBy(() -> Written.file("GET http://h/\n\n###\n< {%\n a();\n"))
                .hasMessage("shop.http:4: a script is not closed by '%}'");
    }

    @Test
    void a_disabled_request_is_left_out_and_directives_are_of_one_request() {
        HttpFile file = Written.file("""
                # @disabled
                # @weight 1000000
                GET http://h/1
                ### a
                # @think 20ms
                GET http://h/2
                ### a
                # @name
                GET http://h/3
                ### a
                # @weight=2
                GET http://h/4
                """);
        assertThat(file.requests()).extracting(RequestText::name).containsExactly("a", "a (2)", "a (3)");
        assertThat(file.requests()).extracting(one -> one.directives().weight()).containsExactly(1L, 1L, 2L);
        assertThat(file.requests().get(0).directives().think()).hasValue(new ThinkTime.Constant(20_000_000));
        assertThat(file.requests().get(1).directives().think()).isEmpty();
    }

    @Test
    void a_query_of_graphql_is_text_and_there_is_one(@TempDir Path folder) throws Exception {
        Files.writeString(folder.resolve("q"), "{ a }");
        assertThatThrownBy(() -> Written.file("GRAPHQL http://h/\n\n< ./q", folder))
                .hasMessage("shop.http:1: a GraphQL query is text: write '<@ ./file' for one in a file");
        assertThatThrownBy(() -> Written.file("GRAPHQL http://h/\n\n\n"))
                .hasMessage("shop.http:1: a GraphQL request needs a query");
        assertThat(Written.of("GRAPHQL http://h/\nContent-Type: a/b\n\nquery {\n\n{ a } }"))
                .contains("\nContent-Type: a/b\n")
                .doesNotContain("application/json")
                .endsWith("\n\n{\"query\": \"query {\\n\\n{ a } }\"}");
        assertThat(Written.of("GRAPHQL http://h/\n\n{ a }\n\n{ }"))
                .endsWith("{\"query\": \"{ a }\", \"variables\": { }}");
    }

    @Test
    void requests_are_sent_as_written_with_variables_filled_in() {
        RequestSet set = Written.set(SHOP, RequestSet.Order.SESSION);
        assertThat(Written.write(set.writer(1, false), Written.exchange(0, 0))).isEqualTo("""
                GET /api/items?page=2&size=t0p HTTP/1.1
                Host: localhost:8080
                User-Agent: downbeat
                Accept: application/json

                """);
        assertThat(Written.write(set.writer(1, false), Written.exchange(0, 1))).isEqualTo("""
                POST /orders HTTP/1.1
                Host: localhost:8080
                User-Agent: downbeat
                Accept: */*
                Content-Type: application/json
                Content-Length: 26

                {"sku": "a b", "count": 2}""");
    }

    @Test
    void a_value_cannot_end_a_line_of_the_head() {
        DataFile data = DataFile.parse("d", DataFile.Use.SEQUENTIAL, "v\n\"a b\r\nX: 1\"\n", "d.csv");
        for (String line : List.of("GET http://h/ HTTP/1.1\nY: {{v}}", "GET http://h/\nY: {{$env.V}}")) {
            Variables given = Variables.ofProcess(Map.of("V", "a\r\nX: 1")).or(Map.of("v", "a\r\nX: 1"));
            RequestSet fixed =
                    RequestSet.of(Written.file(line).requests(), Optional.empty(), given, RequestSet.Order.MIX, 1);
            assertThat(Written.of(fixed, 0)).contains("\nY: a  X: 1\n");
        }
        RequestSet set = Written.set("GET http://h/{{d.v}}\nY: {{d.v}}", RequestSet.Order.MIX, data);
        assertThat(Written.of(set, 0))
                .startsWith("GET /a%20b%0D%0AX:%201 HTTP/1.1\n")
                .contains("\nY: a b  X: 1\n");
    }

    @Test
    void a_form_may_stand_on_several_lines() {
        assertThat(Written.of("""
                POST http://h/
                Content-Type: application/x-www-form-urlencoded

                name=foo
                &password=bar
                """)).endsWith("Content-Length: 21\n\nname=foo&password=bar");
    }

    @Test
    void a_body_may_come_from_files(@TempDir Path folder) throws Exception {
        Files.writeString(folder.resolve("raw.json"), "{{raw}}");
        Files.writeString(folder.resolve("typed.json"), "{{$env.TOKEN}}");
        HttpFile file = Written.file("POST http://h/\n\n< ./raw.json\n\n###\nPUT http://h/\n\n<@ typed.json\n", folder);
        RequestSet set = RequestSet.of(
                file.requests(),
                Optional.empty(),
                Variables.ofProcess(Map.of("TOKEN", "t0p")),
                RequestSet.Order.IN_TURN,
                1);
        assertThat(Written.of(set, 0)).endsWith("\n\n{{raw}}");
        assertThat(Written.of(set, 1)).endsWith("\n\nt0p");
    }

    @Test
    void a_key_that_an_editor_would_sign_with_and_a_password_for_a_digest_are_not_sent_as_they_are() {
        for (String value : new String[] {
            "AWS AKIA s3cret region: eu-west-1 service:execute-api", "AWS {{key}} {{s3cret}}", "aws AKIA s3cret"
        }) {
            assertThatThrownBy(() -> Written.of("GET http://h/\nAuthorization: " + value))
                    .hasMessageContaining(
                            ":2: 'Authorization: AWS KEY SECRET' is not signed here: leave the header out,"
                                    + " give --aws-sigv4 REGION:SERVICE")
                    .hasMessageNotContaining("s3cret");
        }
        for (String value : new String[] {"Digest ann s3cret", "Digest ann:s3cret", "Digest {{user}} {{s3cret}}"}) {
            assertThatThrownBy(() -> Written.of("GET http://h/\nAuthorization: " + value))
                    .hasMessageContaining("'Authorization: Digest USER PASSWORD' is not supported")
                    .hasMessageNotContaining("s3cret");
        }
        assertThat(Written.of("GET http://h/\nAuthorization: Digest username=\"ann\", realm=\"r\""))
                .contains("Authorization: Digest username=\"ann\", realm=\"r\"\n");
        assertThat(Written.of("GET http://h/\nAuthorization: AWS AKIA:signature"))
                .contains("Authorization: AWS AKIA:signature\n");
    }

    @Test
    void blanks_of_a_form_are_encoded_or_left_out() {
        assertThat(Written.of("POST http://h/\nContent-Type: application/x-www-form-urlencoded\n\n"
                        + "first name = Ann  Lee &\n  formula = a = b&\nid={{ $env.NOBODY }}&x=1\n"
                                .replace("{{ $env.NOBODY }}", "7")))
                .endsWith("\n\nfirst+name=Ann+Lee&formula=a+=+b&id=7&x=1");
        assertThat(BodyReader.formEncoded("a = {{ b & c }} &d")).isEqualTo("a={{ b & c }}&d");
    }

    /** As in a URL, a value adds no pair; but pairs may stand in a variable. */
    @Test
    void values_of_a_form_are_encoded_where_they_belong_to_a_pair() {
        assertThat(Written.of("@v = x y&z=1+2%20\n@rest = b=2&c=3\nPOST http://h/\n"
                        + "Content-Type: application/x-www-form-urlencoded\n\n"
                        + "a={{v}}&lit=x y&{{v}}={{v}}&\n{{rest}}"))
                .endsWith("\n\na=x%20y%26z%3D1%2B2%2520&lit=x+y&x%20y%26z%3D1%2B2%2520=x%20y%26z%3D1%2B2%2520&b=2&c=3");
    }

    /** An included text is as if it stood there; the bytes of a file without variables are sent as they are. */
    @Test
    void an_included_text_of_a_form_is_part_of_the_form(@TempDir Path folder) throws Exception {
        Files.writeString(folder.resolve("pairs.txt"), "q = {{v}} &\n n=1\n");
        Files.writeString(folder.resolve("value.txt"), "{{v}}");
        Files.writeString(folder.resolve("raw.txt"), "r= {{v}}&s=");
        String form =
                "@v = x&admin=1\n@rest = c=3&d=4\nPOST http://h/\nContent-Type: Application/x-www-form-urlencoded;"
                        + " charset=utf-8\n\n";
        for (String[] one : new String[][] {
            {"<@ ./pairs.txt", "q=x%26admin%3D1&n=1"},
            {"a=\n<@ ./value.txt\n&b={{v}}", "a=x%26admin%3D1&b=x%26admin%3D1"},
            {"a=1&\n<@ ./value.txt\n&{{rest}}", "a=1&x&admin=1&c=3&d=4"},
            {"< ./raw.txt\n{{v}}&{{rest}}", "r= {{v}}&s=x%26admin%3D1&c=3&d=4"},
            {"< ./raw.txt\n&{{rest}}", "r= {{v}}&s=&c=3&d=4"},
        }) {
            HttpFile file = Written.file(form + one[0], folder);
            RequestSet set = RequestSet.of(
                    file.requests(),
                    Optional.empty(),
                    Variables.none().or(file.variables()),
                    RequestSet.Order.IN_TURN,
                    1);
            assertThat(Written.of(set, 0)).endsWith("\n\n" + one[1]);
        }
    }

    @Test
    void a_password_of_basic_authentication_is_encoded_as_editors_do() {
        assertThat(Written.of("GET http://h/\nAuthorization: Basic user passwd"))
                .contains("Authorization: Basic dXNlcjpwYXNzd2Q=\n");
    }

    @ParameterizedTest
    @ValueSource(strings = {"login", "log in", "v1.login"})
    void a_variable_of_the_rest_client_is_a_capture(String name) {
        RequestSet set = Written.set("""
                ### %1$s
                POST http://h/login

                ###
                GET http://h/me
                Authorization: Bearer {{%1$s.response.body.$.token}}
                """.formatted(name), RequestSet.Order.SESSION);
        assertThat(Written.write(set.writer(1, false), Written.exchange(0, 1)))
                .isEqualTo("not sent: {{" + name + ".response.body.$.token}} was not captured");
    }

    @Test
    void a_value_of_the_file_holds_until_one_is_captured() {
        RequestSet set = Written.set("""
                @token = first
                GET http://h/{{token}}

                ###
                # @capture token = json /token
                POST http://h/{{token}}

                ###
                GET http://h/{{token}}
                """, RequestSet.Order.SESSION);
        assertThat(Written.write(set.writer(1, false), Written.exchange(0, 0))).startsWith("GET /first ");
        assertThat(Written.write(set.writer(1, false), Written.exchange(0, 1))).startsWith("POST /first ");
        assertThat(Written.write(set.writer(1, false), Written.exchange(0, 2)))
                .isEqualTo("not sent: {{token}} was not captured");
    }

    /** A secret that a file was made of often ends with one. */
    @Test
    void a_line_break_in_a_variable_of_the_environment_adds_no_header() {
        HttpFile file = Written.file("GET http://h/{{$env.TOKEN}}\nA: b {{$env.TOKEN}} {{token}}\n");
        Variables variables =
                Variables.ofProcess(Map.of("TOKEN", "t\r\nEvil: 1\n")).or(Map.of("token", "u\nEvil: 2"));
        RequestSet set = RequestSet.of(file.requests(), Optional.empty(), variables, RequestSet.Order.MIX, 1);
        assertThat(Written.of(set, 0))
                .startsWith("GET /t%0D%0AEvil:%201%0A HTTP/1.1\n")
                .contains("\nA: b t  Evil: 1  u Evil: 2\n")
                .doesNotContain("\nEvil");
    }

    @Test
    void all_expected_statuses_hold() {
        assertThat(expected("# @expect 2xx\n# @expect 204\n")).isEqualTo("HTTP 200, expected 204");
        assertThat(expected("# @expect 200-299\n# @expect 150-250\n# @expect 201,204\n"))
                .isEqualTo("HTTP 200, expected 201,204");
        assertThat(expected("# @expect 203,204\n# @expect 202,203\n"))
                .isEqualTo("HTTP 200, expected 203,204 and 202,203");
    }

    /** Browsers accept more codings than the JDK reads. */
    @Test
    void a_body_in_another_coding_is_not_read_as_text() {
        RequestWriter writer = Written.set("# @expect body ok\nGET http://h/\n", RequestSet.Order.MIX)
                .writer(1, false);
        Exchange exchange = Written.exchange(0, 0);
        for (String coding : List.of("br", "gzip", "identity")) {
            Written.write(writer, exchange);
            RequestWriter.ResponseSink sink = Objects.requireNonNull(writer.sink(exchange));
            for (String line : List.of("HTTP/1.1 200 OK", "Content-Encoding: " + coding)) {
                sink.line(line.getBytes(StandardCharsets.US_ASCII), 0, line.length());
            }
            sink.body(new byte[] {'o', 'k'}, 0, 2);
            exchange.status = 200;
            assertThat(writer.outcome(exchange, Outcome.answered()).reason())
                    .isEqualTo(
                            switch (coding) {
                                case "br" ->
                                    "HTTP 200, its body is in br, which is not read: send 'Accept-Encoding: gzip'";
                                case "gzip" -> "HTTP 200, expected body ok";
                                default -> Outcome.answered().reason();
                            });
        }
    }

    private static String expected(String directives) {
        RequestWriter writer = Written.set(directives + "GET http://h/\n", RequestSet.Order.MIX)
                .writer(1, false);
        Exchange exchange = Written.exchange(0, 0);
        Written.write(writer, exchange);
        exchange.status = 200;
        return writer.outcome(exchange, Outcome.answered()).reason();
    }

    @Test
    void the_same_title_twice_makes_two_names() {
        assertThat(Written.file("### a\nGET http://h/1\n### a\nGET http://h/2\n")
                        .requests())
                .extracting(RequestText::name)
                .containsExactly("a", "a (2)");
    }

    @Test
    void windows_line_ends_mean_nothing() {
        assertThat(Written.of("POST http://h/\r\nA: b\r\n\r\n{}\r\n\r\n")).endsWith("A: b\nContent-Length: 2\n\n{}");
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', textBlock = """
                    GET http://h/{{missing}} | shop.http:1: {{missing}} has no value
                    // @wait 3~GET http://h/ | shop.http:1: @wait: unknown directive
                    // @weight 0~GET http://h/ | shop.http:1: @weight: a weight must be a whole number from 1
                    // @weight 1000001~GET http://h/ | shop.http:1: @weight: a weight must be a whole number from 1 to 1000000, but was '1000001'
                    // @weight many~GET http://h/ | shop.http:1: @weight: a weight must be a whole number
                    // @expect 20~GET http://h/ | shop.http:1: @expect: expected a status such as 200
                    // @think 3~GET http://h/ | shop.http:1: @think:
                    // @capture x = xpath //a~GET http://h/ | shop.http:1: @capture: expected 'NAME = json /pointer'
                    @a = {{b}}~@b = {{a}}~GET http://h/{{a}} | shop.http:3: the variable {{a}} refers to itself: a -> b -> a
                    GET http://h/~Authorization Bearer s3cret | shop.http:2: expected a header 'Name: value', or an empty line before the body, but found 'Authorization ...'
                    GET http://h/~Content-Type: a~~< ./none.json | shop.http:4: no such file: ./none.json
                    GET http://h/~~> {% client.log(1) | shop.http:3: a script is not closed
                    GRPC localhost:1/a | shop.http:1: GRPC is not supported
                    GET http://h/ HTTP/2 | shop.http:1: HTTP/2 is not supported
                    GET ftp://h/ | shop.http:1: expected a URL of http or https
                    GET http://h/{{$random.integer(5, 1)}} | shop.http:1: {{$random.integer(5, 1)}}: the first number
                    GET http://h/{{$random.integer(5, 5)}} | shop.http:1: {{$random.integer(5, 5)}}: the first number
                    GET http://h/{{$random.integer(-9000000000000000000, 9000000000000000000)}} | shop.http:1: {{$random.integer(-9000000000000000000, 9000000000000000000)}}: the first number
                    GET http://h/{{$random.integer(1, x)}} | shop.http:1: {{$random.integer(1, x)}} must have two whole numbers
                    GET http://h/{{$nobody}} | shop.http:1: unknown variable {{$nobody}}
                    GET http://h/{{$env.NONE}} | shop.http:1: {{$env.NONE}} has no value: the environment variable NONE
                    GET http://h/{{d.b}} | shop.http:1: {{d.b}}: there is no column 'b' (there are: a)
                    GET http://{{d.a}}/ | shop.http:1: the host of
                    GET /x | shop.http:1: the URL has no host
                    GET http://h/{{in.response.body.t}}~###~# @name in~POST http://h/ | shop.http:1: {{in.response.body.t}} has no value: it comes from the response to 'in', which is sent later: move it up
                    // @name in~POST http://h/{{in.response.body.t}} | shop.http:2: {{in.response.body.t}} has no value: it comes from the response to 'in', which is this request
                    // @name login~POST http://h/~###~GET http://h/~A: {{logim.response.headers.B}} | shop.http:5: {{logim.response.headers.B}} has no value: no request is called 'logim'; the nearest is 'login'
                    GET http://h/{{at.response.body.t}}~###~# @name login~POST http://h/ | shop.http:1: {{at.response.body.t}} has no value: no request is called 'at' (there are: GET http://h/
                    GET http://h/{{t}}~### later~# @capture t = json /t~POST http://h/ | shop.http:1: {{t}} has no value: it comes from the response to 'later', which is sent later
                    @a = {{t}}~GET http://h/{{a}}~### later~# @capture t = json /t~POST http://h/ | shop.http:2: {{t}} has no value: it comes from the response to 'later'
                    // @expect 200~# @expect 201~GET http://h/ | shop.http:3: no status is both 200 and 201: write statuses to choose from as 200,201
                    // nothing | shop.http: there is no request in it
                    """)
    void unreadable_input_is_refused_with_its_position(String text, String message) {
        DataFile data = DataFile.parse("d", DataFile.Use.SEQUENTIAL, "a\n1\n", "d.csv");
        assertThatThrownBy(() -> Written.set(text.replace('~', '\n'), RequestSet.Order.MIX, data))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith(message);
    }

    @Test
    void a_body_of_more_than_64_MiB_is_refused_before_it_is_read(@TempDir Path folder) throws IOException {
        try (RandomAccessFile large =
                new RandomAccessFile(folder.resolve("large.bin").toFile(), "rw")) {
            large.setLength((64 << 20) + 1); // sparse: nothing is written
        }
        assertThatThrownBy(() -> Written.file("POST http://h/\n\n< ./large.bin", folder))
                .hasMessage("shop.http:3: ./large.bin is larger than 64 MiB");
    }

    @Test
    void captures_are_refused_in_a_mix() {
        assertThatThrownBy(() -> Written.set(SHOP, RequestSet.Order.MIX)).hasMessageContaining("add --sessions 10/s");
    }

    @Test
    void environments_are_those_of_the_editor_and_private_values_go_first(@TempDir Path folder) throws Exception {
        Files.writeString(
                folder.resolve("http-client.env.json"), "{\"dev\": {\"host\": \"http://d\", \"n\": 1}, \"prod\": {}}");
        Files.writeString(folder.resolve("http-client.private.env.json"), "{\"dev\": {\"host\": \"http://p\"}}");
        assertThat(EnvironmentFiles.read(folder, "dev"))
                .containsEntry("host", "http://p")
                .containsEntry("n", "1");
        assertThatThrownBy(() -> EnvironmentFiles.read(folder, "test")).hasMessageContaining("(defined: dev, prod)");
        Files.writeString(
                folder.resolve("http-client.private.env.json"),
                "{\"$shared\": {\"host\": \"http://s\", \"k\": \"1\"}}");
        assertThat(EnvironmentFiles.read(folder, "dev"))
                .containsEntry("host", "http://d")
                .containsEntry("k", "1");
        Files.writeString(folder.resolve("http-client.private.env.json"), "{\"dev\": \"http://d\"}");
        assertThatThrownBy(() -> EnvironmentFiles.read(folder, "dev"))
                .hasMessage("http-client.private.env.json: \"dev\" must be an object of variables");
        Files.writeString(folder.resolve("http-client.env.json"), "{\"dev\": ");
        assertThatThrownBy(() -> EnvironmentFiles.read(folder, "dev"))
                .hasMessageStartingWith("http-client.env.json: invalid JSON at");
    }

    @Test
    void a_query_of_graphql_is_a_post_of_json() {
        String query = """
                GRAPHQL http://h/graphql

                query Item($id: ID!) {
                  item(id: $id) { name, "a\\b" }
                }

                {"id": "{{d.a}}"}
                """;
        DataFile data = DataFile.parse("d", DataFile.Use.SEQUENTIAL, "a\n7\n", "d.csv");
        assertThat(Written.of(Written.set(query, RequestSet.Order.MIX, data), 0))
                .startsWith("POST /graphql HTTP/1.1\n")
                .contains("\nContent-Type: application/json\n")
                .endsWith("\n\n{\"query\": \"query Item($id: ID!) {\\n  item(id: $id) { name, \\\"a\\\\b\\\" }\\n}\","
                        + " \"variables\": {\"id\": \"7\"}}");
        assertThat(Written.of("POST http://h/\nX-REQUEST-TYPE: GraphQL\n\n{ a }"))
                .doesNotContain("X-REQUEST-TYPE")
                .endsWith("\n\n{\"query\": \"{ a }\"}");
    }

    @Test
    void notes_are_few() {
        assertThat(Written.file("GET http://h/\n\n> ./handler.js\n").notes())
                .isEqualTo(List.of(
                        "shop.http:3: the response handler is not run: write what it checks as '# @expect 200'"));
    }
}
