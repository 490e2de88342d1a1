package dev.downbeat.cli.measurement.value;

import java.util.function.Supplier;
import picocli.CommandLine.TypeConversionException;

/** Refuses what makes no sense, with one line that says what, and what to write instead. */
public final class Refusal {
    private Refusal() {}

    /**
     * Refuses.
     *
     * @throws TypeConversionException if {@code contradiction} holds
     */
    public static void when(boolean contradiction, String message) {
        if (contradiction) {
            throw new TypeConversionException(message);
        }
    }

    /** Refuses with a message that is made only then. */
    public static void when(boolean contradiction, Supplier<String> message) {
        if (contradiction) {
            throw new TypeConversionException(message.get());
        }
    }

    /** What a refused value said of itself, as our own refusal. */
    public static TypeConversionException of(Throwable refused) {
        return refused instanceof TypeConversionException ours
                ? ours
                : new TypeConversionException(Messages.of(refused));
    }
}
