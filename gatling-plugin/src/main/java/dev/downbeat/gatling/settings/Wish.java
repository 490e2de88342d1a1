package dev.downbeat.gatling.settings;

import dev.downbeat.gatling.ledger.Requests;
import dev.downbeat.gatling.version.Refusal;
import dev.downbeat.verdict.Slo;

/**
 * An objective of some of the requests.
 *
 * @param name of a request or a group; {@link #EVERY} for each request by itself
 * @param slo what is asked of it
 */
public record Wish(String name, Slo slo) {
    public static final String EVERY = "*";

    private static final char BETWEEN = ':';

    /** Whether a text is one, and not an objective of the whole. */
    static boolean isOne(String text) {
        return text.indexOf(BETWEEN) >= 0;
    }

    /** Reads {@code login:p99<50ms}. */
    static Wish parse(String text) {
        int at = text.lastIndexOf(BETWEEN);
        return new Wish(text.substring(0, at).strip(), slo(text.substring(at + 1)));
    }

    /**
     * Reads an objective.
     *
     * @throws Refusal that says what is accepted
     */
    public static Slo slo(String text) {
        try {
            return Slo.parse(text);
        } catch (IllegalArgumentException malformed) {
            throw new Refusal(String.valueOf(malformed.getMessage()));
        }
    }

    /** Whether it is about these. */
    public boolean isOf(Requests requests) {
        return name.equals(EVERY) ? !requests.isGroup() : name.equals(requests.name());
    }

    public String text() {
        return name + BETWEEN + slo.text();
    }
}
