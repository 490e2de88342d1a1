package dev.downbeat.cli;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import picocli.CommandLine.TypeConversionException;

/**
 * A simulation that is known by a name: nothing but the words of a command line, so that whoever has seen it can vary it.
 *
 * @param name as it is typed
 * @param words the options
 */
record NamedCase(String name, List<String> words) {
    private static final String BIMODAL_RATE = "-R 727934/100s";
    private static final String BIMODAL = " --service hyperexp:100us,10ms,0.1%";
    private static final String EXPONENTIAL = " --service exp:100us";
    private static final String RETRIED = BIMODAL_RATE + " -d 5s" + BIMODAL + " --attempt-timeout 15ms";
    private static final String TENE = "-R 100 --arrivals constant -d 200s --service 1ms --timeout 10m";

    /** Options each of which says who decides when requests start: one given replaces the case's, and what belongs to it. */
    private static final Set<String> LOADS =
            Set.of("-R", "--qps", "--stage", "--replay", "--replay-log", "--closed", "--sessions");

    private static final Set<String> OF_LOADS =
            Set.of("-R", "--closed", "--think", "--arrivals", "--sessions", "--session-requests");

    static final List<NamedCase> ALL = List.of(
            of("brooker-exponential", "-R 8k/s -n 1M" + EXPONENTIAL),
            of("brooker-exponential-closed-1", "--closed 1 -n 1M" + EXPONENTIAL),
            of("brooker-exponential-closed-10", "--closed 10 --think exp:1.145ms -n 1M" + EXPONENTIAL),
            of("brooker-bimodal", BIMODAL_RATE + " -n 4M" + BIMODAL),
            of("brooker-bimodal-closed-1", "--closed 1 -n 1M" + BIMODAL),
            of("brooker-bimodal-closed-10", "--closed 10 --think exp:1.2584ms -n 1M" + BIMODAL),
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
                .orElseThrow(() -> new TypeConversionException("there is no case '" + name + "'; known are "
                        + ALL.stream().map(NamedCase::name).collect(Collectors.joining(", "))));
    }

    /**
     * The words that are left when some options are given beside the name: those replace the case's own.
     *
     * @param isGiven asked by an option's name
     */
    List<String> without(Predicate<String> isGiven) {
        Set<String> replaced = new HashSet<>();
        if (LOADS.stream().anyMatch(isGiven)) {
            replaced.addAll(OF_LOADS);
        }
        if (isGiven.test("--stage")) {
            replaced.add("-d");
        }
        List<String> left = new ArrayList<>();
        for (int i = 0; i < words.size(); i += 2) {
            String option = words.get(i);
            if (!replaced.contains(option) && !isGiven.test(option)) {
                left.addAll(words.subList(i, i + 2));
            }
        }
        return left;
    }
}
