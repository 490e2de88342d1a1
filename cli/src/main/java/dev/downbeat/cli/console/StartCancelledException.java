package dev.downbeat.cli.console;

import java.io.IOException;

/** A run will not start; the message is the reason. The results in its files may be those of another process. */
public final class StartCancelledException extends IOException {
    private static final long serialVersionUID = 1;

    public StartCancelledException(String why) {
        super(why);
    }
}
