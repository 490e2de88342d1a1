package dev.downbeat.http.message;

/** Is given the text of a response while it is read. The bytes are the reader's: keep none of the arrays. */
public interface ResponseSink {
    /** The status line or a header field, without its end; a status line begins anew. */
    void line(byte[] text, int from, int to);

    /** A part of the body, without any transfer coding. */
    void body(byte[] bytes, int from, int to);
}
