package dev.downbeat.h2;

/** Why a stream or a connection ends (RFC 9113, 7), in the order of their numbers. */
public enum ErrorCode {
    /** Nothing is wrong. */
    NO_ERROR(0),
    /** A rule of the protocol was broken. */
    PROTOCOL_ERROR(1),
    /** The other side has failed for a reason of its own. */
    INTERNAL_ERROR(2),
    /** More was sent than a window allowed. */
    FLOW_CONTROL_ERROR(3),
    /** Settings were not acknowledged in time. */
    SETTINGS_TIMEOUT(4),
    /** Something came for a stream that had ended. */
    STREAM_CLOSED(5),
    /** A frame has a length that its kind cannot have. */
    FRAME_SIZE_ERROR(6),
    /** The stream was refused before anything was done: it may be sent again. */
    REFUSED_STREAM(7),
    /** The stream is not needed any more. */
    CANCEL(8),
    /** A header block cannot be unpacked. */
    COMPRESSION_ERROR(9),
    /** The connection of a CONNECT has failed. */
    CONNECT_ERROR(10),
    /** The other side asks too much. */
    ENHANCE_YOUR_CALM(11),
    /** TLS is not as it must be. */
    INADEQUATE_SECURITY(12),
    /** The other side wants HTTP/1.1. */
    HTTP_1_1_REQUIRED(13);

    private final int number;

    ErrorCode(int number) {
        this.number = number;
    }

    /** As it goes over the wire. */
    int number() {
        return number;
    }

    /** What a number means; {@link #INTERNAL_ERROR} for one that no RFC has given a meaning (RFC 9113, 7). */
    public static ErrorCode of(int number) {
        for (ErrorCode code : values()) {
            if (code.number == number) {
                return code;
            }
        }
        return INTERNAL_ERROR;
    }
}
