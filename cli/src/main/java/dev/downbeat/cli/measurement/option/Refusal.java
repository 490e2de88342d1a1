package dev.downbeat.cli.measurement.option;

import java.io.IOException;
import java.util.function.Supplier;
import picocli.CommandLine.TypeConversionException;

/** Refuses invalid input with one line: what is wrong and what to write instead. */
public final class Refusal {
    private Refusal() {}

    /** Throws {@link TypeConversionException} if the contradiction holds. */
    public static void when(boolean contradiction, String message) {
        if (contradiction) {
            throw new TypeConversionException(message);
        }
    }

    /** Refuses a value with a lazily built message. */
    public static void when(boolean contradiction, Supplier<String> message) {
        if (contradiction) {
            throw new TypeConversionException(message.get());
        }
    }

    public interface InputReader<T> {
        T read() throws IOException;
    }

    /** The value; an invalid argument or an unreadable file is refused as the user's mistake. */
    public static <T> T wrap(InputReader<T> input) {
        try {
            return input.read();
        } catch (IllegalArgumentException refused) {
            throw of(refused);
        } catch (IOException unreadable) {
            throw new TypeConversionException(Messages.of(unreadable));
        }
    }

    /** Converts a value's own refusal. */
    public static TypeConversionException of(Throwable refused) {
        return refused instanceof TypeConversionException refusal
                ? refusal
                : new TypeConversionException(Messages.of(refused));
    }
}
