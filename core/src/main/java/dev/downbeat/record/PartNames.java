package dev.downbeat.record;

import dev.downbeat.exchange.ConnectionCounts;
import dev.downbeat.exchange.TargetCounts;

/**
 * The display names of parts in one run. Without connection counts, as for Gatling, a wait is not attributed to connections. The
 * handshake of a database connection is a login; through a proxy it includes the opening of a tunnel.
 *
 * @param hasConnections whether the run's connections were counted
 * @param hasLogins whether a connection's handshake was a login
 * @param hasTunnels whether handshakes include the opening of a proxy's tunnel
 */
public record PartNames(boolean hasConnections, boolean hasLogins, boolean hasTunnels) {
    /** The names of requests over HTTP without a proxy. */
    public static final PartNames HTTP = new PartNames(true, false, false);

    /** The names in a run with these counts. */
    public static PartNames of(ConnectionCounts connections, TargetCounts counts) {
        return new PartNames(
                !connections.isNone(), counts.count(TargetCounts.LOGINS) > 0, counts.count(TargetCounts.TUNNELS) > 0);
    }

    /** Whether handshakes are those of TLS alone. */
    public boolean isHandshakeOfTls() {
        return !hasLogins && !hasTunnels;
    }

    /** A short display name. */
    public String of(Part part) {
        return switch (part) {
            case BACKLOG_WAIT -> hasConnections ? part.words() : "wait to be sent";
            case HANDSHAKE -> hasLogins ? "login" : hasTunnels ? "proxy tunnel and TLS handshake" : part.words();
            default -> part.words();
        };
    }
}
