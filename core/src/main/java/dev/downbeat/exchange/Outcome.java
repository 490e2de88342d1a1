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
 * @param end what ended the request
 */
public record Outcome(Fate fate, String reason, End end) {
    private static final Outcome ANSWERED = new Outcome(Fate.ANSWERED, "answered", End.RESPONSE);
    private static final Outcome TIMED_OUT = new Outcome(Fate.TIMED_OUT, "timed out", End.GIVEN_UP);

    public enum End {
        /** A complete response, even one that counts as a failure. */
        RESPONSE,

        /** The service or the network, without a complete response. */
        BROKEN,

        /** The client, which no longer waited. Says nothing of whether the service works. */
        GIVEN_UP,

        /** A limit of this process, such as open files, after a first sending. */
        LIMITED,

        /** The client, before it sent anything. Such a request has no response time. */
        NOT_SENT
    }

    /** Requires all parts. Removes secrets and control characters, since the reason may quote a URL or a server. */
    public Outcome {
        Objects.requireNonNull(fate, "fate");
        Objects.requireNonNull(end, "end");
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
        return new Outcome(Fate.NEVER_SENT, reason, End.NOT_SENT);
    }

    /**
     * The request was sent once, such as the first hop of a redirect, before this process reached a limit. The service
     * saw it, but did not fail.
     */
    public static Outcome ownLimitAfterSending(String reason) {
        return new Outcome(Fate.FAILED, reason, End.LIMITED);
    }

    /** A failure without a complete response. Reuse the instance for all requests with this reason. */
    public static Outcome failed(String reason) {
        return new Outcome(Fate.FAILED, reason, End.BROKEN);
    }

    /** A complete response that counts as a failure, such as HTTP 503. Reuse the instance, as with {@link #failed}. */
    public static Outcome failedResponse(String reason) {
        return new Outcome(Fate.FAILED, reason, End.RESPONSE);
    }

    /** The client no longer waited, before the request's deadline. Reuse the instance, as with {@link #failed}. */
    public static Outcome gaveUp(String reason) {
        return new Outcome(Fate.FAILED, reason, End.GIVEN_UP);
    }

    /** The user's code could not build the request. Reuse the instance, as with {@link #failed}. */
    public static Outcome unbuilt(String reason) {
        return new Outcome(Fate.FAILED, reason, End.NOT_SENT);
    }

    /** Whether a complete response arrived, even one that counts as a failure. */
    public boolean isResponse() {
        return end == End.RESPONSE;
    }

    /** Whether the service or the network ended the request, and not the client. */
    public boolean isByService() {
        return end == End.RESPONSE || end == End.BROKEN;
    }

    /** Whether the request failed before there was anything to send, and so has no time. */
    public boolean isUnbuilt() {
        return fate == Fate.FAILED && end == End.NOT_SENT;
    }
}
