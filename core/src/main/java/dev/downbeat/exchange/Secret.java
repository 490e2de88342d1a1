package dev.downbeat.exchange;

import java.util.Objects;

/**
 * A text that is shown nowhere: the value of a header, a query, a body, a key. Whatever prints it, and be it by accident in
 * a message or as a component of a record, prints {@value #HIDDEN}; who sends it asks for it by {@link #reveal}.
 * {@link Redaction} knows the few values that need not be secret.
 *
 * <p>Immutable, thread-safe.
 */
public final class Secret {
    /** What stands for a secret in every output. */
    public static final String HIDDEN = "***";

    private final String text;

    private Secret(String text) {
        this.text = Objects.requireNonNull(text, "text");
    }

    /** Keeps a text to itself; an empty one too. */
    public static Secret of(String text) {
        return new Secret(text);
    }

    /** The text itself: for the wire, and for a file that is kept like a secret. Never for a message. */
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
