package dev.downbeat.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.downbeat.loopback.LoopbackServer;
import dev.downbeat.loopback.options.LoopbackOptions;
import dev.downbeat.loopback.options.Misbehaviour;
import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Whatever is wrong out there or on the command line: one clear line, the right exit code, no stack trace, no hang. Most wait
 * for a process, beside each other.
 */
@Execution(ExecutionMode.CONCURRENT)
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class BadEndingsTest {
    /** What hangs does so for ever; what does not has starved for 40 s on a machine with ten times as much to do. */
    private static final Duration BOUND = Duration.ofMinutes(2);

    /** In this process, as most are: how a process ends is the same for all of them, and each takes a second of a core. */
    private static Cli.Ending run(String target) {
        return CommandLines.execute(words(target));
    }

    private static Cli.Ending runAlone(String target) {
        return Cli.run(BOUND, words(target));
    }

    private static String[] words(String target) {
        return new String[] {"run", target, "-R", "100", "-d", "1s", "--timeout", "5s", "-q"};
    }

    private static void assertOneClearLine(Cli.Ending ending, String... fragments) {
        assertThat(ending.errLines()).as("stderr").hasSize(1);
        assertThat(ending.err()).startsWith("downbeat run: ").containsIgnoringCase(fragments[0]);
        assertThat(fragments).allSatisfy(fragment -> assertThat(ending.err()).containsIgnoringCase(fragment));
        assertThat(ending.hasStackTrace()).isFalse();
        assertThat(ending.code()).isEqualTo(1);
    }

    @Test
    void nothing_listens() {
        assertOneClearLine(runAlone("http://127.0.0.1:1/"), "127.0.0.1:1", "refused");
    }

    @Test
    void the_name_does_not_exist() {
        assertOneClearLine(run("http://no-such-host.invalid/"), "no-such-host.invalid", "unknown host");
    }

    @Test
    void no_such_Unix_socket() {
        assertOneClearLine(run("unix:/no/such/socket:/"), "/no/such/socket");
    }

    @Test
    void TLS_to_a_plain_port() throws IOException {
        try (LoopbackServer server = LoopbackServer.start(LoopbackOptions.defaults())) {
            assertOneClearLine(run(server.uri().replace("http:", "https:")), "TLS");
        }
    }

    @Test
    void an_untrusted_certificate() throws IOException {
        try (LoopbackServer server = LoopbackServer.start(LoopbackOptions.of(draft -> draft.tls = true))) {
            // a handshake has taken 10 s, which is how long it may, beside eight busy loops
            assertOneClearLine(
                    CommandLines.execute("run", server.uri(), "-R", "100", "-d", "1s", "--connect-timeout=60s", "-q"),
                    "certificate");
        }
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource({
        "CLOSE_WITHOUT_ANSWER, closed",
        "RESET, reset",
        "GARBAGE, bad status line",
        "BAD_STATUS_LINE, bad status line",
        "HALF_ANSWER, closed in mid-response"
    })
    void every_answer_is_spoiled(Misbehaviour misbehaviour, String fragment) throws IOException {
        try (LoopbackServer server =
                LoopbackServer.start(LoopbackOptions.of(draft -> draft.misbehaviour = misbehaviour))) {
            boolean isFirst = misbehaviour == Misbehaviour.CLOSE_WITHOUT_ANSWER;
            Cli.Ending ending = isFirst ? runAlone(server.uri()) : run(server.uri());
            assertOneClearLine(ending, fragment, "nothing");
            assertThat(ending.out()).contains("planned ").contains("answered 0");
        }
    }

    @Test
    @Timeout(180)
    void a_server_that_never_answers_does_not_hang_the_run() throws IOException {
        try (LoopbackServer server =
                LoopbackServer.start(LoopbackOptions.of(draft -> draft.misbehaviour = Misbehaviour.HEADERS_NEVER))) {
            Cli.Ending ending =
                    Cli.run(BOUND, "run", server.uri(), "-R", "50", "-d", "1s", "--timeout", "500ms", "-q", "--json");
            assertThat(ending.code()).isIn(98, 99);
            assertThat(ending.json().at("ledger.timed_out").whole())
                    .isPositive()
                    .isEqualTo(ending.json().at("ledger.planned").whole());
            assertThat(ending.hasStackTrace()).isFalse();
        }
    }

    /** Two hundred and fifty in one process: MalformedLinesTest. */
    @Test
    void a_malformed_command_line_is_refused_in_one_clear_line() {
        Cli.Ending ending = Cli.run(BOUND, "run", "http://127.0.0.1:1/", "-R", "5/", "-d", "1s");
        assertThat(ending.code()).isEqualTo(2);
        assertThat(ending.errLines()).hasSizeBetween(1, 3);
        assertThat(ending.err()).startsWith("downbeat run: ").doesNotContain("Exception");
        assertThat(ending.hasStackTrace()).isFalse();
        assertThat(ending.out()).isEmpty();
    }
}
