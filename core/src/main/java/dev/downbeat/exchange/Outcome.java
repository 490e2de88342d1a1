package dev.downbeat.exchange;

import java.util.Objects;

/**
 * How a request ended: its fate, and for a failure the reason in a few words ("connection refused", "HTTP 503").
 *
 * <p>Immutable. A target keeps one instance per reason and hands out that, so that counting allocates nothing; the
 * reasons must be few, since each is a row in the result.
 *
 * @param fate what became of the request
 * @param reason a few words, the same for all requests that ended alike, without what is secret in a URL among them
 * @param isResponse whether the service responded in full, even if its response counts as a failure
 */
public record Outcome(Fate fate, String reason, boolean isResponse) {
    private static final Outcome ANSWERED = new Outcome(Fate.ANSWERED, "answered", true);
    private static final Outcome TIMED_OUT = new Outcome(Fate.TIMED_OUT, "timed out", false);

    /** Checks that both parts are there, and takes out secrets and control characters: it may quote a URL, or a server. */
    public Outcome {
        Objects.requireNonNull(fate, "fate");
        reason = Plain.line(Redaction.line(Objects.requireNonNull(reason, "reason")));
    }

    /** A complete, successful response. */
    public static Outcome answered() {
        return ANSWERED;
    }

    /** The deadline passed first. */
    public static Outcome timedOut() {
        return TIMED_OUT;
    }

    /**
     * It could not be sent because this process ran into a limit of its own, such as open files: no failure of the service,
     * but a reason to doubt the instrument. Keep the instance and use it for all requests that end alike.
     */
    public static Outcome ownLimit(String reason) {
        return new Outcome(Fate.NEVER_SENT, reason, false);
    }

    /** A failure without a complete response; keep the instance and use it for all requests that fail alike. */
    public static Outcome failed(String reason) {
        return new Outcome(Fate.FAILED, reason, false);
    }

    /** A complete response that counts as a failure, such as HTTP 503; keep the instance, as with {@link #failed}. */
    public static Outcome failedResponse(String reason) {
        return new Outcome(Fate.FAILED, reason, true);
    }
}
