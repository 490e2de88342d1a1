package dev.downbeat.jdbc;

import dev.downbeat.exchange.PartTimes;
import java.util.Arrays;

/** What a request to a database spends its time on, in the order in which it does. */
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

    /** Times of these parts, in their order. */
    static PartTimes times() {
        return new PartTimes(Arrays.stream(values()).map(part -> part.title).toList());
    }

    /** Adds one request's time. */
    void add(PartTimes to, long nanos) {
        to.add(ordinal(), nanos);
    }
}
