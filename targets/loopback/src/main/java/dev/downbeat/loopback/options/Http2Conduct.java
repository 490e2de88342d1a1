package dev.downbeat.loopback.options;

/**
 * HTTP/2 behaviour. Immutable.
 *
 * @param maxStreams maximum number of concurrent requests per connection, 0 to 1,000,000
 * @param windowBytes receive window for request bodies, 0 to 2,147,483,647
 * @param settingsDelayNanos delay before its settings are sent, up to 24 h
 */
public record Http2Conduct(int maxStreams, int windowBytes, long settingsDelayNanos) {
    /** The behaviour of most servers. */
    public static final Http2Conduct USUAL = new Http2Conduct(128, 65_535, 0);

    public Http2Conduct {
        if (maxStreams < 0 || maxStreams > 1_000_000) {
            throw new IllegalArgumentException("max-streams must be from 0 to 1000000, but was " + maxStreams);
        }
        if (windowBytes < 0) {
            throw new IllegalArgumentException("window must be from 0 to 2147483647, but was " + windowBytes);
        }
        Durations.check("settings-delay", settingsDelayNanos, 0);
    }
}
