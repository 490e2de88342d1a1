package dev.downbeat.gatling;

import dev.downbeat.time.DurationText;
import dev.downbeat.verdict.Slo;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * What a simulation asks of Downbeat. System properties go before what its protocol says, so that one may be tried without
 * a change of the source.
 *
 * @param objectives what is asked of the service
 * @param correctsGatlingReport whether Gatling's own report shows corrected times
 * @param anchorsPaces whether paces keep their beat
 * @param acceptsUnsound whether a measurement in doubt goes for a sound one in the exit code
 * @param setsExitCode whether the verdict decides how Gatling's JVM ends
 * @param warmUpNanos requests that are meant to start before this are sent and not counted
 * @param folder where to save; empty for Gatling's own results folder
 * @param http how Downbeat's own requests are sent
 */
record Settings(
        List<Slo> objectives,
        boolean correctsGatlingReport,
        boolean anchorsPaces,
        boolean acceptsUnsound,
        boolean setsExitCode,
        long warmUpNanos,
        Optional<Path> folder,
        HttpSettings http) {
    static final String PREFIX = "downbeat.";

    Settings {
        objectives = List.copyOf(objectives);
    }

    static Settings defaults() {
        return new Settings(Slo.defaults(), false, true, false, true, 0, Optional.empty(), HttpSettings.defaults());
    }

    /** These settings, but for what the system properties say otherwise. */
    Settings withProperties(Function<String, String> properties) {
        return new Settings(
                said(properties, "objectives")
                        .map(text -> parseAll(text.split(",", -1)))
                        .orElse(objectives),
                choice(properties, "gatlingReport", "corrected", "plain", correctsGatlingReport),
                choice(properties, "pace", "anchored", "gatling", anchorsPaces),
                choice(properties, "acceptUnsound", "true", "false", acceptsUnsound),
                choice(properties, "exitCode", "true", "false", setsExitCode),
                said(properties, "warmUp").map(Settings::nanos).orElse(warmUpNanos),
                said(properties, "saveTo").map(Path::of).or(() -> folder),
                http);
    }

    static List<Slo> parseAll(String... objectives) {
        return Arrays.stream(objectives)
                .map(text -> {
                    try {
                        return Slo.parse(text);
                    } catch (IllegalArgumentException malformed) {
                        throw new Refusal(String.valueOf(malformed.getMessage()));
                    }
                })
                .toList();
    }

    private static long nanos(String text) {
        try {
            return DurationText.parseNanos(text);
        } catch (IllegalArgumentException malformed) {
            throw new Refusal("-D" + PREFIX + "warmUp: " + malformed.getMessage());
        }
    }

    private static Optional<String> said(Function<String, String> properties, String name) {
        return Optional.ofNullable(properties.apply(PREFIX + name));
    }

    private static boolean choice(
            Function<String, String> properties, String name, String yes, String no, boolean otherwise) {
        Optional<String> said = said(properties, name);
        if (said.isPresent() && !said.get().equals(yes) && !said.get().equals(no)) {
            throw new Refusal(
                    "-D" + PREFIX + name + " must be " + yes + " or " + no + ", but was '" + said.get() + "'");
        }
        return said.map(yes::equals).orElse(otherwise);
    }
}
