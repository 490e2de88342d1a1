package dev.downbeat.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.downbeat.http.HttpEndpoint;
import dev.downbeat.http.HttpOptions;
import dev.downbeat.http.HttpRequest;
import dev.downbeat.http.HttpTarget;
import dev.downbeat.load.Load;
import dev.downbeat.load.Measured;
import dev.downbeat.loopback.LoopbackOptions;
import dev.downbeat.loopback.LoopbackServer;
import dev.downbeat.testing.Replications;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** 200 names of headers and parameters, in everything that comes out: their values are nowhere. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class SecretsEverywhereTest {
    private static final String HUSH = "HUSH";
    private static final List<String> ENDINGS = List.of("downbeat", "json", "html", "md", "csv", "xml", "hlog", "hgrm");
    private static final int NAMES = 200;

    /** So many at a time: the head of a request has a limit. */
    private static final int AT_ONCE = 50;

    /** Of the wrong command lines, one in so many; with 23 for each name, each has its turn with many names. */
    private static final int SHARE = Replications.areWhole() ? 1 : 7;

    @TempDir
    Path folder;

    private static List<String> names() {
        List<String> known = List.of(
                "X-Session",
                "X-Jwt",
                "X-Pwd",
                "Credential",
                "X-Amz-Credential",
                "pwd",
                "jwt",
                "session",
                "sid",
                "code",
                "bearer");
        List<String> words = List.of(
                "token",
                "key",
                "secret",
                "password",
                "auth",
                "cookie",
                "sig",
                "ticket",
                "nonce",
                "csrf",
                "saml",
                "login",
                "user",
                "email",
                "phone",
                "iban",
                "pin",
                "otp",
                "pass",
                "id",
                "q",
                "assertion",
                "grant",
                "device");
        List<String> before = List.of("", "X-", "my_", "client-", "X-Amz-", "o", "access_", "refresh.", "Set");
        return Stream.concat(
                        known.stream(),
                        before.stream().flatMap(start -> words.stream().map(word -> start + word)))
                .distinct()
                .limit(NAMES)
                .toList();
    }

    private static String query(List<String> names) {
        return names.stream().map(name -> name + "=" + HUSH).collect(Collectors.joining("&", "?page=2&", ""));
    }

    /** Each in one of the ways in which a header can be written. */
    private static List<String> headers(List<String> names) {
        List<String> words = new ArrayList<>();
        for (int i = 0; i < names.size(); i++) {
            String header = names.get(i) + ": " + HUSH;
            words.addAll(
                    switch (i % 5) {
                        case 0 -> List.of("-H", header);
                        case 1 -> List.of("-H" + header);
                        case 2 -> List.of("--header=" + header);
                        case 3 -> List.of("--header", header.replace(": ", ":"));
                        default -> i == 4 ? List.of("-qH" + header) : List.of("-H=" + header);
                    });
        }
        return words;
    }

    private void assertNothing(Shell said, Path... files) throws IOException {
        assertThat(said.out()).as("stdout").doesNotContain(HUSH);
        assertThat(said.err()).as("stderr").doesNotContain(HUSH);
        for (Path file : files) {
            assertThat(Files.size(file)).isPositive();
            assertThat(Files.readString(file, StandardCharsets.ISO_8859_1))
                    .as(file.toString())
                    .doesNotContain(HUSH);
            if (file.toString().endsWith(".downbeat")) {
                assertNothingIn(file);
            }
        }
    }

    private static void assertNothingIn(Path zip) throws IOException {
        try (InputStream in = Files.newInputStream(zip);
                ZipInputStream entries = new ZipInputStream(in)) {
            for (ZipEntry entry = entries.getNextEntry(); entry != null; entry = entries.getNextEntry()) {
                assertThat(new String(entries.readAllBytes(), StandardCharsets.UTF_8))
                        .as(entry.getName())
                        .doesNotContain(HUSH);
            }
        }
    }

    private Path[] files(String name) {
        return ENDINGS.stream()
                .map(ending -> folder.resolve(name + "." + ending))
                .toArray(Path[]::new);
    }

    private static List<String> outputs(Path... files) {
        return Arrays.stream(files)
                .flatMap(file -> Stream.of("-o", file.toString()))
                .toList();
    }

    private static Shell call(List<String> words, List<String> more) {
        return Shell.call(Stream.concat(words.stream(), more.stream()).toArray(String[]::new));
    }

    @Test
    void no_format_of_a_run_its_report_and_its_comparison_shows_one() throws IOException {
        assertThat(names()).hasSize(NAMES);
        try (LoopbackServer server = LoopbackServer.start(LoopbackOptions.defaults())) {
            for (int from = 0; from < NAMES; from += AT_ONCE) {
                List<String> names = names().subList(from, from + AT_ONCE);
                Path[] files = files("a" + from);
                List<String> run = new ArrayList<>(List.of("run", server.uri() + query(names)));
                run.addAll(headers(names));
                run.addAll(List.of("--data", HUSH, "-n", "20", "-R", "500", "--accept-unsound", "--seed", "1"));
                Shell said = call(run, outputs(files));
                assertThat(said.exitCode()).as(said.err()).isZero();
                assertNothing(said, files);
                Path[] again = files("b" + from);
                assertNothing(call(List.of("report", files[0].toString()), outputs(again)), again);
                for (String json : List.of("--json", "-q")) {
                    assertNothing(call(run, List.of(json)));
                }
                String saved = files[0].toString();
                for (List<String> door : List.of(
                        List.of("report", saved),
                        List.of("report", saved, "--json"),
                        List.of("report", saved, saved),
                        List.of("rerun", saved),
                        List.of("rerun", files[1].toString()),
                        List.of("compare", saved, saved),
                        List.of("compare", "--json", saved, saved),
                        List.of("merge", saved, saved))) {
                    Shell shown = call(door, List.of());
                    assertThat(shown.out() + shown.err()).as(door.toString()).isNotBlank();
                    assertNothing(shown);
                }
            }
        }
    }

    @Test
    void no_message_about_a_wrong_command_line_repeats_one() throws IOException {
        String hush = HUSH;
        int number = 0;
        for (String name : names()) {
            String query = "?" + name + "=" + hush;
            for (List<String> wrong : List.of(
                    List.of("run", "ftp://h/" + query),
                    List.of("run", "http://h:port/" + query),
                    List.of("run", "http://h/" + query + " " + hush),
                    List.of("run", "http://" + name + ":" + hush + "@h/"),
                    List.of("run", "http://" + hush + "@h/"),
                    List.of("run", "h/" + query),
                    List.of("run", "unix:" + query),
                    List.of("run", "http://h/", "-H", hush),
                    List.of("run", "http://h/", "-H", name + "=" + hush + ": " + hush),
                    List.of("run", "http://h/", "-H", name + ": " + hush + "\r\n" + hush),
                    List.of("run", "http://h/", "--headr", name + ": " + hush),
                    List.of("run", "http://h/", "--headr=" + name + ": " + hush),
                    List.of("run", "http://h/", "-Y" + hush),
                    List.of("run", "http://h/", name + ":" + hush),
                    List.of("run", "http://h/", "--data", hush, "--data", hush),
                    List.of("run", "http://h/" + query, "-R", "x"),
                    List.of("run", "http://h/" + query, "--plan", "none"),
                    List.of("run", "http://h/", "-R", "http://h/" + query),
                    List.of("sweep", "ftp://h/" + query),
                    List.of("compare", "--live", "http://h/" + query, "ftp://h/" + query),
                    List.of("plan", "ftp://h/" + query, "--shards", "2"),
                    List.of(
                            "plan",
                            "http://h/" + query,
                            "--shards",
                            "2",
                            "--aws-batch",
                            "--volume",
                            "v",
                            "--queue",
                            "q"),
                    List.of("report", "http://h/" + query))) {
                if (number++ % SHARE != 0) {
                    continue; // another name's turn, but in a nightly build
                }
                Shell refused = call(wrong, List.of());
                assertThat(refused.exitCode()).as(wrong.toString()).isEqualTo(2);
                assertThat(refused.err()).as(wrong.toString()).isNotBlank();
                assertNothing(refused);
            }
        }
    }

    @Test
    void where_nothing_can_be_measured_none_is_said() throws IOException {
        String nowhere = "http://127.0.0.1:" + LoopbackServer.freePort() + "/" + query(names());
        for (String command : List.of("run", "sweep", "sheet", "position")) {
            Shell nothing = call(List.of(command, nowhere), headers(names()));
            assertThat(nothing.exitCode()).as(command).isBetween(1, 2);
            assertNothing(nothing);
        }
        assertNothing(call(List.of("run", "http://nobody.invalid/" + query(names()), "-n", "1"), List.of()));
    }

    @Test
    void the_library_shows_none() throws IOException {
        try (LoopbackServer server = LoopbackServer.start(LoopbackOptions.defaults())) {
            List<String> names = names().subList(0, AT_ONCE);
            List<HttpRequest.Header> headers = names.stream()
                    .map(name -> new HttpRequest.Header(name, HUSH))
                    .toList();
            HttpEndpoint endpoint = HttpEndpoint.parse(server.uri() + query(names));
            HttpRequest request = HttpRequest.of("POST", endpoint, headers, HUSH.getBytes(StandardCharsets.UTF_8));
            HttpTarget target = new HttpTarget(request, HttpOptions.defaults());
            Measured measured = Load.perSecond(200)
                    .duration(Duration.ofMillis(200))
                    .named(server.uri() + query(names))
                    .objectives("p50<1ns")
                    .run(target);
            for (Object shown : List.of(
                    headers,
                    endpoint,
                    request,
                    target.describe(),
                    measured,
                    measured.text(),
                    measured.sentence(),
                    measured.report(),
                    measured.report().result().target())) {
                assertThat(shown.toString()).as(shown.getClass().toString()).doesNotContain(HUSH);
            }
            assertThatThrownBy(measured::throwUnlessMet)
                    .isInstanceOf(AssertionError.class)
                    .hasMessageNotContaining(HUSH);
            for (String ending : ENDINGS.subList(0, ENDINGS.size() - 1)) {
                Path file = folder.resolve("library." + ending);
                measured.save(file);
                assertNothing(new Shell(0, "", ""), file);
            }
        }
    }
}
