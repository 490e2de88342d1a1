package dev.downbeat.h2;

/** The reason for the end of a stream or a connection (RFC 9113, 7), in numerical order. */
public enum ErrorCode {
    /** No error. */
    NO_ERROR(0),
    /** A rule of the protocol was violated. */
    PROTOCOL_ERROR(1),
    /** The sender failed internally. */
    INTERNAL_ERROR(2),
    /** More was sent than the window allowed. */
    FLOW_CONTROL_ERROR(3),
    /** Settings were not acknowledged in time. */
    SETTINGS_TIMEOUT(4),
    /** A frame arrived for a stream that had ended. */
    STREAM_CLOSED(5),
    /** The length of a frame is invalid for its type. */
    FRAME_SIZE_ERROR(6),
    /** The stream was refused before processing and may be sent again. */
    REFUSED_STREAM(7),
    /** The stream is no longer needed. */
    CANCEL(8),
    /** A header block cannot be decoded. */
    COMPRESSION_ERROR(9),
    /** The connection made by a CONNECT failed. */
    CONNECT_ERROR(10),
    /** The peer causes excessive load. */
    ENHANCE_YOUR_CALM(11),
    /** The TLS version or cipher is not acceptable. */
    INADEQUATE_SECURITY(12),
    /** HTTP/1.1 is required. */
    HTTP_1_1_REQUIRED(13);

    private final int number;

    ErrorCode(int number) {
        this.number = number;
    }

    int number() {
        return number;
    }

    /** The code with this number; {@link #INTERNAL_ERROR} for an unknown one (RFC 9113, 7). */
    public static ErrorCode of(int number) {
        for (ErrorCode code : values()) {
            if (code.number == number) {
                return code;
            }
        }
        return INTERNAL_ERROR;
    }
}
