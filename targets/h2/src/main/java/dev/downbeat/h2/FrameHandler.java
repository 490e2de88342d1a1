package dev.downbeat.h2;

/**
 * Is told what a peer has sent, frame by frame, each with the shape that its kind must have. What is given in arrays is the
 * reader's: keep none of them. Each method may refuse what it is told, which ends the connection.
 */
public interface FrameHandler {
    /** A DATA frame begins: {@code bytes}, padding included, count against the windows. */
    void dataBegins(int stream, int bytes) throws Http2Exception;

    /** A part of its data, without padding. */
    void data(int stream, byte[] bytes, int from, int to) throws Http2Exception;

    void dataEnds(int stream, boolean endStream) throws Http2Exception;

    /** A whole header block, still packed: it must be unpacked, or the next cannot be. */
    void headers(int stream, boolean endStream, byte[] block, int from, int to) throws Http2Exception;

    /** A stream has ended, for a reason of the peer's. */
    void reset(int stream, ErrorCode code) throws Http2Exception;

    /** One of several settings; the value is from 0 to 4,294,967,295. */
    void setting(int number, long value) throws Http2Exception;

    /** All settings of a frame have been told: they must be acknowledged. */
    void settingsEnd() throws Http2Exception;

    /** Our settings are acknowledged. */
    void settingsAcknowledged() throws Http2Exception;

    /** A ping, to be answered. */
    void ping(long data) throws Http2Exception;

    /** No stream of ours above that one was or will be processed. */
    void goAway(int lastStream, ErrorCode code) throws Http2Exception;

    /** So many bytes more may be sent: on a stream, or on all together if it is 0. */
    void windowUpdate(int stream, int bytes) throws Http2Exception;

    /** A frame that asks for nothing: a priority, the answer to a ping, or a kind that is not known. */
    void other() throws Http2Exception;
}
