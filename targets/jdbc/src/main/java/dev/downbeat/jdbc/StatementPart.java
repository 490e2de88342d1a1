package dev.downbeat.jdbc;

import dev.downbeat.exchange.PartTimes;
import java.util.Arrays;

/** The parts of a database request's time, in order. */
enum StatementPart {
    WAIT("wait for a connection of the pool"),
    LOOKUP("look-up"),
    CONNECT("connect"),
    LOGIN("login"),
    PREPARE("prepare"),
    STATEMENT("statement"),
    ROWS("rows"),
    COMMIT("commit");

    private final String title;

    StatementPart(String title) {
        this.title = title;
    }

    /** Creates the times of these parts. */
    static PartTimes times() {
        return new PartTimes(Arrays.stream(values()).map(part -> part.title).toList());
    }

    /** Adds one request's time. */
    void add(PartTimes to, long nanos) {
        to.add(ordinal(), nanos);
    }
}
