package dev.downbeat.exchange;

import java.util.Objects;

/**
 * A text that is never displayed: a header value, query, body or key. Its string form is always {@value #HIDDEN}, even
 * inside a message or a record. Code that sends it calls {@link #reveal}. {@link Redaction} lists the few values that
 * are not secret.
 *
 * <p>Immutable, thread-safe.
 */
public final class Secret {
    /** Replaces a secret in all output. */
    public static final String HIDDEN = "***";

    private final String text;

    private Secret(String text) {
        this.text = Objects.requireNonNull(text, "text");
    }

    /** Wraps a text, which may be empty. */
    public static Secret of(String text) {
        return new Secret(text);
    }

    /** The text itself: for the wire, or for a file that is protected as a secret. Never for a message. */
    public String reveal() {
        return text;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Secret secret && secret.text.equals(text);
    }

    @Override
    public int hashCode() {
        return text.hashCode();
    }

    /** Always {@value #HIDDEN}. */
    @Override
    public String toString() {
        return HIDDEN;
    }
}
