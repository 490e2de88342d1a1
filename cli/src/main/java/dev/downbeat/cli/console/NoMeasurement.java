package dev.downbeat.cli.console;

import dev.downbeat.cli.measurement.option.Messages;
import java.io.IOException;

public final class NoMeasurement extends IOException {
    private static final long serialVersionUID = 1L;

    public NoMeasurement(String why) {
        super("nothing could be measured: " + why);
    }

    public NoMeasurement(IOException thrown) {
        this(Messages.of(thrown));
        initCause(thrown);
    }
}
