package dev.downbeat.record;

import dev.downbeat.exchange.ConnectionCounts;
import dev.downbeat.exchange.TargetCounts;

/**
 * The display names of parts in one run. A request cannot be said to have waited for connections that nobody counted, such
 * as Gatling's, and to a database the handshake of a connection is a login.
 *
 * @param hasConnections whether the run's connections were counted
 * @param hasLogins whether a connection's handshake was a login
 */
public record PartNames(boolean hasConnections, boolean hasLogins) {
    /** The names in a run with these counts. */
    public static PartNames of(ConnectionCounts connections, TargetCounts counts) {
        return new PartNames(!connections.isNone(), counts.count(TargetCounts.LOGINS) > 0);
    }

    /** A short display name. */
    public String of(Part part) {
        return switch (part) {
            case BACKLOG_WAIT -> hasConnections ? part.words() : "wait to be sent";
            case HANDSHAKE -> hasLogins ? "login" : part.words();
            default -> part.words();
        };
    }
}
