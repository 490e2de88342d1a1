package dev.downbeat.h2;

/** A header block that comes in several frames, until its end has come. Not thread-safe. */
final class HeaderBlock {
    private static final int MOST_BYTES = 256 * 1024;
    private static final int MOST_CONTINUATIONS = 64;

    private byte[] bytes = new byte[0];
    private int length;
    private int stream;
    private boolean endsStream;
    private int continuations;

    /** Whether more of it must come next, on that stream and nothing else. */
    boolean isOpen() {
        return stream != 0;
    }

    /** Whose it is; 0 if there is none. */
    int stream() {
        return stream;
    }

    /** Its first part: HEADERS. */
    void begin(int ofStream, boolean endStream, byte[] from, int begin, int end) throws Http2Exception {
        stream = ofStream;
        endsStream = endStream;
        length = 0;
        continuations = 0;
        add(from, begin, end);
    }

    /** A further part. */
    void goOn(byte[] from, int begin, int end) throws Http2Exception {
        if (++continuations > MOST_CONTINUATIONS) {
            throw new Http2Exception(
                    ErrorCode.ENHANCE_YOUR_CALM,
                    "HTTP/2: header block of more than " + MOST_CONTINUATIONS + " CONTINUATION frames");
        }
        add(from, begin, end);
    }

    private void add(byte[] from, int begin, int end) throws Http2Exception {
        int needed = length + end - begin;
        if (needed > MOST_BYTES) {
            throw new Http2Exception(
                    ErrorCode.ENHANCE_YOUR_CALM, "HTTP/2: header block longer than " + MOST_BYTES + " bytes");
        }
        if (needed > bytes.length) {
            byte[] more = new byte[Math.max(needed, 2 * bytes.length)];
            System.arraycopy(bytes, 0, more, 0, length);
            bytes = more;
        }
        System.arraycopy(from, begin, bytes, length, end - begin);
        length = needed;
    }

    /** Its last part has come. */
    void end(FrameHandler handler) throws Http2Exception {
        int ended = stream;
        stream = 0;
        handler.headers(ended, endsStream, bytes, 0, length);
    }
}
