package dev.downbeat.http.requests.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.downbeat.exchange.Outcome;
import dev.downbeat.http.message.RequestWriter;
import dev.downbeat.http.requests.RequestSet;
import dev.downbeat.http.requests.Written;
import dev.downbeat.http.requests.value.DataFile;
import dev.downbeat.http.requests.value.SourcePosition;
import dev.downbeat.http.requests.value.Variables;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Request files of other tools: each is sent as its own tool sends it, or is refused in one line. In a row, {@code ~} is
 * a line break, {@code ^} a blank at the end.
 */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class ForeignFilesTest {
    @ParameterizedTest(name = "{0}: {1}")
    @CsvSource(delimiter = '|', textBlock = """
            all: a comment in a body of JSON | POST http://h/~Content-Type: application/json~~{~  "a": 1~  // "b": 2~  # c~} | ~~{~  "a": 1~}
            all: a comment in other bodies | POST http://h/~~a~# b~c | ~~a~c
            all: a comment after a request without a body | GET http://h/~~# that was it | Accept: */*~~
            REST Client: bulk lines end with a line break | POST http://h/~Content-Type: application/x-ndjson~~{"a":1}~{"b":2}~~ | ~~{"a":1}~{"b":2}~
            REST Client: credentials from variables | @u = ann~@p = pw~GET http://h/~Authorization: Basic {{u}} {{p}} | Authorization: Basic YW5uOnB3~
            JetBrains: credentials from variables | @u = ann~@p = pw~GET http://h/~Authorization: Basic {{u}}:{{p}} | Authorization: Basic YW5uOnB3~
            REST Client: a pair in one variable | @pair = ann:pw~GET http://h/~Authorization: Basic {{pair}} | Authorization: Basic YW5uOnB3~
            all: a token from a variable | @token = YW5uOnB3~GET http://h/~Authorization: Basic {{token}} | Authorization: Basic YW5uOnB3~
            REST Client: a password with blanks | GET http://h/~Authorization: Basic ann p w | Authorization: Basic YW5uOnAgdw==~
            REST Client: no user | GET http://h/~Authorization: Basic :pw | Authorization: Basic OnB3~
            JetBrains: no password | GET http://h/~Authorization: Basic ann: | Authorization: Basic YW5uOg==~
            all: a fragment is not sent | @x = 1~GET http://h/a?b={{x}}#c{{x}} | GET /a?b=1 HTTP
            all: a value with a # | @x = 1#2~GET http://h/{{x}}?a={{x}}&b={{d}} | GET /1%232?a=1%232&b=1%232 HTTP
            all: a fixed value with a # | @x = 1#2~GET http://h/?a={{x}}&b=3#c | GET /?a=1%232&b=3 HTTP
            all: a fragment of an address in a variable | @u = http://h/a#top~GET {{u}} | GET /a HTTP
            all: the host in a header | GET /a~Host: h:81 | Host: h:81~
            REST Client: a method that is rare | PROPFIND http://h/a | PROPFIND /a HTTP
            REST Client: a query on lines of its own | GET http://h/a~    ?b=1~    &c=2~Accept: x | GET /a?b=1&c=2 HTTP
            JetBrains: a path on lines of its own | GET http://h~    /a~    /b~    ?c=1 | GET /a/b?c=1 HTTP
            JetBrains: letters beyond ASCII | GET http://h/é?q=ü x | GET /%C3%A9?q=%C3%BC%20x HTTP
            all: a host beyond ASCII | GET http://bücher.example:81/ü | Host: xn--bcher-kva.example:81~
            all: such a host of a variable | @h = bücher.example~GET {{h}}/a | Host: xn--bcher-kva.example~
            JetBrains: no scheme and no method | h:81/a | GET /a HTTP
            JetBrains: a handler and a response file | POST http://h/~~a~~> {% client.log(1); %}~>> out.json~<> old.json | ~~a
            JetBrains: a form on several lines | POST http://h/~Content-Type: application/x-www-form-urlencoded~~a = b c &~d = e | ~~a=b+c&d=e
            REST Client: a query of GraphQL | POST http://h/~X-REQUEST-TYPE: GraphQL~~{ a } | ~~{"query": "{ a }"}
            JetBrains: an empty line after a file | POST http://h/~Content-Type: multipart/form-data; boundary=b~~--b~A: c~~< ./body.txt~~--b-- | ~~--b~A: c~~a~--b--~
            Visual Studio: a name with dots and a hyphen | @My.Api-Address = http://h~GET {{My.Api-Address}}/a | GET /a HTTP
            Visual Studio: a version of HTTP | GET http://h/a HTTP/1.1 | GET /a HTTP/1.1
            httpYac: checks after a request | GET http://h/~~?? status == 200~?? body contains x | Accept: */*~~
            kulala: metadata of editors | # @no-cookie-jar~# @timeout 5000~GET http://h/ | GET / HTTP
            all: a length that is wrong by now | POST http://h/~Content-Length: 137~~abc | Content-Length: 3~~abc
            all: lines of Windows | POST http://h/~A: b~~{}^~ | ~~{}
            """)
    void is_sent_as_its_own_tool_sends_it(String tool, String text, String sent, @TempDir Path folder)
            throws IOException {
        Files.writeString(folder.resolve("body.txt"), "a");
        HttpFile file = Written.file(lines(text), folder);
        DataFile data = DataFile.parse("d", DataFile.Use.SEQUENTIAL, "a\n1#2\n", "d.csv");
        Variables variables = Variables.none().or(file.variables()).with(List.of(data));
        String wire = first(file.requests(), variables);
        assertThat(wire).contains(lines(sent));
        if (sent.startsWith("~~") || sent.endsWith("~~")) {
            assertThat(wire).endsWith(lines(sent));
        }
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', textBlock = """
            REST Client: keys to sign with | GET http://h/~Authorization: AWS key s3cret | 2: 'Authorization: AWS KEY SECRET' is not signed here
            REST Client: keys in one variable | @auth = AWS key s3cret~GET http://h/~Authorization: {{auth}} | 3: 'Authorization: AWS KEY SECRET' is not signed here
            REST Client: a login at Cognito | GET http://h/~Authorization: COGNITO ann s3cret eu pool client | 2: 'Authorization: COGNITO ...' is not supported
            httpYac: a login by OAuth 2 | GET http://h/~Authorization: oauth2 client_credentials | 2: 'Authorization: oauth2 ...' is not supported
            JetBrains: a digest | GET http://h/~Authorization: Digest ann s3cret | 2: 'Authorization: Digest USER PASSWORD' is not supported
            JetBrains: a login of the editor | GET http://h/~Authorization: Bearer {{$auth.token("a")}} | 2: unknown variable
            all: credentials that change | GET http://h/~Authorization: Basic {{d.a}} {{d.b}} | 2: 'Basic USER PASSWORD' with values that change is not encoded here
            all: a value that changes in the file | @a = 1~GET http://h/{{a}}~###~@a = 2~GET http://h/{{a}} | 4: @a is defined twice with different values
            all: a separator that is missing | POST http://h/~~{"a": 1}~~PUT http://h/1 | 5: a request begins in the body of another
            httpYac: a response beneath | GET http://h/~~HTTP/1.1 200 OK~Server: x | 3: the request body contains a response
            httpYac: a script before | {{~exports.a = 1;~}}~GET http://h/ | 1: a script '{{ ... }}' is not run
            httpYac: a script after | GET http://h/~~{{~exports.a = 1;~}} | 3: a script '{{ ... }}' is not run
            httpYac: a reference | # @ref login~GET http://h/ | 1: @ref: not supported
            httpYac: a loop | # @loop for 3~GET http://h/ | 1: @loop: not supported
            kulala: a chunked body | # @accept chunked~POST http://h/ | 1: @accept: unknown directive
            JetBrains: an import | import a.http~GET http://h/ | 1: 'import' is not supported
            JetBrains: a socket | WEBSOCKET ws://h/ | 1: WEBSOCKET is not supported
            REST Client: a question to the user | # @prompt a~GET http://h/{{a}} | 1: @prompt: not supported: pass the value with --var
            REST Client: a line of curl | curl http://h/ | 1: 'curl' is not supported in a file of requests: give it by --curl
            REST Client: a method in small letters | get http://h/ | 1: expected a request such as
            REST Client: a header without a colon | GET http://h/~x-empty | 2: expected a header 'Name: value'
            kulala: a host with a scheme | GET /a~Host: http://h | 2: a Host header is HOST or HOST:PORT
            Visual Studio: another version of HTTP | GET http://h/ HTTP/2 | 1: HTTP/2 is not supported
            REST Client: a path in XML | # @name a~POST http://h/~###~GET http://h/{{a.response.body.//b}} | 4: {{a.response.body.//b}}: only paths to one value
            REST Client: an encoding that nobody has | POST http://h/~~<@klingon ./body.txt | 3: unknown encoding: '<@klingon'
            """)
    void is_refused_in_one_line_with_its_place(String tool, String text, String message, @TempDir Path folder)
            throws IOException {
        Files.writeString(folder.resolve("body.txt"), "a");
        DataFile data = DataFile.parse("d", DataFile.Use.SEQUENTIAL, "a,b\n1,2\n", "d.csv");
        assertThatThrownBy(() -> RequestSet.of(
                        Written.file(lines(text), folder).requests(),
                        Optional.empty(),
                        Variables.none()
                                .or(Written.file(lines(text), folder).variables())
                                .with(List.of(data)),
                        RequestSet.Order.SESSION,
                        7))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("shop.http:" + message)
                .message()
                .doesNotContain("\n", "s3cret")
                .hasSizeLessThan(250);
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', quoteCharacter = '§', textBlock = """
            a shell's variable | curl -H "A: $TOKEN" http://h/ | a shell would fill in '$TOKEN" http://h'
            a shell's variable in the URL | curl http://h/?$top=1 | a shell would fill in '$top=1'
            a shell's command | curl http://h/ -d "a=$(date)" | a shell would fill in '$(date)"'
            a line for cmd | curl ^"http://h/^" -H ^"A: b^" | this line is for Windows' cmd
            a line for PowerShell | Invoke-WebRequest -Uri "http://h/" | expected a curl command, but found 'Invoke-WebRequest'
            a line for a console | fetch("http://h/", {}) | expected a curl command, but found 'fetch(http://h/,'
            another client | wget http://h/ | expected a curl command, but found 'wget'
            several URLs in one | curl http://h/[1-3] | curl makes several requests
            a file of cookies | curl -b jar.txt http://h/ | curl's -b FILE is not read
            no file | curl --json @none.json http://h/ | no such file: none.json
            no file of a form | curl --data-urlencode a@none.txt http://h/ | no such file: none.txt
            a header of curl's own | curl -H 'Accept:' http://h/ | curl's -H 'Accept:' is not supported
            no name of a client | curl -A '' http://h/ | curl's -A '' is not supported: User-Agent is always sent
            chunks | curl -H 'Transfer-Encoding: chunked' -d a http://h/ | the header Transfer-Encoding is not sent
            a pipe | §curl http://h/ | jq .§ | shell syntax is not supported in curl lines: remove '|'
            a file for the answer | curl http://h/ > a | shell syntax is not supported in curl lines: remove '>'
            a file without a blank | curl http://h/>a | shell syntax is not supported in curl lines: remove '>'
            a file of errors | curl http://h/ 2>/dev/null | shell syntax is not supported in curl lines: remove '>'
            an input | curl http://h/<a | shell syntax is not supported in curl lines: remove '<'
            a pipe without a blank | §curl http://h/|jq .§ | shell syntax is not supported in curl lines: remove '|'
            another command | curl http://h/ && curl http://h/ | shell syntax is not supported in curl lines: remove '&&'
            a header with ; | curl http://h/ -H Accept:text/html;q=0.9 | expected curl after ';', but found 'q=0.9': quote the ; if it is text
            a URL with ; | curl http://h/a;v1.2 | expected curl after ';', but found 'v1.2': quote the ; if it is text
            a form with files | curl -F a=@b http://h/ | curl's -F is not supported
            """)
    void a_line_that_curl_would_read_otherwise_is_refused(String what, String line, String message) {
        assertThatThrownBy(() -> CurlLine.parse(line, new SourcePosition("--curl", 1), Path.of("")))
                .hasMessageStartingWith("--curl:1: " + message)
                .message()
                .doesNotContain("\n");
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '!', quoteCharacter = '§', textBlock = """
            a URL that ends with curl ! http://h:81/curl ! GET /curl HTTP
            curl at a path ! ~/bin/curl http://h/a ! GET /a HTTP
            curl beside it ! ./curl http://h/a ! GET /a HTTP
            a & in the URL ! curl http://h/?a=1&b=2 ! GET /?a=1&b=2 HTTP
            what is escaped is text ! curl http://h/ -H A:\\|\\<\\>\\; -H 'B: |' ! A: |<>;^B: |^
            blanks after a backslash ! curl http://h/ \\ \t^ -H 'A: b' \\ ! A: b^
            """)
    void a_line_is_read_as_it_is_meant(String what, String line, String sent, @TempDir Path folder) throws IOException {
        String command = line.replace('^', '\n');
        Path file = Files.writeString(folder.resolve("a.sh"), command);
        assertThat(curl(command, folder)).contains(sent.replace('^', '\n'));
        assertThat(first(CurlLine.parse(file).requests(), Variables.none())).contains(sent.replace('^', '\n'));
    }

    @ParameterizedTest
    @CsvSource({
        "--json '{}', Content-Type",
        "-d a, content-type",
        "-u a:b, Authorization",
        "-e x, Referer",
        "-b a=1, Cookie",
        "--compressed, Accept-Encoding"
    })
    void a_header_that_the_line_removes_is_not_sent(String option, String name) throws IOException {
        assertThat(curl("curl " + option + " -H '" + name + ":' http://h/", Path.of("")))
                .doesNotContainIgnoringCase(name);
    }

    @Test
    void a_line_of_curl_reads_the_files_that_curl_reads(@TempDir Path folder) throws Exception {
        Files.writeString(folder.resolve("a.json"), "{\n}\n");
        assertThat(curl("curl --json @a.json http://h/", folder))
                .contains("Content-Type: application/json\n")
                .endsWith("\n\n{\n}\n");
        assertThat(curl("curl --data-urlencode a@a.json --data-urlencode =b=c http://h/", folder))
                .endsWith("\n\na=%7B%0A%7D%0A&b%3Dc");
        assertThat(curl("curl -H 'Expect:' -H 'Content-Type:' -d a http://h/", folder))
                .doesNotContain("Expect", "Content-Type");
        assertThat(curl("curl -g 'http://h/[1-3]' -H 'A: $b `c`'", folder)).contains("GET /[1-3] ", "A: $b `c`\n");
    }

    @Test
    void a_line_of_curl_sends_files_that_are_not_text_as_they_are(@TempDir Path folder) throws Exception {
        Files.write(folder.resolve("a.bin"), "café \0{{x}}\r\nb".getBytes(StandardCharsets.ISO_8859_1));
        assertThat(CurlLine.parse("curl http://h/ -d @a.bin", new SourcePosition("--curl", 1), folder)
                        .requests()
                        .get(0)
                        .body())
                .singleElement()
                .isInstanceOfSatisfying(
                        RequestText.Raw.class,
                        raw -> assertThat(raw.bytes()).isEqualTo("café {{x}}b".getBytes(StandardCharsets.ISO_8859_1)));
        assertThat(curl("curl http://h/ --data-urlencode n@a.bin", folder))
                .endsWith("\n\nn=caf%E9%20%00%7B%7Bx%7D%7D%0D%0Ab");
        Files.write(folder.resolve("b.bin"), "bé".getBytes(StandardCharsets.ISO_8859_1));
        assertThat(curl("curl -G http://h/ -d @b.bin", folder)).startsWith("GET /?b%E9 HTTP");
        Files.writeString(folder.resolve("c.txt"), "é\0\n");
        assertThat(curl("curl http://h/ -d @c.txt", folder)).endsWith("\n\né");
    }

    @Test
    void an_included_text_has_its_own_encoding(@TempDir Path folder) throws Exception {
        Files.write(folder.resolve("a.txt"), "é{{x}}".getBytes(StandardCharsets.ISO_8859_1));
        HttpFile file = Written.file("@x = 1\nPOST http://h/\n\n<@latin1 ./a.txt", folder);
        assertThat(first(file.requests(), Variables.none().or(file.variables())))
                .endsWith("\n\né1");
        assertThatThrownBy(() -> Written.file("POST http://h/\n\n<@ ./a.txt", folder))
                .hasMessage("shop.http:3: the file is not text in UTF-8");
    }

    @Test
    void a_host_in_a_header_is_called_by_tls_on_its_ports() {
        assertThat(Written.set("GET /\nHost: h:443", RequestSet.Order.SESSION)
                        .services()
                        .get(0)
                        .authority())
                .isEqualTo("h");
    }

    @Test
    void omitted_body_lines_are_reported_if_ambiguous() {
        assertThat(Written.file("POST http://h/\n\n# Title\ntext\n").notes())
                .containsExactly("shop.http:3: lines of a body that begin with # or // are comments and not sent:"
                        + " '< ./FILE' sends all");
        assertThat(Written.file("POST http://h/\nContent-Type: application/json\n\n// a\n{}\n")
                        .notes())
                .isEmpty();
    }

    @Test
    void a_form_of_an_archive_without_its_text_is_made_of_its_fields() {
        String archive = """
                {"log": {"entries": [{"request": {"method": "POST", "url": "http://h/", "headers": [], "postData": {
                  "mimeType": "%s", "params": [{"name": "a", "value": "1+1"}, {"name": "e", "value": "%s"}]}}}]}}""";
        String type = "application/x-www-form-urlencoded";
        HttpFile sent = HarRequests.parse(archive.formatted(type, "it's%20y!(~)"), "s.har");
        assertThat(first(sent.requests(), Variables.none())).endsWith("\n\na=1+1&e=it's%20y!(~)");
        for (String decoded : List.of("c&d %20", "50%")) {
            HttpFile form = HarRequests.parse(archive.formatted(type, decoded), "s.har");
            assertThat(first(form.requests(), Variables.none()))
                    .endsWith("\n\na=1%2B1&e=" + URLEncoder.encode(decoded, StandardCharsets.UTF_8));
        }
        assertThatThrownBy(() -> HarRequests.parse(archive.formatted("multipart/form-data", ""), "s.har"))
                .hasMessage("s.har entry:1: the archive has the fields of a form, but not the body that was sent:"
                        + " delete the entry from the file");
    }

    @Test
    void braces_in_an_archive_are_sent_as_they_were_recorded() {
        HttpFile file = HarRequests.parse("""
                {"log": {"entries": [{"request": {"method": "POST", "url": "http://h/{{a}}?q={{$env.TOKEN}}#{{b#c}}",
                  "headers": [{"name": "X", "value": "{{$env.TOKEN}} {{$random.uuid}} {{name}}"}],
                  "postData": {"text": "{{$uuid}}"}}}]}}""", "s.har");
        Variables known = Variables.ofProcess(Map.of("TOKEN", "s3cret")).or(Map.of("a", "1"));
        assertThat(first(file.requests(), known))
                .startsWith("POST /%7B%7Ba%7D%7D?q=%7B%7B$env.TOKEN%7D%7D HTTP/1.1\n")
                .contains("\nX: {{$env.TOKEN}} {{$random.uuid}} {{name}}\n")
                .endsWith("\n\n{{$uuid}}");
    }

    @Test
    void a_body_of_an_archive_is_the_one_that_was_sent() {
        String archive = """
                {"log": {"entries": [{"request": {"method": "CONNECT", "url": "http://h:443", "headers": []}},
                  {"request": {"method": "POST", "url": "http://h/", "headers": [], %s}}]}}""";
        assertThat(first(
                        HarRequests.parse(
                                        archive.formatted(
                                                "\"postData\": {\"text\": \"eyJhIjoxfQ==\", \"encoding\": \"base64\"}"),
                                        "s.har")
                                .requests(),
                        Variables.none()))
                .startsWith("POST / ")
                .endsWith("\n\n{\"a\":1}");
        assertThatThrownBy(() -> HarRequests.parse(archive.formatted("\"bodySize\": 100"), "s.har"))
                .hasMessage(
                        "s.har entry:2: the archive has only 0 of the 100 bytes of this request's body: delete the entry from the file");
        for (String upload : List.of(
                "\"bodySize\": 5200, \"postData\": {\"text\": \"--b--\"}",
                "\"bodySize\": 5, \"headers\": [{\"name\": \"content-length\", \"value\": \"5200\"}],"
                        + " \"postData\": {\"text\": \"--b--\"}")) {
            assertThatThrownBy(() -> HarRequests.parse(archive.formatted(upload), "s.har"))
                    .hasMessage("s.har entry:2: the archive has only 5 of the 5200 bytes of this request's body:"
                            + " delete the entry from the file");
        }
        String other = "\"bodySize\": 4, \"postData\": {\"text\": \"café\"}"; // in ISO 8859-1
        assertThat(HarRequests.parse(archive.formatted(other), "s.har").requests())
                .hasSize(1);
        assertThatThrownBy(() -> HarRequests.parse(
                        archive.formatted("\"postData\": {\"text\": \"{a: 1}\", \"encoding\": \"base64\"}"), "s.har"))
                .hasMessage("s.har entry:2: the archive's body is not in Base64, as its encoding says");
    }

    @Test
    void a_method_is_no_second_request() {
        assertThatThrownBy(() -> HarRequests.parse("""
                        {"log": {"entries": [{"request": {"method": "GET / HTTP/1.1\\r\\nEvil: 1", "url": "http://h/",
                          "headers": []}}]}}""", "s.har"))
                .hasMessage(
                        "s.har entry:1: method 'GET / HTTP/1.1  Evil: 1' is not a token (accepted: GET, POST, ...)");
    }

    @Test
    void what_an_archive_lacks_of_other_hosts_does_not_matter() {
        HttpFile file = HarRequests.parse("""
                {"log": {"entries": [{"request": {"method": "GET", "url": "https://shop.example/", "headers": []}},
                  {"request": {"method": "POST", "url": "https://beacon.example/", "headers": [], "bodySize": 312,
                    "postData": {"text": ""}}}]}}""", "s.har");
        assertThat(file.requests()).hasSize(1);
        assertThat(file.notes())
                .containsExactly(
                        "s.har: 1 of 2 requests go to other hosts than https://shop.example and are left out; an .http"
                                + " file may name several");
    }

    /** A page loaded again takes most of its parts from the cache: they were sent, and changed the mix. */
    @Test
    void what_the_browser_did_not_send_is_left_out() {
        String entry = """
                {"request": {"method": "GET", "url": "http://h/%s", "headers": []}, "response": {"status": %d}%s}""";
        String archive = "{\"log\": {\"entries\": [%s]}}";
        String unsent = String.join(
                ",",
                entry.formatted("disk", 200, ", \"_fromCache\": \"disk\""),
                entry.formatted("memory", 200, ", \"_fetchType\": \"Memory Cache\""),
                entry.formatted("blocked", 0, ", \"_error\": \"net::ERR_BLOCKED_BY_CLIENT\""));
        String sent = String.join(
                ",", entry.formatted("a", 200, ", \"_fetchType\": \"Network Load\""), entry.formatted("b", 304, ""));
        HttpFile file = HarRequests.parse(archive.formatted(unsent + "," + sent), "s.har");
        assertThat(file.requests()).extracting(RequestText::name).containsExactly("GET /a", "GET /b");
        assertThat(file.notes())
                .containsExactly("s.har: 3 of 5 requests to http://h came from the browser's cache or got no response,"
                        + " and are left out");
        assertThatThrownBy(() -> HarRequests.parse(archive.formatted(unsent), "s.har"))
                .hasMessage("s.har: all requests to http://h came from the browser's cache or got no response: record"
                        + " again with the cache disabled");
    }

    /** A recording that began with a blocked tracker was refused, although the shop's requests were sent. */
    @Test
    void the_first_request_that_was_sent_chooses_the_host() {
        HttpFile file = HarRequests.parse("""
                {"log": {"entries": [
                  {"request": {"method": "GET", "url": "https://tracker/", "headers": []}, "response": {"status": 0}},
                  {"request": {"method": "GET", "url": "https://shop/", "headers": []}, "response": {"status": 200}}]}}
                """, "s.har");
        assertThat(file.requests()).extracting(RequestText::name).containsExactly("GET /");
        assertThat(file.requests()).extracting(RequestText::url).containsExactly("https://shop/");
        assertThat(file.notes())
                .containsExactly("s.har: 1 of 2 requests go to other hosts than https://shop and are left out; an .http"
                        + " file may name several");
    }

    static Stream<Arguments> recordingsWithCookies() throws IOException {
        HttpFile archive = HarRequests.parse("""
                {"log": {"entries": [{"request": {"method": "GET", "url": "http://h/login", "headers": []}},
                  {"request": {"method": "GET", "url": "http://h/shop", "headers": [
                    {"name": "cookie", "value": "sid=old; theme=dark"}, {"name": "Cookie", "value": "gone=1"}]}}]}}
                """, "s.har");
        HttpFile lines = CurlLine.parse(
                "curl http://h/login ; curl http://h/shop -b 'sid=old; theme=dark' -b gone=1",
                new SourcePosition("--curl", 1),
                Path.of(""));
        return Stream.of(Arguments.of("HAR", archive), Arguments.of("curl", lines));
    }

    /** Each session sent the cookie of whoever recorded it, and not the one that it was given. */
    @ParameterizedTest(name = "{0}")
    @MethodSource("recordingsWithCookies")
    void cookies_of_a_session_replace_recorded_ones_of_the_same_name(String source, HttpFile recording) {
        RequestWriter writer = RequestSet.of(
                        recording.requests(), Optional.empty(), Variables.none(), RequestSet.Order.SESSION, 1)
                .writer(1, false);
        assertThat(Written.write(writer, Written.exchange(0, 0))).doesNotContain("Cookie");
        RequestWriter.ResponseSink sink = Objects.requireNonNull(writer.sink(Written.exchange(0, 0)));
        for (String line : List.of("Set-Cookie: sid=7", "Set-Cookie: cart=2", "Set-Cookie: gone=; Max-Age=0")) {
            byte[] bytes = line.getBytes(StandardCharsets.US_ASCII);
            sink.line(bytes, 0, bytes.length);
        }
        assertThat(writer.outcome(Written.exchange(0, 0), Outcome.answered())).isEqualTo(Outcome.answered());
        assertThat(Written.write(writer, Written.exchange(0, 1))).contains("\nCookie: theme=dark; sid=7; cart=2\n");
        assertThat(Written.write(writer, Written.exchange(1, 1)))
                .as("a session that was given none")
                .contains("\nCookie: sid=old; theme=dark; gone=1\n");
    }

    private static String curl(String line, Path folder) throws IOException {
        return first(
                CurlLine.parse(line, new SourcePosition("--curl", 1), folder).requests(), Variables.none());
    }

    private static String first(List<RequestText> requests, Variables variables) {
        return Written.of(RequestSet.of(requests, Optional.empty(), variables, RequestSet.Order.IN_TURN, 1), 0);
    }

    private static String lines(String row) {
        return row.replace('^', ' ').replace('~', '\n');
    }
}
