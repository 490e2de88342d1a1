package dev.downbeat.cli;

import dev.downbeat.verdict.Slo;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads objectives: {@code p99<50ms}, {@code errors<0.1%}. */
final class SloConverter implements ITypeConverter<Slo> {
    @Override
    public Slo convert(String text) {
        try {
            return Slo.parse(text);
        } catch (IllegalArgumentException refused) {
            throw new TypeConversionException(String.valueOf(refused.getMessage()));
        }
    }
}
