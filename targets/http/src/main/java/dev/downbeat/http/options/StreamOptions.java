package dev.downbeat.http.options;

/**
 * The use of HTTP/2 connections.
 *
 * @param streams maximum number of concurrent requests per connection, if the server allows as many; from 1 to 10,000
 * @param receiveWindow maximum number of unread response bytes; from 65,535 to 1 GiB
 */
public record StreamOptions(int streams, int receiveWindow) {
    /** The number of streams that RFC 9113 recommends to servers, and a window that no response fills. */
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
