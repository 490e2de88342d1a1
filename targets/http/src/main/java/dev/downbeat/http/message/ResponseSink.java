package dev.downbeat.http.message;

/** Receives a response while it is read. The arrays belong to the reader and must not be retained. */
public interface ResponseSink {
    /** The status line or a header field, without its line end; a status line starts a new response. */
    void line(byte[] text, int from, int to);

    /** A part of the body, without transfer coding. */
    void body(byte[] bytes, int from, int to);
}
