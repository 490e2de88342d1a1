package dev.downbeat.cli.console;

import java.io.IOException;

/** A shard's run will not start; the message is the reason. Another process may have saved this shard's result. */
public final class CalledOff extends IOException {
    private static final long serialVersionUID = 1;

    public CalledOff(String why) {
        super(why);
    }
}
