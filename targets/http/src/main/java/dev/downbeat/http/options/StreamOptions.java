package dev.downbeat.http.options;

/**
 * How connections of HTTP/2 are used.
 *
 * @param streams how many requests one carries at once at most, if the server allows as many; from 1 to 10,000
 * @param receiveWindow how many bytes of a response may be on their way before we have read them; from 65,535 to 1 GiB
 */
public record StreamOptions(int streams, int receiveWindow) {
    /** What RFC 9113 advises servers to allow, and a window that no response fills. */
    public static final StreamOptions USUAL = new StreamOptions(100, 16 << 20);

    public StreamOptions {
        if (streams < 1 || streams > 10_000) {
            throw new IllegalArgumentException("streams must be from 1 to 10000, but was " + streams);
        }
        if (receiveWindow < 65_535 || receiveWindow > 1 << 30) {
            throw new IllegalArgumentException(
                    "receiveWindow must be from 65535 to 1073741824 bytes, but was " + receiveWindow);
        }
    }
}
