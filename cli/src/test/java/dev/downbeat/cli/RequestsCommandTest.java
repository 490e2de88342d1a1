package dev.downbeat.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.downbeat.loopback.LoopbackServer;
import dev.downbeat.loopback.options.LoopbackOptions;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Files of requests on the command line: sent, shown, refused with their place. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class RequestsCommandTest {
    @TempDir
    @SuppressWarnings("NullAway.Init") // set by JUnit
    Path folder;

    private String file(String name, String text) throws IOException {
        return Files.writeString(folder.resolve(name), text).toString();
    }

    @Test
    void each_request_has_its_row_in_every_format() throws IOException {
        try (LoopbackServer server = LoopbackServer.start(LoopbackOptions.defaults())) {
            String shop = file("shop.http", """
                    @host = %s
                    ### list
                    # @weight 3
                    GET {{host}}items?id={{ids.id}}
                    ### place order
                    # @expect 201
                    POST {{host}}orders

                    {}
                    """.formatted(server.uri()));
            String ids = "ids=" + file("ids.csv", "id\n1\n2\n");
            Path saved = folder.resolve("a.downbeat");
            Shell run = Shell.call(
                    "run",
                    shop,
                    "--data-file",
                    ids,
                    "-R",
                    "200",
                    "-n",
                    "200",
                    "--slo",
                    "list: p50<10s",
                    "--slo",
                    "errors<100%",
                    "-o",
                    saved.toString(),
                    "-o",
                    folder.resolve("a.json").toString(),
                    "-o",
                    folder.resolve("a.csv").toString(),
                    "-o",
                    folder.resolve("a.xml").toString());
            assertThat(run.exitCode()).as(run.err()).isIn(0, 98);
            assertThat(Files.readString(folder.resolve("a.csv"))).contains(",\"list\"\n", ",\"place order\"\n");
            assertThat(Files.readString(folder.resolve("a.xml"))).contains("name=\"p50 list\"");
            assertThat(run.out()).contains("list", "place order", "all requests", "HTTP 200, expected 201");
            assertThat(Files.readString(folder.resolve("a.json")))
                    .contains("\"requests\"", "\"name\": \"place order\"", "\"text\": \"list: p50<10s\"");
            Shell again = Shell.call("report", saved.toString());
            assertThat(again.out()).contains("place order", "all requests");
        }
    }

    /** Names hide values that may be secret; two requests stay two rows, and an objective finds its own by the file's name. */
    @Test
    void requests_whose_names_differ_in_a_hidden_value_have_their_own_rows_and_objectives() throws IOException {
        try (LoopbackServer server = LoopbackServer.start(LoopbackOptions.defaults())) {
            String shop = file(
                    "shop.http",
                    "### GET /items?kind=a\nGET %1$sa\n\n### GET /items?kind=b\nGET %1$sb\n".formatted(server.uri()));
            Shell run = Shell.call(
                    "run", shop, "-R", "50", "-d", "1s", "--accept-unsound", "--slo", "GET /items?kind=a: p50<10s");
            assertThat(run.exitCode()).as(run.out()).isZero();
            assertThat(run.out()).contains("GET /items?kind=***", "GET /items?kind=*** (2)");
        }
    }

    @Test
    void sessions_and_other_commands_have_rows_by_name_too() throws IOException {
        try (LoopbackServer server = LoopbackServer.start(LoopbackOptions.defaults())) {
            String shop = file("shop.http", "### list\nGET %1$sa\n\n### show\nGET %1$sb\n".formatted(server.uri()));
            Shell sessions = Shell.call(
                    "run", shop, "--sessions", "50", "-d", "1s", "--accept-unsound", "--slo", "(session): p50<10s");
            assertThat(sessions.exitCode()).as(sessions.err()).isZero();
            assertThat(sessions.out()).contains("list", "show", "whole sessions", "p50 < 10 s");
            Shell places = Shell.call("position", shop, "--runs", "3", "--requests", "6", "--accept-unsound");
            assertThat(places.exitCode()).as(places.err()).isIn(0, 98);
            assertThat(places.out()).contains("list", "show");
            Shell sweep = Shell.call(
                    "sweep",
                    shop,
                    "-R",
                    "50",
                    "--step-duration",
                    "3s",
                    "--budget",
                    "4s",
                    "--slo",
                    "list: p50<10s",
                    "--accept-unsound");
            assertThat(sweep.exitCode()).as(sweep.err()).isIn(0, 98);
            assertThat(sweep.out()).contains("list", "show");
        }
    }

    @Test
    void a_file_of_Hurl_is_sent_in_turn_and_as_sessions() throws IOException {
        try (LoopbackServer server = LoopbackServer.start(LoopbackOptions.defaults())) {
            String orders = file("orders.hurl", """
                    GET {{host}}orders
                    [Query]
                    page: 2
                    HTTP 200
                    [Asserts]
                    duration < 1000

                    POST {{host}}orders
                    {"sku": "apple"}
                    HTTP 201
                    """);
            Shell run = Shell.call("run", orders, "--var", "host=" + server.uri(), "-R", "100", "-n", "20", "--json");
            assertThat(run.err()).contains("orders.hurl:6: this assert is not checked in a run");
            assertThat(run.out())
                    .contains("\"name\": \"GET /orders\"", "50 % of 20 requests failed (HTTP 200, expected 201)");
            Shell sessions = Shell.call(
                    "run", orders, "--var", "host=" + server.uri(), "--sessions", "20", "-n", "5", "--show", "2");
            assertThat(sessions.out()).contains("GET /orders?page=2 HTTP/1.1", "{\"sku\": \"apple\"}");
            Shell odd = Shell.call("run", file("odd.hurl", "GET http://h/\n[Options]\nretry: 3\n"));
            assertThat(odd.exitCode()).isEqualTo(2);
            assertThat(odd.firstErrorLine()).contains("odd.hurl:3: the option retry is not supported");
        }
    }

    @Test
    void requests_and_answers_can_be_seen_without_secrets() throws IOException {
        try (LoopbackServer server = LoopbackServer.start(LoopbackOptions.defaults())) {
            String shop = file("shop.http", """
                    POST %slogin?page=1&code=c0de
                    Authorization: Bearer s3cret

                    {"user": "ann", "password": "s3cret"}

                    > ./handler.js
                    """.formatted(server.uri()));
            Shell shell = Shell.call("run", shop, "--show", "1");
            assertThat(shell.exitCode()).as(shell.err()).isZero();
            assertThat(shell.err()).contains("shop.http:6: the response handler is not run");
            assertThat(shell.out())
                    .contains("POST /login?page=1&code=***", "\"user\": \"ann\"", "HTTP/1.1 200")
                    .doesNotContain("s3cret");
            assertThat(Shell.call("run", shop, "-k", "-n", "1").firstErrorLine())
                    .endsWith("--insecure needs an https:// target: this one is not encrypted");
        }
    }

    @Test
    void a_file_of_curl_lines_is_no_file_of_options() throws IOException {
        try (LoopbackServer server = LoopbackServer.start(LoopbackOptions.defaults())) {
            String lines = file("lines.txt", "curl '%sa' --data-raw $'wow\\u0021'\n".formatted(server.uri()));
            Shell shell = Shell.call("run", server.uri() + "a", "--curl", "@" + lines, "--show", "1");
            assertThat(shell.exitCode()).as(shell.err()).isZero();
            assertThat(shell.out()).contains("POST /a", "wow!");
        }
    }

    @ParameterizedTest
    @CsvSource({
        "run http://127.0.0.1:1/zzz CURL",
        "sweep http://127.0.0.1:1/zzz CURL",
        "compare --live http://127.0.0.1:2/ http://127.0.0.1:1/ CURL",
        "plan http://127.0.0.1:1/ CURL --shards 2",
        "position http://127.0.0.1:1/ CURL",
        "run http://127.0.0.1:2/zzz CURL",
        "run https://127.0.0.1:2/b CURL",
        "run shop.http CURL",
        "'run CURL --vary url=http://127.0.0.1:2/x,http://127.0.0.1:2/y -R 50 -d 1s'",
        "compare --live http://127.0.0.1:2/b http://127.0.0.1:2/y CURL"
    })
    void a_target_beside_curl_lines_must_be_their_first_URL(String words) {
        List<String> all = new ArrayList<>(List.of(words.split(" ")));
        all.set(all.indexOf("CURL"), "--curl=curl http://127.0.0.1:2/b");
        Shell shell = Shell.call(all.toArray(String[]::new));
        assertThat(shell.exitCode()).as(shell.out()).isEqualTo(2);
        assertThat(shell.firstErrorLine())
                .contains("--curl has its own URLs: a target must be the first, http://127.0.0.1:2/b, but was ");
    }

    @Test
    void a_file_of_requests_whose_place_a_varied_url_takes_is_refused() throws IOException {
        String shop = file("shop.http", "GET http://127.0.0.1:1/\n");
        Shell shell = Shell.call(
                "run", shop, "--vary", "url=http://127.0.0.1:1/x,http://127.0.0.1:1/y", "-R", "50", "-d", "1s");
        assertThat(shell.exitCode()).isEqualTo(2);
        assertThat(shell.firstErrorLine())
                .endsWith("--vary url replaces " + shop + ", so its requests would not be sent: give a URL instead");
    }

    @Test
    void a_secret_s_file_without_a_secret_is_refused() throws IOException {
        String empty = file("token", "\n");
        assertThat(Shell.call("run", "http://127.0.0.1:1/", "--bearer-file", empty)
                        .firstErrorLine())
                .endsWith("--bearer-file: " + empty + " is empty");
        assertThat(Shell.call("run", "http://127.0.0.1:1/", "--user", "ann:@" + empty)
                        .firstErrorLine())
                .endsWith("--user: " + empty + " is empty");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "run http://127.0.0.1:1/",
                "run http://127.0.0.1:1/ --shard 0/2 --seed 1",
                "run http://127.0.0.1:1/ --show 1",
                "sweep http://127.0.0.1:1/",
                "compare --live http://127.0.0.1:1/ http://127.0.0.1:1/b"
            })
    void an_address_of_another_machine_is_refused_before_the_run(String words) {
        Shell shell = Shell.call((words + " --local-address 192.0.2.7").split(" "));
        assertThat(shell.exitCode()).isEqualTo(2);
        assertThat(shell.firstErrorLine())
                .endsWith("--local-address must be an address of this machine, but was 192.0.2.7");
    }

    @ParameterizedTest
    @ValueSource(strings = {"--shards 1", "--ssh a"})
    void a_plan_may_have_the_address_of_another_machine(String where) {
        Shell shell =
                Shell.call(("plan http://127.0.0.1:1/ --seed 1 -d 1s --local-address 192.0.2.7 " + where).split(" "));
        assertThat(shell.exitCode()).as(shell.err()).isZero();
    }

    @Test
    void a_file_of_data_is_named_as_it_was_given() throws IOException {
        String empty = file("skus.csv", "");
        assertThat(Shell.call("run", "http://127.0.0.1:1/", "--data-file", "a=" + empty)
                        .firstErrorLine())
                .contains(empty + ": expected a header row");
    }

    @Test
    void a_negative_value_is_refused_with_its_option() {
        assertThat(Shell.call("run", "http://127.0.0.1:1/", "-d", "-1s").firstErrorLine())
                .contains("--duration", "-1s")
                .doesNotContain("--data");
        assertThat(Shell.call("compare", "a.downbeat", "b.downbeat", "--tolerance", "-5%")
                        .firstErrorLine())
                .endsWith("--tolerance takes no negative value, but was '-5%'");
        assertThat(Shell.call("report", "a.downbeat", "-o", "-5.html").firstErrorLine())
                .endsWith("write a value that begins with '-' after '=': --output=-x");
    }

    @Test
    void unanswered_requests_are_shown_too() throws IOException {
        int port = 1; // nobody listens there
        String shop = file("shop.http", "POST http://127.0.0.1:%d/login\n\n{}\n".formatted(port));
        Shell nobody = Shell.call("run", shop, "--show", "1");
        assertThat(nobody.exitCode()).isEqualTo(1);
        String refused = "127.0.0.1:" + port + ": connection refused";
        assertThat(nobody.out()).contains("POST /login", "# " + refused);
        assertThat(Shell.call("run", shop, "-d", "1s").err()).contains("nothing could be measured: " + refused);
    }

    @ParameterizedTest
    @CsvSource({
        "run SHOP --connect-to ::127.0.0.1:1, '--connect-to redirects one service, but these requests go to 2: '",
        "position SHOP, 'positions are counted on connections to one service, but these requests use 2'",
    })
    void options_for_one_service_are_refused_for_several(String words, String says) throws IOException {
        String shop = file("shop.http", "### list\nGET http://127.0.0.1:1/\n\n### pay\nGET http://127.0.0.1:2/\n");
        Shell shell = Shell.call(words.replace("SHOP", shop).split(" "));
        assertThat(shell.exitCode()).isEqualTo(2);
        assertThat(shell.firstErrorLine()).contains(says);
    }

    @Test
    void mistakes_are_one_line_with_their_position() throws IOException {
        String shop = file("shop.http", "### a\nGET http://h/{{who}}\n");
        Shell shell = Shell.call("run", shop);
        assertThat(shell.exitCode()).isEqualTo(2);
        assertThat(shell.firstErrorLine()).contains("shop.http:2: {{who}} has no value");
        assertThat(Shell.call("run", shop, "--var", "who=x", "--slo", "b: p99<1s")
                        .firstErrorLine())
                .contains("no request is called 'b' (there are: a)");
        assertThat(Shell.call("run", shop, "--var", "who=x", "--sessions", "5", "--session-requests", "2")
                        .firstErrorLine())
                .contains("--session-requests is for a single request");
        assertThat(Shell.call("run", shop, "-X", "POST").firstErrorLine())
                .contains("-X and --data are for a single request");
        assertThat(Shell.call("run", folder.resolve("none.http").toString()).exitCode())
                .isEqualTo(2);
        assertThat(Shell.call("run", "http://h/", "--expect", "20").firstErrorLine())
                .contains("--expect", "such as 200");
        assertThat(Shell.call("run", "http://h/", "--data-file", "x").firstErrorLine())
                .contains("--data-file");
        assertThat(Shell.call("run", "http://h/", "--follow", "0").firstErrorLine())
                .contains("--follow must be from 1 to 100");
        assertThat(Shell.call("run", "http://h/", "--proxy", "socks5://a:s3cret@h:1")
                        .firstErrorLine())
                .contains("a proxy must be http://HOST:PORT, ")
                .doesNotContain("s3cret");
        assertThat(Shell.call("run", "http://h/", "--env", "dev").firstErrorLine())
                .contains("--env requires a request file");
        assertThat(Shell.call("run", "http://h/", "-u", "a:s3cret", "-H", "authorization: s3cret")
                        .firstErrorLine())
                .contains("--user, --bearer-file and -H 'Authorization: ...' are mutually exclusive")
                .doesNotContain("s3cret");
        assertThat(Shell.call("run", "http://h/", "-u", "a:b", "--aws-sigv4", "eu-west-1:s3")
                        .firstErrorLine())
                .contains("--aws-sigv4 excludes --user");
        assertThat(Shell.call("run", "http://h/", "--show", "0").firstErrorLine())
                .contains("--show must be at least 1");
        assertThat(Shell.call("run", "http://h/", "--show", "1", "-o", "a.json").firstErrorLine())
                .contains("--show measures nothing");
        assertThat(Shell.call("run", "http://h/", "--expect", "200", "--expect", "201")
                        .firstErrorLine())
                .contains("no status is both 200 and 201");
        assertThat(Shell.call("run", "http://h/", "-X", "GET /", "--expect", "200")
                        .firstErrorLine())
                .contains("is not a token");
    }

    @Test
    void a_value_that_cannot_be_there_is_refused_before_the_load() throws IOException {
        String shop = file("shop.http", """
                ### me
                GET http://h/me
                Authorization: Bearer {{login.response.body.token}}

                ### login
                POST http://h/login
                """);
        Shell late = Shell.call("run", shop, "--sessions", "5");
        assertThat(late.exitCode()).isEqualTo(2);
        assertThat(late.firstErrorLine())
                .contains(
                        "shop.http:3: {{login.response.body.token}} has no value: it comes from the response to 'login'");
        String misspelt =
                file("other.http", "### login\nPOST http://h/\n### me\nGET http://h/{{Logim.response.body.a}}\n");
        Shell unknown = Shell.call("run", misspelt, "--closed", "1", "--show", "1");
        assertThat(unknown.exitCode()).isEqualTo(2);
        assertThat(unknown.firstErrorLine()).contains("no request is called 'Logim'; the nearest is 'login'");
        String latin = "d=" + Files.write(folder.resolve("latin.csv"), new byte[] {'a', '\n', (byte) 0xE9, '\n'});
        Shell binary = Shell.call("run", "http://h/{{d.a}}", "--data-file", latin);
        assertThat(binary.exitCode()).isEqualTo(2);
        assertThat(binary.firstErrorLine()).contains("latin.csv: not UTF-8 text");
    }

    @Test
    void options_for_all_requests_are_sent_as_given() throws IOException {
        try (LoopbackServer server = LoopbackServer.start(LoopbackOptions.defaults())) {
            String body = "@" + file("body.json", "{\"who\": \"{{who}}\"}");
            Shell shell = Shell.call(
                    "run",
                    server.uri(),
                    "-H",
                    "Accept: a/b",
                    "-H",
                    "accept: c/d",
                    "--data",
                    body,
                    "--var",
                    "who=ann",
                    "--show",
                    "1");
            assertThat(shell.exitCode()).as(shell.err()).isZero();
            assertThat(shell.out()).contains("\nAccept: a/b\n", "\naccept: c/d\n", "{\"who\": \"ann\"}");
        }
    }

    /** What a server sends may be meant for the terminal. */
    @Test
    void a_response_is_shown_without_what_moves_the_cursor_and_without_secrets() throws IOException {
        String response =
                "HTTP/1.1 200 \u001b[2Jfine\r\nContent-Type: text/\u001b]0;x\u0007xml\r\nContent-Length: %d\r\n\r\n%s";
        String xml = "<user><apiToken>s3cret</apiToken></user>";
        try (ServerSocket listening = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Thread server = new Thread(() -> {
                try (Socket caller = listening.accept()) {
                    caller.getInputStream().read(new byte[4096]);
                    caller.getOutputStream()
                            .write(response.formatted(xml.length(), xml).getBytes(StandardCharsets.US_ASCII));
                } catch (IOException closed) {
                    // the caller says what it did not get
                }
            });
            server.start();
            Shell shell = Shell.call("run", "http://127.0.0.1:" + listening.getLocalPort() + "/", "--show", "1");
            assertThat(shell.out())
                    .contains("HTTP/1.1 200  [2Jfine\n", "<user><apiToken>***</apiToken></user>")
                    .doesNotContain("\u001b", "\u0007", "s3cret");
        }
    }

    @Test
    void a_log_is_repeated_with_its_paths() throws IOException {
        try (LoopbackServer server = LoopbackServer.start(LoopbackOptions.defaults())) {
            String log = file("access.log", """
                    [10/Oct/2025:13:55:36 +0000] "GET /a HTTP/1.1"
                    nonsense
                    [10/Oct/2025:13:55:37 +0000] "GET /b HTTP/1.1"
                    """);
            Shell run = Shell.call("run", server.uri(), "--replay-log", log, "--speed", "10x", "--accept-unsound");
            assertThat(run.exitCode()).as(run.err()).isZero();
            assertThat(run.out()).contains("GET /a", "GET /b");
            assertThat(run.err()).contains("1 of 3 lines have no time or no request");
        }
    }

    /** A service that compares the copy with the cookie refuses each of these requests. */
    @Test
    void a_copy_of_a_cookie_that_sessions_send_as_recorded_is_named_once() throws IOException {
        try (LoopbackServer server = LoopbackServer.start(LoopbackOptions.defaults())) {
            String token = "0123456789abcdef";
            String line = "curl " + server.uri() + " -b csrf=" + token + " --json '{\"csrf\": \"" + token + "\"}'";
            String lines = "@" + file("buy.sh", line + "\n" + line + "\n");
            Shell sessions = Shell.call("run", "--curl", lines, "--sessions", "50", "-n", "2", "--accept-unsound");
            assertThat(sessions.exitCode()).as(sessions.err()).isZero();
            assertThat(sessions.err())
                    .containsOnlyOnce("buy.sh:1: the body contains the value of the cookie csrf, which every session"
                            + " sends there as recorded; there are 2 such requests")
                    .doesNotContain(token);
            Shell inTurn = Shell.call("run", "--curl", lines, "-R", "50", "-n", "2", "--accept-unsound");
            assertThat(inTurn.exitCode()).as(inTurn.err()).isZero();
            assertThat(inTurn.err()).doesNotContain("cookie");
        }
    }

    @Test
    void a_run_ends_with_data_that_are_for_once() throws IOException {
        try (LoopbackServer server = LoopbackServer.start(LoopbackOptions.defaults())) {
            String users = "u=" + file("users.csv", "name\nann\nbob\neve\n") + ",once";
            String shop = file(
                    "shop.http",
                    "GET %1$sa?u={{u.name}}\n\n### b\n# @think 100ms\nGET %1$sb?u={{u.name}}\n"
                            .formatted(server.uri()));
            Shell mix =
                    Shell.call("run", "-v", shop, "--data-file", users, "-R", "200", "-d", "1h", "--accept-unsound");
            assertThat(mix.exitCode()).as(mix.err()).isZero();
            assertThat(mix.out()).contains("planned 3 = answered 3");
            assertThat(mix.err()).contains("each row of data is used once: the run ends with the last of 3");
            Shell sessions = Shell.call(
                    "run", shop, "--data-file", users, "--sessions", "50", "-d", "1h", "-v", "--accept-unsound");
            assertThat(sessions.exitCode()).as(sessions.err()).isZero();
            assertThat(sessions.out()).contains("planned 6 = answered 6");
            Shell closed = Shell.call(
                    "run", shop, "--data-file", users, "--closed", "1", "-d", "1h", "-v", "--accept-unsound");
            assertThat(closed.out()).contains("planned 6 = answered 6");
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            run   | -d 1h --warm-up 10s            | --warm-up would use up rows of ,once: each row is used once
            run   | -d 1h --warm-up auto           | --warm-up would use up rows of ,once: each row is used once
            run   | -d 1h --vary pacing=spin,block | slices would each begin with the first row of ,once: each row is
            sweep | --step-duration 3s             | rates would each begin with the first row of ,once: each row is
            """)
    void data_that_are_for_once_are_for_one_run(String command, String option, String message) throws IOException {
        String users = "u=" + file("users.csv", "name\n" + "ann\n".repeat(20)) + ",once";
        String shop = file("shop.http", "GET http://127.0.0.1:9/?u={{u.name}}\n");
        List<String> line = new ArrayList<>(List.of(command, shop, "--data-file", users, "-R", "1"));
        line.addAll(List.of(option.split(" ")));
        Shell run = Shell.call(line.toArray(String[]::new));
        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.firstErrorLine()).contains(message);
    }

    /** A service may refuse an order that it knows, or answer it from its cache. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "run %s -R 100 -n 20 --turns 2 --vary connections=1,2 --accept-unsound -q",
                "sweep %s -R 20..21 --step-duration 3s --budget 14s --slo p50<9s -q"
            })
    void runs_of_one_command_send_each_unique_value_once(String command) throws IOException {
        Queue<String> ids = new ConcurrentLinkedQueue<>();
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            ids.add(exchange.getRequestURI().getQuery());
            exchange.sendResponseHeaders(200, -1);
            exchange.close();
        });
        server.start();
        try {
            String orders = "GET http://127.0.0.1:" + server.getAddress().getPort() + "/?id={{$uuid}}\n";
            Shell shell = Shell.call(
                    String.format(command, file("orders.http", orders)).split(" "));
            assertThat(shell.exitCode()).as(shell.err()).isIn(0, 98);
        } finally {
            server.stop(0);
        }
        assertThat(ids).hasSizeGreaterThanOrEqualTo(40).doesNotHaveDuplicates();
    }

    @Test
    void status_and_body_may_be_expected_of_one_url() throws IOException {
        try (LoopbackServer server = LoopbackServer.start(LoopbackOptions.defaults())) {
            Shell run = Shell.call("run", server.uri(), "-R", "200", "-n", "50", "--expect", "201");
            assertThat(run.exitCode()).isIn(98, 99);
            assertThat(run.out()).contains("HTTP 200, expected 201");
        }
    }
}
