package dev.downbeat.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class MalformedLinesTest {
    private static final String[] RUN_OPTIONS = {
        "-R", "--rate", "--ramp", "--stage", "--arrivals", "--seed", "--speed", "--closed", "--sessions",
        "--session-requests", "--think", "-d", "-n", "-c", "--timeout", "--timeout-from", "--drain", "-t",
        "--connect-timeout", "--slo", "-o", "--color", "--vary", "--turns", "--http", "--streams"
    };
    private static final String[] SERVE_OPTIONS = {
        "--port", "--delay", "--concurrency", "--stall", "--close-after", "--misbehave", "--body", "--status"
    };
    private static final String[] PROVE_OPTIONS = {"-d", "-R", "--freeze"};

    /** None of these is a value of any option above. */
    private static final String[] RUBBISH = {
        "",
        " ",
        "-1",
        "5/",
        "1e999999999",
        "NaN",
        "∞",
        "x\u0000y",
        "\n\n\n",
        "%s%n%d",
        "${jndi:x}",
        "🎵",
        "--",
        "'",
        "9".repeat(400),
        "5 / s",
        "p99",
        "p99<",
        "..",
        "1..",
        "/",
        "@",
        "\u001b[2J",
        "null",
        "=",
        "0x",
        "k",
        "1h1h",
        "PT",
        ":",
        "a".repeat(5000)
    };

    static IntStream seeds() {
        return IntStream.range(0, 200);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void a_malformed_line_gets_a_short_answer_and_exit_code_2(int seed) {
        assertRefused(1_500, malformed(new SplittableRandom(seed))); // it may quote what is long
    }

    static IntStream mistakes() {
        return IntStream.rangeClosed(1, 50);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("mistakes")
    void so_does_a_line_with_one_mistake_among_words_that_are_right(int seed) {
        assertRefused(500, MalformedLine.of(seed));
    }

    private static void assertRefused(int longest, String... words) {
        Shell shell = Assertions.assertTimeoutPreemptively(Duration.ofSeconds(20), () -> Shell.call(words));
        String line = MalformedLine.shown(words);
        List<String> said = shell.err().lines().toList();
        assertThat(shell.exitCode())
                .as("exit code of %s, which said %s", line, said)
                .isEqualTo(2);
        assertThat(shell.out()).as("stdout of %s", line).isEmpty();
        assertThat(said)
                .as("stderr of %s", line)
                .hasSizeBetween(1, 3)
                .allSatisfy(text -> assertThat(text.length()).isBetween(1, longest));
        assertThat(said.get(0)).as("stderr of %s", line).matches("downbeat[a-z ]*: \\S.*");
        assertThat(said.subList(1, said.size()))
                .as("stderr of %s", line)
                .allMatch(more ->
                        more.matches("did you mean .*|see 'downbeat[a-z ]* --help'|  downbeat run http://\\S+"));
        assertThat(shell.err()).as("stderr of %s", line).doesNotContain("\tat ", "Exception", "secret", "\u001b");
    }

    /** Something is wrong with each of these lines, whatever else is right. */
    private static String[] malformed(SplittableRandom random) {
        List<String> line = new ArrayList<>();
        switch (random.nextInt(9)) {
            case 0 -> add(line, "run", "http://127.0.0.1:9/", one(random, RUN_OPTIONS), one(random, RUBBISH));
            case 1 -> add(line, "serve", one(random, SERVE_OPTIONS), one(random, RUBBISH));
            case 2 -> add(line, "prove", one(random, PROVE_OPTIONS), one(random, RUBBISH));
            case 3 -> add(line, "run", "http://127.0.0.1:9/", one(random, RUN_OPTIONS));
            case 4 -> add(line, "run", "--" + word(random), one(random, RUBBISH));
            case 5 ->
                add(line, "run", one(random, new String[] {
                    "ftp://x/", "http://", "localhost:80", "unix:x", "http://a b/", "http://h:99999/"
                }));
            case 6 -> add(line, word(random) + "-x");
            case 7 -> add(line, "compare", one(random, RUBBISH), one(random, RUBBISH));
            default -> {
                add(line, "run", "http://127.0.0.1:9/");
                add(line, one(random, new String[] {"-R", "--closed"}), "5", "--stage", "1s:5");
                if (random.nextBoolean()) {
                    add(line, "--replay", "/nowhere/at/all");
                }
            }
        }
        return line.toArray(String[]::new);
    }

    private static void add(List<String> line, String... words) {
        line.addAll(List.of(words));
    }

    private static String one(SplittableRandom random, String[] words) {
        return words[random.nextInt(words.length)];
    }

    private static String word(SplittableRandom random) {
        StringBuilder word = new StringBuilder("q");
        int length = random.nextInt(1, 12);
        for (int i = 0; i < length; i++) {
            word.append((char) ('a' + random.nextInt(26)));
        }
        return word.toString();
    }
}
