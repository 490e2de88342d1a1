package dev.downbeat.h2;

import java.io.IOException;

/** The other side has broken a rule for which its connection must end. The message names the frame and the rule. */
public final class Http2Exception extends IOException {
    private static final long serialVersionUID = 1;

    private final ErrorCode code;

    /**
     * What is wrong.
     *
     * @param rule a few words, the same for all that break this rule
     */
    public Http2Exception(ErrorCode code, String rule) {
        super(rule + " (" + code + ")");
        this.code = code;
    }

    /** What to tell the other side. */
    public ErrorCode code() {
        return code;
    }
}
