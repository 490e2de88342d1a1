package dev.downbeat.h2;

import java.io.IOException;

/** The peer has violated a rule, which ends the connection. The message names the frame and the rule. */
public final class Http2Exception extends IOException {
    private static final long serialVersionUID = 1;

    private final ErrorCode code;

    /**
     * A violation.
     *
     * @param rule a few words, the same for all violations of this rule
     */
    public Http2Exception(ErrorCode code, String rule) {
        super(rule + " (" + code + ")");
        this.code = code;
    }

    public ErrorCode code() {
        return code;
    }
}
