package dev.downbeat.http.requests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import dev.downbeat.arrival.Constant;
import dev.downbeat.arrival.Rate;
import dev.downbeat.http.HttpTarget;
import dev.downbeat.http.options.HttpOptions;
import dev.downbeat.http.requests.file.CurlLine;
import dev.downbeat.http.requests.file.EnvironmentFiles;
import dev.downbeat.http.requests.file.HarRequests;
import dev.downbeat.http.requests.file.HttpFile;
import dev.downbeat.http.requests.file.HurlFile;
import dev.downbeat.http.requests.file.RequestText;
import dev.downbeat.http.requests.value.DataFile;
import dev.downbeat.http.requests.value.SourcePosition;
import dev.downbeat.http.requests.value.Variables;
import dev.downbeat.record.Ledger;
import dev.downbeat.run.Progress;
import dev.downbeat.run.RunPlan;
import dev.downbeat.run.RunResult;
import dev.downbeat.run.Workload;
import dev.downbeat.run.engine.LoadRun;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Lists of vegeta, lines of curl, archives of browsers. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class OtherSourcesTest {
    private static String first(List<RequestText> requests) {
        return Written.of(RequestSet.of(requests, Optional.empty(), Variables.none(), RequestSet.Order.IN_TURN, 1), 0);
    }

    private static String curl(String line) throws IOException {
        return first(CurlLine.parse(line, new SourcePosition("--curl", 1), Path.of(""))
                .requests());
    }

    @Test
    void characters_that_browsers_escape_in_a_line_of_curl_are_those_that_they_mean() throws Exception {
        assertThat(curl("curl 'http://h/' --data-raw $'{\"a\":\"wow\\u0021\\u00e9 \\x41\\101\\n\\'\\U0001F600\"}'"))
                .endsWith("\n\n{\"a\":\"wow!\u00e9 AA\n'\ud83d\ude00\"}");
        assertThat(curl("curl $'http://h/\\u'")).startsWith("GET /u ");
        assertThat(curl("curl http://h/ --data-raw $'\\xc3\\xa9 \\303\\251 \\xe9\\x21'"))
                .endsWith("\n\n\u00e9 \u00e9 \u00e9!");
    }

    /** Methods are case-sensitive (RFC 9110, 9.1), so only HEAD is the one whose answer has no body. */
    @ParameterizedTest
    @ValueSource(strings = {"HEAD", "head"})
    void the_answer_ends_where_that_of_the_method_as_written_ends(String method) throws Exception {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 64);
        server.createContext("/", exchange -> {
            boolean isHead = exchange.getRequestMethod().equals("HEAD");
            exchange.sendResponseHeaders(200, isHead ? -1 : 5);
            if (!isHead) {
                exchange.getResponseBody().write(new byte[5]);
            }
            exchange.close();
        });
        server.start();
        try {
            String line = "curl -X " + method + " http://127.0.0.1:"
                    + server.getAddress().getPort();
            RequestSet set = RequestSet.of(
                    CurlLine.parse(line, new SourcePosition("--curl", 1), Path.of(""))
                            .requests(),
                    Optional.empty(),
                    Variables.none(),
                    RequestSet.Order.IN_TURN,
                    1);
            RunPlan plan = RunPlan.builder(new Workload.Open(new Constant(Rate.perSecond(500))))
                    .maxRequests(20)
                    .build();
            HttpTarget target = new HttpTarget(set, HttpOptions.of(draft -> draft.connections = 1));
            RunResult result = new LoadRun(plan, target).run(Progress.none());
            assertThat(result.ledger()).isEqualTo(new Ledger(20, 20, 0, 0, 0, 0, 0));
            assertThat(result.connections().opened()).isEqualTo(1);
        } finally {
            server.stop(0);
        }
    }

    @Test
    void of_a_header_and_an_option_with_the_same_meaning_curl_sends_the_header() throws Exception {
        assertThat(curl("curl http://h/ --compressed -H 'accept-encoding: br' -u a:b -H 'Authorization: Bearer x'"
                        + " -b a=1 -H 'Cookie: c=2' -A x -H 'User-Agent: y' -e r -H 'Referer: s' -H 'X-Empty;'"))
                .endsWith("""
                        Accept: */*
                        accept-encoding: br
                        Authorization: Bearer x
                        User-Agent: y
                        Referer: s
                        X-Empty:\s
                        Cookie: c=2

                        """);
        assertThat(curl("curl http://h/ -b a=1 -b b=2")).contains("\nCookie: a=1; b=2\n");
    }

    @Test
    void data_of_several_options_are_joined_as_curl_joins_them(@TempDir Path folder) throws Exception {
        Path file = Files.writeString(folder.resolve("a"), "x\ny");
        assertThat(curl("curl http://h/ -d a --data-binary @" + file + " -d @" + file))
                .endsWith("\n\na&x\ny&xy");
        assertThat(curl("curl http://h/ --json '{' --json '}'")).endsWith("Content-Length: 2\n\n{}");
        assertThat(curl("curl http://h/ --data-urlencode 'q=a*b~c'")).endsWith("\n\nq=a%2Ab~c");
        assertThat(curl("curl -G http://h/ -d a --data-binary @" + file)).startsWith("GET /?a&x%0Ay HTTP");
    }

    @Test
    void lines_of_curl_are_told_apart_as_by_a_shell(@TempDir Path folder) throws Exception {
        String copied = "# all\r\n/usr/bin/curl 'http://h/a' \\\r\n -H 'A: b' ;\ncurl 'http://h/b' -d '{\n\n}' # c\n";
        Path file = Files.writeString(folder.resolve("all.sh"), copied);
        List<RequestText> requests = CurlLine.parse(file).requests();
        assertThat(requests).extracting(RequestText::name).containsExactly("GET /a", "POST /b");
        assertThat(first(requests.subList(1, 2))).endsWith("\n\n{\n\n}");
        Files.writeString(file, copied + "curl -F a=b http://h/");
        assertThatThrownBy(() -> CurlLine.parse(file)).hasMessageStartingWith("all.sh:7: curl's -F");
        assertThat(CurlLine.parse("curl h:1/a ; curl h:1/b", new SourcePosition("--curl", 1), Path.of(""))
                        .requests())
                .hasSize(2);
    }

    @Test
    void a_line_of_curl_is_what_curl_sends() throws Exception {
        assertThat(curl("curl 'http://h/a?b=c' -H 'Accept: text/html' -H \"X: \\\"y\\\"\" --compressed"))
                .isEqualTo("""
                        GET /a?b=c HTTP/1.1
                        Host: h
                        User-Agent: downbeat
                        Accept: text/html
                        X: "y"
                        Accept-Encoding: gzip

                        """);
        assertThat(curl("curl -XPOST http://h/ -d a=1 -d b=2 -u ann:pw"))
                .startsWith("POST / HTTP/1.1\n")
                .contains("Authorization: Basic YW5uOnB3\n", "Content-Type: application/x-www-form-urlencoded\n")
                .endsWith("\n\na=1&b=2");
        assertThat(curl("curl -G http://h/s --data-urlencode 'q=a b&c' -b k=v"))
                .startsWith("GET /s?q=a%20b%26c HTTP/1.1\n")
                .contains("Cookie: k=v\n");
        assertThat(curl("curl http://h/ --json '{\"a\":1}' -X PUT"))
                .startsWith("PUT / ")
                .contains("Content-Type: application/json\n")
                .endsWith("{\"a\":1}");
        assertThat(curl("curl --data-raw $'it\\'s\\n' http://h/")).endsWith("\n\nit's\n");
        assertThat(curl("curl -sSI h:81/x")).startsWith("HEAD /x HTTP/1.1\nHost: h:81\n");
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', textBlock = """
            -d 'q={{v}}&n=1'                                                        | q=x%26admin%3D1&n=1
            -d q={{v}} -d n={{v}}                                                   | q=x%26admin%3D1&n=x%26admin%3D1
            -d {{v}} -d 'a = b'                                                     | x&admin=1&a = b
            --data-raw q={{v}}                                                      | q=x%26admin%3D1
            --data-urlencode '{{v}}=1&2'                                            | x%26admin%3D1=1%262
            -d @pairs.txt                                                           | q= x%26admin%3D1&n=1
            --data-binary @pairs.txt                                                | q= {{v}}&~n=1~
            -d @plain.txt -d {{v}}                                                  | a = b +%2b&c=&x&admin=1
            -H 'content-type: application/x-www-form-urlencoded' --data-raw q={{v}} | q=x%26admin%3D1
            -H 'Content-Type: text/plain' -d q={{v}}                                | q=x&admin=1
            -H Content-Type: -d q={{v}}                                             | q=x&admin=1
            --json '{"q=":"{{v}}"}'                                                 | {"q=":"x&admin=1"}
            -d '{"q":"{{v}}"}'                                                      | {"q":"x&admin=1"}
            """, quoteCharacter = '`')
    void a_value_in_a_form_of_a_curl_line_adds_no_pair(String options, String body, @TempDir Path folder)
            throws Exception {
        Files.writeString(folder.resolve("pairs.txt"), "q= {{v}}&\nn=1\n");
        Files.writeString(folder.resolve("plain.txt"), "a = b +%2b&\nc=");
        String line = "curl 'http://h/' " + options;
        HttpFile file = CurlLine.parse(line, new SourcePosition("--curl", 1), folder);
        RequestSet set = RequestSet.of(
                file.requests(),
                Optional.empty(),
                Variables.none().or(Map.of("v", "x&admin=1")),
                RequestSet.Order.IN_TURN,
                1);
        assertThat(Written.of(set, 0)).endsWith("\n\n" + body.replace('~', '\n'));
    }

    @Test
    void options_with_a_value_that_is_not_used_are_passed_over_with_it() throws Exception {
        HttpFile file = CurlLine.parse(
                "curl -m 5 --connect-timeout 3 -o out -w x -fsS -ux http://h",
                new SourcePosition("--curl", 1),
                Path.of(""));
        assertThat(file.notes())
                .containsExactly(
                        "--curl:1: curl's -m is ignored: use downbeat's --timeout",
                        "--curl:1: curl's --connect-timeout is ignored: use downbeat's --connect-timeout");
        assertThat(file.requests()).extracting(RequestText::name).containsExactly("GET /");
        assertThat(first(file.requests())).contains("Authorization: Basic eDo=\n");
        assertThat(curl("curl http://h/?a=1 -G -d b=2 -d c")).startsWith("GET /?a=1&b=2&c HTTP");
        assertThatThrownBy(() -> curl("curl http://h/ http://i/"))
                .hasMessage("--curl:1: a curl line must have one URL, but has another: 'http://i/'");
        assertThatThrownBy(() -> curl("curl http://h/ -H ';'")).hasMessageContaining("expected a header 'Name: value'");
    }

    @Test
    void unsupported_curl_options_are_reported_or_refused() throws Exception {
        assertThat(CurlLine.parse("curl -L http://h/", new SourcePosition("--curl", 1), Path.of(""))
                        .notes())
                .containsExactly("--curl:1: curl's -L is ignored: use downbeat's --follow 10");
        assertThatThrownBy(() -> curl("curl -F a=b http://h/"))
                .hasMessageStartingWith("--curl:1: curl's -F is not supported");
        assertThatThrownBy(() -> curl("curl -X 'A B' http://h/"))
                .hasMessage("--curl:1: method 'A B' is not a token (accepted: GET, POST, ...)");
        assertThatThrownBy(() -> curl("curl -H")).hasMessage("--curl:1: curl's -H needs a value");
        assertThatThrownBy(() -> curl("curl 'http://h/"))
                .hasMessage("--curl:1: a quote is not closed in the curl line");
        assertThatThrownBy(() -> curl("curl -s")).hasMessage("--curl:1: the curl line has no URL");
    }

    @Test
    void an_archive_gives_the_requests_to_its_first_host() {
        HttpFile file = HarRequests.parse("""
                {"log": {"entries": [
                  {"request": {"method": "GET", "url": "https://h/a", "headers": [
                    {"name": ":authority", "value": "h"}, {"name": "Accept", "value": "x"}, {"name": "Host", "value": "h"}]}},
                  {"request": {"method": "GET", "url": "https://cdn/x", "headers": []}},
                  {"request": {"method": "POST", "url": "https://h/b", "headers": [], "postData": {"text": "{}"}}}
                ]}}""", "s.har");
        assertThat(file.requests()).extracting(RequestText::name).containsExactly("GET /a", "POST /b");
        assertThat(file.notes()).hasSize(1).first().asString().contains("1 of 3 requests go to other hosts");
        assertThat(first(file.requests())).isEqualTo("GET /a HTTP/1.1\nHost: h\nUser-Agent: downbeat\nAccept: x\n\n");
        assertThatThrownBy(() -> HarRequests.parse("{}", "s.har")).hasMessageContaining("no request over HTTP");
        assertThatThrownBy(() -> HarRequests.parse("{", "s.har")).hasMessageStartingWith("s.har: invalid JSON at");
    }

    /** Reads one kind of file. */
    private interface Reading {
        Object of(Path file) throws IOException;
    }

    @Test
    void a_byte_order_mark_means_nothing_and_other_encodings_are_refused_with_the_name_of_the_file(@TempDir Path folder)
            throws Exception {
        Map<String, Reading> readings = Map.of(
                "GET http://h/", HttpFile::parse,
                "GET http://h/a", HurlFile::parse,
                "curl http://h/", CurlLine::parse,
                "{\"log\": {\"entries\": [{\"request\": {\"method\": \"GET\", \"url\": \"http://h/\"}}]}}",
                        HarRequests::parse,
                "{\"a\": {}}", file -> EnvironmentFiles.read(folder, "a"),
                "a\n1\n", file -> DataFile.read("d", DataFile.Use.ONCE, file));
        for (Map.Entry<String, Reading> one : readings.entrySet()) {
            Path file = Files.writeString(folder.resolve("http-client.env.json"), "\uFEFF" + one.getKey());
            assertThat(one.getValue().of(file)).isNotNull();
            Files.write(file, new byte[] {'a', (byte) 0xe9});
            assertThatThrownBy(() -> one.getValue().of(file)).hasMessageEndingWith(".json: not UTF-8 text");
        }
    }

    @Test
    void data_are_read_as_spreadsheets_write_them() {
        DataFile data = DataFile.parse(
                "d", DataFile.Use.SEQUENTIAL, "a,b\r\n\"x,1\",\"say \"\"hi\"\"\"\r\n\r\n2,\r\n", "d.csv");
        assertThat(data.size()).isEqualTo(2);
        RequestSet set = Written.set("POST http://h/\n\n{{d.a}}|{{d.b}}", RequestSet.Order.MIX, data);
        assertThat(Written.of(set, 0)).endsWith("\n\nx,1|say \"hi\"");
        assertThat(Written.of(set, 1)).endsWith("\n\n2|");
        assertThat(Written.of(set, 2)).endsWith("\n\nx,1|say \"hi\"");
        assertThatThrownBy(() -> DataFile.parse("d", DataFile.Use.ONCE, "a,b\n1\n", "d.csv"))
                .hasMessage("d.csv:2: expected 2 columns, but found 1");
        assertThatThrownBy(() -> DataFile.parse("d", DataFile.Use.ONCE, "a\n", "d.csv"))
                .hasMessageContaining("at least one data row, but found 1 row");
    }
}
