package dev.downbeat.cli.measurement.value;

import dev.downbeat.arrival.Rate;
import dev.downbeat.run.OfferedRate.RateText;
import picocli.CommandLine.ITypeConverter;

/** Parses rates as {@link RateText} does. */
public final class RateConverter implements ITypeConverter<Rate> {
    @Override
    public Rate convert(String text) {
        return parse(text);
    }

    /** Parses a rate. */
    public static Rate parse(String text) {
        try {
            return RateText.parse(text);
        } catch (IllegalArgumentException refused) {
            throw Refusal.of(refused);
        }
    }
}
