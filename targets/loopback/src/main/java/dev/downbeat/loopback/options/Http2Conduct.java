package dev.downbeat.loopback.options;

/**
 * What a server does in HTTP/2 only. Immutable.
 *
 * @param maxStreams requests that it allows at once on a connection, 0 to 1,000,000
 * @param windowBytes what of a request's body it lets the client send before it has read it, 0 to 2,147,483,647
 * @param settingsDelayNanos after how long it sends its settings, up to 24 h
 */
public record Http2Conduct(int maxStreams, int windowBytes, long settingsDelayNanos) {
    /** As most servers are. */
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
