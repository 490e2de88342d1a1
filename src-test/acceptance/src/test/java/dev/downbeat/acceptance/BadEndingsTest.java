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
 * Every failure, of the service or of the command line, gives one clear line, the right exit code, no stack trace and no
 * hang. Concurrent, because most of these tests wait for a process.
 */
@Execution(ExecutionMode.CONCURRENT)
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class BadEndingsTest {
    /** Longer than a run that does not hang: on a machine with ten times as much work it took 40 s. */
    private static final Duration BOUND = Duration.ofMinutes(2);

    /** In this process: a process of its own takes a second of a core, and would end in the same way. */
    private static Cli.Ending run(String target) {
        return CommandLines.execute(words(target));
    }

    private static Cli.Ending runAsProcess(String target) {
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
        assertOneClearLine(runAsProcess("http://127.0.0.1:1/"), "127.0.0.1:1", "refused");
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
            // with eight busy loops a handshake took 10 s, the default limit
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
    void no_answer_is_valid(Misbehaviour misbehaviour, String fragment) throws IOException {
        try (LoopbackServer server =
                LoopbackServer.start(LoopbackOptions.of(draft -> draft.misbehaviour = misbehaviour))) {
            boolean asProcess = misbehaviour == Misbehaviour.CLOSE_WITHOUT_ANSWER;
            Cli.Ending ending = asProcess ? runAsProcess(server.uri()) : run(server.uri());
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

    /** One of them, in a process of its own. MalformedLinesTest has 250 more. */
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
