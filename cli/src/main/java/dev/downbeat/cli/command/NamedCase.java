package dev.downbeat.cli.command;

import dev.downbeat.cli.measurement.SimulationOptions;
import dev.downbeat.cli.measurement.option.Values;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import picocli.CommandLine.TypeConversionException;

/**
 * A simulation with a name. It consists of the arguments of a command line, so users can vary it.
 *
 * @param name its name on the command line
 * @param words its options
 */
record NamedCase(String name, List<String> words) {
    private static final String BIMODAL_RATE = "--rate 727934/100s";
    private static final String BIMODAL = " --service hyperexp:100us,10ms,0.1%";
    private static final String EXPONENTIAL = " --service exp:100us";
    private static final String RETRIED = BIMODAL_RATE + " --duration 5s" + BIMODAL + " --attempt-timeout 15ms";
    private static final String TENE = "--rate 100 --arrivals constant --duration 200s --service 1ms --timeout 10m";

    static final List<NamedCase> ALL = List.of(
            of("brooker-exponential", "--rate 8k/s --requests 1M" + EXPONENTIAL),
            of("brooker-exponential-closed-1", "--closed 1 --requests 1M" + EXPONENTIAL),
            of("brooker-exponential-closed-10", "--closed 10 --think exp:1.145ms --requests 1M" + EXPONENTIAL),
            of("brooker-bimodal", BIMODAL_RATE + " --requests 4M" + BIMODAL),
            of("brooker-bimodal-closed-1", "--closed 1 --requests 1M" + BIMODAL),
            of("brooker-bimodal-closed-10", "--closed 10 --think exp:1.2584ms --requests 1M" + BIMODAL),
            of("tene-freeze", TENE + " --servers 20k --stall 100s@100s"),
            of("tene-freeze-one-server", TENE + " --servers 1 --stall 100s@100s"),
            of("tene-freeze-cut-off", TENE + " --servers 20k --stall 1h@100s --drain 0s"),
            of("retry-collapse", RETRIED + " --attempts unlimited --give-up answer --drain 0s"),
            of("retry-unlimited", RETRIED + " --attempts unlimited --drain 0s"),
            of("retry-three", RETRIED + " --attempts 3 --drain 0s"),
            of(
                    "retry-jitter",
                    RETRIED + " --attempts 3 --retry-delay 20ms --retry-backoff 2 --retry-jitter full --drain 0s"),
            of("retry-budget", RETRIED + " --attempts 3 --retry-budget 10%"),
            of("retry-breaker", RETRIED + " --attempts 3 --breaker 50% --breaker-open 100ms"));

    NamedCase {
        words = List.copyOf(words);
    }

    private static NamedCase of(String name, String words) {
        return new NamedCase(name, Arrays.asList(words.split(" ", -1)));
    }

    static NamedCase named(String name) {
        return ALL.stream()
                .filter(known -> known.name.equals(name))
                .findFirst()
                .orElseThrow(() -> new TypeConversionException("unknown case '" + name + "' (known: "
                        + ALL.stream().map(NamedCase::name).collect(Collectors.joining(", ")) + ")"));
    }

    SimulationOptions value() {
        Map<String, List<String>> said = new HashMap<>();
        for (int i = 0; i < words.size(); i += 2) {
            said.put(words.get(i), List.of(words.get(i + 1)));
        }
        return Values.of(SimulationOptions.class, said);
    }
}
