package dev.downbeat.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.downbeat.cli.help.ArgFiles;
import dev.downbeat.cli.measurement.Measurement;
import dev.downbeat.cli.measurement.ParsedOptions;
import dev.downbeat.cli.measurement.SimulationOptions;
import dev.downbeat.cli.measurement.option.Values;
import dev.downbeat.report.file.PlanFile;
import dev.downbeat.report.render.ShellWords;
import dev.downbeat.testing.Replications;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.TypeConversionException;

/** Words, value and file say the same: whatever measurement somebody may ask for. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class MeasurementWordsTest {
    private static final String[] NASTY = {
        "plain",
        "two words",
        "it's",
        "\"quoted\"",
        "$HOME",
        "`date`",
        "-dash",
        "--rate=5",
        "=",
        "a=b",
        "*",
        "~",
        "#x",
        "back\\slash",
        "semi;colon",
        "{}",
        "!",
        "täglich",
        "🎵",
        "%s%n",
        "${sys:user.home}",
        "<>|&",
        "'",
        "a'b'c"
    };

    static IntStream seeds() {
        return IntStream.range(0, Replications.of(300));
    }

    private static <R extends Record> R parsed(Class<R> type, List<String> words) {
        ParsedOptions<R> said = new ParsedOptions<>(type);
        CommandLine line = new CommandLine(said.spec());
        line.setUnmatchedOptionsAllowedAsOptionParameters(false);
        line.parseArgs(ArgFiles.escapeBodies(words.toArray(String[]::new)));
        return said.value();
    }

    /** A text for an option, by its label; empty for a switch. */
    private static String text(OptionSpec option, SplittableRandom random) {
        String nasty = NASTY[random.nextInt(NASTY.length)];
        int number = random.nextInt(1, 200);
        return switch (option.longestName()) {
            case "--rate", "--sessions" ->
                number + List.of("", "k/s", "/m", ".5/s", "/100ms", "/7h").get(number % 6);
            case "--stage" -> number + "s:" + number + (number % 2 == 0 ? "" : "..700/m");
            case "--ramp" -> number + "s";
            case "--arrivals" -> number % 2 == 0 ? "poisson" : "CONSTANT";
            case "--seed" -> Long.toHexString(random.nextLong());
            case "--replay", "--replay-log", "--cacert", "--truststore", "--client-cert" -> "dir/" + nasty;
            case "--speed" -> number + (number % 2 == 0 ? "x" : ".25");
            case "--think" -> (number % 2 == 0 ? "exp:" : "") + number + "ms";
            case "--lookup" -> List.of("once", "per-connection", number + "s").get(number % 3);
            case "--slo" ->
                List.of("p99<" + number + "ms", "p99.9<=1.5s", "max<2h", "errors<0.10%", "rate>=99%")
                        .get(number % 5);
            case "--header" -> "X-" + number + ": " + nasty;
            case "--attribute" -> "name" + number + "=" + nasty;
            case "--data" -> nasty + "\n" + nasty;
            case "--timeout-from" -> number % 2 == 0 ? "sent" : "intended";
            case "--pacing" -> List.of("auto", "block", "hybrid", "spin").get(number % 4);
            case "--operation" -> "send-batch";
            case "--transport" -> "url-connection";
            case "--local-address" -> "127.0.0." + number;
            case "--endpoint" -> "http://127.0.0.1:" + number + "/?a=b";
            case "--tls-version" -> number % 2 == 0 ? "1.2" : "1.3";
            case "--message-size" -> number + "Ki";
            case "--threads", "--batch-size", "--message-groups", "--consumers", "--in-flight", "--retries" ->
                Integer.toString(1 + number % 90);
            case "--service" ->
                List.of("2ms", "exp:2ms", "lognormal:2ms,0.5", "pareto:1ms,1.5", "bimodal:1ms,50ms,1%")
                        .get(number % 5);
            case "--stall" -> number % 2 == 0 ? "1s@5s" : "every 10s for 200ms";
            case "--attempts" -> number % 2 == 0 ? "unlimited" : Integer.toString(number);
            case "--give-up" -> "answer";
            case "--retry-backoff" -> number + ".50";
            case "--retry-jitter" -> "full";
            case "--retry-budget", "--breaker" -> (1 + number % 99) + ".5%";
            default ->
                switch (option.paramLabel()) {
                    case "N", "K" -> number + (number % 3 == 0 ? "k" : "");
                    case "TIME" ->
                        number + List.of("ms", "s", "m", "h1.5s", ".25s", "us").get(number % 6);
                    default -> nasty;
                };
        };
    }

    private static <R extends Record> R any(Class<R> type, SplittableRandom random) {
        List<OptionSpec> options = new ParsedOptions<>(type)
                .spec().options().stream().filter(option -> !option.hidden()).toList();
        for (int attempt = 0; attempt < 20_000; attempt++) {
            Map<String, List<String>> said = new HashMap<>();
            double often = random.nextDouble(0, 0.35);
            for (OptionSpec option : options) {
                boolean isSwitch = option.arity().max() == 0;
                List<String> texts = new ArrayList<>();
                for (int i = 0; random.nextDouble() < often && (i == 0 || option.isMultiValue()); i++) {
                    texts.add(isSwitch ? "true" : text(option, random));
                }
                if (!texts.isEmpty()) {
                    said.put(option.longestName(), texts);
                }
            }
            if (type == Measurement.class && random.nextBoolean()) {
                said.put("TARGET", List.of("http://h/" + NASTY[random.nextInt(NASTY.length)]));
            }
            try {
                return Values.of(type, said);
            } catch (TypeConversionException contradiction) {
                assertThat(contradiction.getMessage()).isNotBlank().doesNotContain("\n");
            }
        }
        throw new AssertionError("nothing makes sense");
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void any_measurement_round_trips_through_arguments(int seed) {
        Measurement value = any(Measurement.class, new SplittableRandom(seed));
        Measurement again = parsed(Measurement.class, Values.words(value));
        assertThat(again).isEqualTo(value);
        assertThat(Values.words(again)).isEqualTo(Values.words(value));
        assertThat(Values.overriding(value, Map.of())).isEqualTo(value);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void any_simulation_round_trips_through_arguments(int seed) {
        SimulationOptions value = any(SimulationOptions.class, new SplittableRandom(seed));
        assertThat(parsed(SimulationOptions.class, Values.words(value))).isEqualTo(value);
        assertThat(Values.read(SimulationOptions.class, Values.tree(value))).isEqualTo(value);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void any_measurement_is_the_same_in_a_file(int seed) throws IOException {
        Measurement value = any(Measurement.class, new SplittableRandom(seed));
        PlanFile plan =
                new PlanFile("0", "id", 2, Optional.empty(), "target", "load", Values.tree(value), List.of(), "");
        for (String text : List.of(plan.text(), plan.line())) {
            assertThat(Values.read(Measurement.class, PlanFile.parse(text).measurement()))
                    .isEqualTo(value);
        }
    }

    @Test
    void a_shell_reads_the_words_that_we_print_for_any_measurement() throws IOException {
        List<String> words = new ArrayList<>();
        for (int seed = 0; seed < 60; seed++) {
            words.addAll(Values.words(any(Measurement.class, new SplittableRandom(seed))));
        }
        words.addAll(List.of(NASTY));
        words.add("");
        Process shell = new ProcessBuilder("sh").redirectErrorStream(true).start();
        try (var in = shell.getOutputStream()) {
            in.write(("printf '%s\\0' " + ShellWords.line(words)).getBytes(StandardCharsets.UTF_8));
        }
        String said = new String(shell.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(List.of(said.split("\0", -1)))
                .startsWith(words.toArray(String[]::new))
                .hasSize(words.size() + 1);
    }

    @Test
    void an_objective_is_quoted_where_it_must_be() {
        assertThat(ShellWords.line(List.of("downbeat", "run", "http://h/?a=1&page=2", "--slo=p99<50ms", "-q")))
                .isEqualTo("downbeat run 'http://h/?a=1&page=2' --slo='p99<50ms' -q");
    }

    @Test
    void unknown_names_are_refused() {
        assertThat(refused(Map.of("lode", Map.of()))).contains("unknown name 'lode'");
        assertThat(refused(Map.of("load", Map.of("rite", "5")))).contains("unknown name 'rite'");
        assertThat(refused(Map.of("load", Map.of("rate", List.of("5"))))).contains("rate must be a text");
        assertThat(refused(Map.of("load", Map.of("rate", "fast"))))
                .contains("--rate")
                .contains("is not a rate");
        assertThat(refused(Map.of("load", "5"))).contains("load must be an object");
        assertThat(refused(Map.of("load", Map.of("rate", "5", "closed", 3L)))).contains("mutually exclusive");
    }

    private static String refused(Map<String, Object> tree) {
        try {
            return Values.read(Measurement.class, tree).toString();
        } catch (TypeConversionException refused) {
            return String.valueOf(refused.getMessage());
        }
    }
}
