package dev.downbeat.cli.shard;

import dev.downbeat.run.Shard;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Parses {@code 3/8}: the fourth of eight. */
final class ShardConverter implements ITypeConverter<Shard> {
    private static final Pattern TEXT = Pattern.compile("(\\d{1,9})/(\\d{1,9})");

    @Override
    public Shard convert(String text) {
        Matcher parts = TEXT.matcher(text);
        if (!parts.matches()) {
            throw new TypeConversionException(
                    "'" + text + "' is not a shard such as 0/8, the first of eight, or 7/8, the last");
        }
        try {
            return new Shard(Integer.parseInt(parts.group(1)), Integer.parseInt(parts.group(2)));
        } catch (IllegalArgumentException outOfRange) {
            throw new TypeConversionException(String.valueOf(outOfRange.getMessage()));
        }
    }
}
