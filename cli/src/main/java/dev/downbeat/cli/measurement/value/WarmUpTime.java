package dev.downbeat.cli.measurement.value;

import dev.downbeat.run.RunPlan;
import java.time.Duration;
import java.util.Optional;
import picocli.CommandLine.TypeConversionException;

/**
 * {@code --warm-up}: a duration, or until the median is steady.
 *
 * @param length empty for until the median is steady
 */
public record WarmUpTime(Optional<Duration> length) {
    private static final String UNTIL_STEADY = "auto";

    public void applyTo(RunPlan.Builder plan) {
        length.ifPresentOrElse(plan::warmUp, plan::warmUpUntilSteady);
    }

    /** Parses the keyword or a duration. */
    public static WarmUpTime parse(String text) {
        try {
            return new WarmUpTime(
                    text.equals(UNTIL_STEADY) ? Optional.empty() : Optional.of(DurationConverter.parse(text)));
        } catch (TypeConversionException noDuration) {
            throw new TypeConversionException("'" + text + "' is not auto or a duration such as 5s");
        }
    }

    public String text() {
        return length.map(DurationConverter::text).orElse(UNTIL_STEADY);
    }
}
