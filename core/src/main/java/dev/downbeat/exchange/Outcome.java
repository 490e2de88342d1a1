package dev.downbeat.exchange;

import java.util.Objects;

/**
 * The outcome of a request: its fate and, for a failure, a short reason ("connection refused", "HTTP 503").
 *
 * <p>Immutable. A target reuses one instance per reason, so counting allocates nothing. Reasons must be few, since each
 * becomes a row in the result.
 *
 * @param fate the fate of the request
 * @param reason a few words, the same for all requests with this outcome, without secrets from URLs
 * @param isResponse whether a complete response arrived, even one that counts as a failure
 * @param isUnbuilt whether the request failed before there was anything to send, and so has no time
 */
public record Outcome(Fate fate, String reason, boolean isResponse, boolean isUnbuilt) {
    private static final Outcome ANSWERED = new Outcome(Fate.ANSWERED, "answered", true, false);
    private static final Outcome TIMED_OUT = new Outcome(Fate.TIMED_OUT, "timed out", false, false);

    /** Requires both parts. Removes secrets and control characters, since the reason may quote a URL or a server. */
    public Outcome {
        Objects.requireNonNull(fate, "fate");
        reason = SafeText.line(Redaction.line(Objects.requireNonNull(reason, "reason")));
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
     * The request was not sent because this process reached a limit, such as open files. This is not a service failure
     * but casts doubt on the measurement. Reuse the instance for all such requests.
     */
    public static Outcome ownLimit(String reason) {
        return new Outcome(Fate.NEVER_SENT, reason, false, false);
    }

    /** A failure without a complete response. Reuse the instance for all requests with this reason. */
    public static Outcome failed(String reason) {
        return new Outcome(Fate.FAILED, reason, false, false);
    }

    /** A complete response that counts as a failure, such as HTTP 503. Reuse the instance, as with {@link #failed}. */
    public static Outcome failedResponse(String reason) {
        return new Outcome(Fate.FAILED, reason, true, false);
    }

    /** The user's code could not build the request. Reuse the instance, as with {@link #failed}. */
    public static Outcome unbuilt(String reason) {
        return new Outcome(Fate.FAILED, reason, false, true);
    }
}
