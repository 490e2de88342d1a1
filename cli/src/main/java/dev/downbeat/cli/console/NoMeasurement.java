package dev.downbeat.cli.console;

import dev.downbeat.cli.measurement.option.Messages;
import java.io.IOException;

/** Nothing could be measured. */
public final class NoMeasurement extends IOException {
    private static final long serialVersionUID = 1L;

    /** With the reason in a few words. */
    public NoMeasurement(String why) {
        super("nothing could be measured: " + why);
    }

    /** Because of an error, whose text is the reason. */
    public NoMeasurement(IOException thrown) {
        this(Messages.of(thrown));
        initCause(thrown);
    }
}
