package dev.downbeat.http.requests.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.downbeat.http.requests.RequestSet;
import dev.downbeat.http.requests.Written;
import dev.downbeat.http.requests.check.Capture;
import dev.downbeat.http.requests.check.Expectation;
import dev.downbeat.http.requests.check.ReceivedResponse;
import dev.downbeat.http.requests.file.RequestText.Directives;
import dev.downbeat.http.requests.value.DataFile;
import dev.downbeat.http.requests.value.Variables;
import dev.downbeat.run.ThinkTime;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
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

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class HurlFileTest {
    @TempDir
    private Path folder;

    private HttpFile file(String text) throws IOException {
        return HurlFile.parse(text, "orders.hurl", new BodyFiles(folder));
    }

    /** The first request, as it goes on the wire. */
    private String wire(String text) throws IOException {
        HttpFile file = file(text);
        Variables variables = Variables.ofProcess(Map.of()).or(file.variables()).or(Map.of("who", "me you"));
        return Written.of(RequestSet.of(file.requests(), Optional.empty(), variables, RequestSet.Order.SESSION, 7), 0);
    }

    private List<String> expected(String text) throws IOException {
        return file(text).requests().get(0).directives().expectations().stream()
                .map(Expectation::text)
                .toList();
    }

    @Test
    void invalid_numbers_and_characters_are_rejected() throws IOException {
        String checked = "GET http://h/\nHTTP 200\n[Asserts]\njsonpath \"$.v\" == ";
        assertThat(expected(checked + "-1.5e3")).hasSize(2);
        assertThat(expected(checked + "1.2.3")).hasSize(1);
        assertThat(file(checked + "1.2.3").notes()).hasSize(1);
        assertThat(wire("GET http://h/\nX-Smile: \\u{1F600}\n")).contains("\uD83D\uDE00");
        assertThat(wire("GET http://h/\nX-Smile: \\u{110000}\n")).contains("u{110000}");
    }

    @Test
    void a_request_has_its_headers_parameters_and_cookies() throws IOException {
        assertThat(wire("""
                # what a shop asks
                GET http://h/items?page=1   # the second page is empty
                Accept: text/html # a comment
                X-Tag: BEEF \\#STEAK

                [Query]
                q: Install Linux
                who: {{who}}
                [Cookies]
                theme: light
                id: 7
                [BasicAuth]
                ann: pw
                HTTP 200
                """)).isEqualTo("""
                        GET /items?page=1&q=Install%20Linux&who=me%20you HTTP/1.1
                        Host: h
                        User-Agent: downbeat
                        Accept: text/html
                        X-Tag: BEEF #STEAK
                        Authorization: Basic YW5uOnB3
                        Cookie: theme=light; id=7

                        """);
    }

    @Test
    void a_value_in_a_query_or_form_stays_one_field() throws IOException {
        DataFile data = DataFile.parse("d", DataFile.Use.SEQUENTIAL, "a\n\"x&y+z #é\"\n", "d.csv");
        Variables variables = Variables.ofProcess(Map.of())
                .or(Map.of("city", "Bath & Wells=x+y", "n", "a&b"))
                .with(List.of(data));
        HttpFile file = file("""
                POST http://h/a?p={{n}}#top
                [Query]
                q: {{city}} & more
                x{{n}}: {{d.a}}
                [Form]
                x{{n}}: {{city}}
                d: {{d}}
                """);
        RequestSet set = RequestSet.of(file.requests(), Optional.empty(), variables, RequestSet.Order.SESSION, 7);
        assertThat(Written.of(set, 0))
                .startsWith("POST /a?p=a&b&q=Bath%20%26%20Wells%3Dx%2By%20%26%20more&xa%26b=x%26y%2Bz%20%23%C3%A9 HTTP")
                .endsWith("\n\nxa%26b=Bath%20%26%20Wells%3Dx%2By&d=x%26y%2Bz%20%23%C3%A9");
        assertThat(wire("GET http://h\n[Query]\na: b\n")).startsWith("GET /?a=b HTTP");
    }

    @Test
    void bodies_end_where_they_say() throws IOException {
        assertThat(wire("POST http://h/\n{\n  \"a\": \"}{{who}}\",\n  \"b\": [1]\n} # end\nHTTP 201\n"))
                .contains("Content-Type: application/json\n")
                .endsWith("\n\n{\n  \"a\": \"}me you\",\n  \"b\": [1]\n}");
        assertThat(wire("POST http://h/\nContent-Type: text/csv\n```\na,b\n1,2\n```\nHTTP *\n"))
                .contains("Content-Type: text/csv\n")
                .endsWith("\n\na,b\n1,2\n");
        assertThat(wire("POST http://h/\n```json\n{\"x\": 1}\n```\n")).contains("Content-Type: application/json\n");
        assertThat(wire("POST http://h/\n`one {{who}}`\n")).endsWith("\n\none me you");
        assertThat(wire("POST http://h/\n<a>\n <b/>\n</a>\n\nHTTP 200\n"))
                .contains("Content-Type: application/xml\n")
                .endsWith("\n\n<a>\n <b/>\n</a>");
        assertThat(wire("POST http://h/\n<a><b>1</b></a>  # end\n\n# second\nGET http://h/y\n"))
                .endsWith("\n\n<a><b>1</b></a>");
        assertThat(wire("""
                POST http://h/
                <?xml version="1.0"?>
                <!-- <a> -->
                <a b="/>" c='>'>
                SEE {{who}}
                <![CDATA[ </a> ]]><b/>
                # text
                </a>
                # a comment
                HTTP 200
                """)).endsWith("""


                        <?xml version="1.0"?>
                        <!-- <a> -->
                        <a b="/>" c='>'>
                        SEE me you
                        <![CDATA[ </a> ]]><b/>
                        # text
                        </a>""");
        String declared = "<!DOCTYPE a [<!-- it's ] --><!ENTITY x \"<b>]></b>\"><!ENTITY y '<c/>'>] >\n<a>1</a>";
        assertThat(wire("POST http://h/\n" + declared + "\nGET http://h/y\n")).endsWith("\n\n" + declared);
        assertThat(wire("POST http://h/\nbase64,aGVs\nbG8=;\n")).endsWith("\n\nhello");
        assertThat(wire("POST http://h/\nhex,68656c6c6f;\n")).endsWith("\n\nhello");
        Files.writeString(folder.resolve("data.bin"), "{{not filled}}");
        assertThat(wire("POST http://h/\nfile,data.bin;\n")).endsWith("\n\n{{not filled}}");
        assertThat(wire("POST http://h/\n```one```\n")).endsWith("\n\none");
        assertThat(wire("POST http://h/\n```\na\nb```\n")).endsWith("\n\na\nb");
        assertThat(wire("POST http://h/\n{\"a\": \"\\\"}\\\\\",\n\"b\": [{}]}\nHTTP 200\n"))
                .endsWith("\n\n{\"a\": \"\\\"}\\\\\",\n\"b\": [{}]}");
        assertThat(wire("POST http://h/\ntrue\nHTTP 200\n")).endsWith("\n\ntrue");
        assertThat(wire("POST http://h/\nX-Text: a\\\\b\\u{41}\\t{{who}}\\#c # d\n"))
                .contains("X-Text: a\\bA\tme you#c\n");
        assertThat(wire("POST http://h/\n[Form]\nname: Ann Lee\nx: a&b~*\n"))
                .contains("Content-Type: application/x-www-form-urlencoded\n")
                .endsWith("\n\nname=Ann%20Lee&x=a%26b~%2A");
    }

    @Test
    void long_texts_are_read() throws IOException {
        String text = "x".repeat(100_000);
        HttpFile file = HurlFile.parse(
                "GET http://h/\nHTTP 200\n[Captures]\na: regex /x+/\n[Asserts]\nbody contains \"" + text + "\"\n",
                "orders.hurl",
                new BodyFiles(Path.of("")));
        ReceivedResponse response = new ReceivedResponse();
        response.begin(true);
        response.body(text.getBytes(StandardCharsets.US_ASCII), 0, text.length());
        Directives read = file.requests().get(0).directives();
        assertThat(read.captures().get(0).from().in(response).orElseThrow())
                .asString()
                .isEqualTo(text);
        assertThat(read.expectations()).contains(new Expectation.BodyHas(text));
        assertThat(Capture.parse("a = regex ^(x|y)*$").from().in(response)).isEmpty();
    }

    @Test
    void requests_follow_each_other_with_what_they_capture() throws IOException {
        HttpFile file = file("""
                POST http://h/login
                [Options]
                delay: 1500ms
                variable: lang=en
                HTTP/2 200
                Content-Type: application/json
                [Captures]
                token: jsonpath "$['session'].token" redact
                etag: header "ETag"
                id: regex /id=(\\d+)/   # digits
                [Asserts]
                duration < 1000
                jsonpath "$.ok" == true
                {"ok": true}

                GET http://h/login
                HTTP/1.1 200
                POST http://h/login
                [Options]
                skip: true
                """);
        assertThat(file.requests()).extracting(RequestText::name).containsExactly("POST /login", "GET /login");
        assertThat(file.variables()).containsExactly(Map.entry("lang", "en"));
        Directives first = file.requests().get(0).directives();
        assertThat(first.think()).hasValue(new ThinkTime.Constant(1_500_000_000L));
        assertThat(first.captures().toString())
                .contains("name=token, from=OfJson[pointer=/session/token]")
                .contains("name=etag, from=OfHeader[header=ETag]")
                .contains("name=id, from=OfRegex[pattern=id=(\\d+)]");
        assertThat(first.expectations()).extracting(Expectation::text).containsExactly("200", "json /ok = true");
        assertThat(file.notes())
                .containsExactly(
                        "orders.hurl:5: response version is not checked; --http sets the version",
                        "orders.hurl:6: headers of responses are not checked in a run",
                        "orders.hurl:12: this assert is not checked in a run",
                        "orders.hurl:14: bodies of responses are not compared in a run: [Asserts] has jsonpath and body"
                                + " contains");
    }

    @Test
    void options_of_a_request_are_taken_over_or_noted() throws IOException {
        HttpFile file = file("""
                GET http://h/a
                [Options]
                skip: false
                delay: 20
                compressed: true
                insecure: true
                verbose: true
                """);
        RequestText only = file.requests().get(0);
        assertThat(only.directives().think()).hasValue(new ThinkTime.Constant(20_000_000));
        assertThat(only.header("Accept-Encoding")).hasValue("gzip");
        assertThat(file("GET http://h/\n[Options]\ncompressed: false\n")
                        .requests()
                        .get(0)
                        .headers())
                .isEmpty();
        assertThat(file.notes()).containsExactly("orders.hurl:6: the option insecure is ignored: use downbeat's -k");
    }

    @ParameterizedTest(name = "{0}")
    @ValueSource(
            strings = {
                "  # uses {{v}}~GET http://h/a # later {{v}}",
                "GET http://h/a/{{v}}~[Options]~skip: true~variable: v=0",
                "GET http://h/a~HTTP 200~[Asserts]~body contains \"{{v}}\"",
                "GET http://h/a~[Options]~variable: v=0~variable: v=2"
            })
    void a_variable_may_change_before_its_first_use(String above) throws IOException {
        HttpFile file = file((above + "~GET http://h/b/{{v}}~[Options]~variable: v=1").replace('~', '\n'));
        assertThat(file.variables()).containsExactly(Map.entry("v", "1"));
    }

    @Test
    void a_skipped_request_sets_its_variables() throws IOException {
        HttpFile file = file("GET http://h/\n[Options]\nskip: true\nvariable: v=0\nGET http://h/{{v}}\n");
        assertThat(file.variables()).containsExactly(Map.entry("v", "0"));
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "status == 404 | 404",
                "status > 499 | 500-599",
                "status <= 100 | 100-100",
                "jsonpath \"$.t\" == true | json /t = true",
                "jsonpath \"$.t\" == -0.5 | json /t = -0.5",
                "status < 300 | 100-299",
                "status >= 400 | 400-599",
                "status != 500 | 100-499,501-599",
                "status == 599 | 599",
                "status < 102 | 100-101",
                "status <= 599 | 100-599",
                "body contains \"x\" | body x",
                "body contains \"a \\\"b\\\"\" | body a \"b\"",
                "jsonpath \"$.cats[0].name\" == \"Felix # 1\" | json /cats/0/name = \"Felix # 1\"",
                "jsonpath \"$.n\" equals 4.5 # comment | json /n = 4.5",
            })
    void asserts_that_a_run_can_check_are_expected(String line, String text) throws IOException {
        assertThat(expected("GET http://h/\nHTTP *\n[Asserts]\n" + line)).containsExactly("100-599", text);
    }

    /** An empty text is in every body: to check it would only look like a check. */
    @ParameterizedTest(name = "{0}")
    @ValueSource(
            strings = {
                "body contains \"\"",
                "body == \"x\"",
                "status == 600",
                "status > 599",
                "status < 100",
                "body contains x",
                "jsonpath \"$.n\" == nothing",
                "jsonpath \"$.n[*]\" == 1",
                "status == 99",
                "jsonpath \"$.n\" > 4",
                "jsonpath \"$.n\" == {{who}}"
            })
    void asserts_that_a_run_cannot_check_are_noted(String line) throws IOException {
        String text = "GET http://h/\nHTTP *\n[Asserts]\n" + line;
        assertThat(expected(text)).containsExactly("100-599");
        assertThat(file(text).notes()).containsExactly("orders.hurl:4: this assert is not checked in a run");
    }

    @Test
    void a_captured_header_is_found_whatever_its_case() {
        ReceivedResponse response = new ReceivedResponse();
        response.begin(false);
        for (String line : List.of("HTTP/1.1 200 OK", "ETag:  \"v7\" ", "Etag: second")) {
            response.line(line.getBytes(StandardCharsets.ISO_8859_1), 0, line.length());
        }
        assertThat(new Capture.OfHeader("etag").in(response).orElseThrow())
                .asString()
                .isEqualTo("\"v7\"");
        assertThat(new Capture.OfHeader("tag").in(response)).isEmpty();
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "`` | orders.hurl: there is no request in it",
                "hello | orders.hurl:1: expected a request such as 'GET http://localhost:8080/', but found 'hello'",
                "GET http://h/~[Multipart]~a: file,b; | orders.hurl:2: [Multipart] is not supported here",
                "GET http://h/~HTTP 200~[Query] | orders.hurl:3: [Query] is not supported here",
                "GET http://h/~[Options]~retry: 3 | orders.hurl:3: the option retry is not supported",
                "GET http://h/{{v}}~[Options]~variable: v=1~HTTP 200~GET http://h/~[Options]~variable: v=2 | orders.hurl:7: a variable has one value in the whole file, but v has another above: rename one",
                "GET http://h/{{ v }}~GET http://h/~[Options]~variable: v=2 | orders.hurl:4: a variable has one value in the whole file, but v has another above: rename one",
                "GET http://h/{{a}}~[Options]~variable: b=1~variable: a={{b}}~GET http://h/~[Options]~variable: b=2 | orders.hurl:7: a variable has one value in the whole file, but b has another above: rename one",
                "POST http://h/~`{{v}}`~GET http://h/~[Options]~variable: v=2 | orders.hurl:5: a variable has one value in the whole file, but v has another above: rename one",
                "GET http://h/~HTTP 200~[Captures]~v: header \"A\"~GET http://h/~[Options]~variable: v=2 | orders.hurl:7: a variable has one value in the whole file, but v has another above: rename one",
                "GET http://h/~[Options]~delay: soon | orders.hurl:3: delay: ",
                "GET http://h/~HTTP 200~[Captures]~a: xpath \"//b\" | orders.hurl:4: a capture must be jsonpath",
                "GET http://h/~HTTP 200~[Captures]~a: jsonpath \"$.b\" count | orders.hurl:4: a capture must be jsonpath",
                "GET http://h/~HTTP 200~[Captures]~a: regex \"(\" | orders.hurl:4: a capture must be jsonpath",
                "GET http://h/~HTTP 200~[Captures]~a: header | orders.hurl:4: a capture must be jsonpath",
                "GET http://h/~[BasicAuth]~ann: {{pw}} | orders.hurl:3: variables in [BasicAuth] are not supported",
                "POST http://h/~base64,a; | orders.hurl:2: not base64: ",
                "POST http://h/~hex,6 | orders.hurl:2: expected 'base64,...;', 'hex,...;' or 'file,NAME;'",
                "POST http://h/~{} {} | orders.hurl:2: expected nothing behind this JSON, but found '{}'",
                "GET http://h/~HTTP 200~[Asserts]~jsonpath ``` | orders.hurl:4: expected an assert",
                "POST http://h/~<a>1</a> x~ | orders.hurl:2: expected nothing behind this XML, but found 'x'",
                "POST http://h/~<!-- ~<a></a> | orders.hurl:2: this XML is not closed",
                "POST http://h/~<a><b></a>~HTTP 200 | orders.hurl:2: this XML is not closed",
                "GET http://h/~{\"a\": 1 | orders.hurl:2: this JSON is not closed",
                "GET http://h/~```~text | orders.hurl:2: this text is not closed by ```",
                "GET http://h/~```graphql~{a}~``` | orders.hurl:2: a multiline string of type 'graphql' is not supported",
                "GET http://h/~file,nowhere; | orders.hurl:2: no such file: nowhere",
                "GET http://h/~hex,6; | orders.hurl:2: not hex: ",
                "GET http://h/~what is this | orders.hurl:2: expected a header, a section such as [Query], a body",
                "GET http://h/~{}~[] | orders.hurl:3: expected 'HTTP' and a status, or a request, but found '[]'",
                "GET http://h/~HTTP 999 | orders.hurl:2: expected a header",
                "GET http://h/~[BasicAuth]~{{a}}: b | orders.hurl:3: expected nothing behind this JSON, but found ': b'",
            })
    void unsupported_content_is_one_line_with_its_line_number(String text, String message) {
        assertThatThrownBy(() -> file(text.replace('~', '\n')))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith(message);
    }
}
