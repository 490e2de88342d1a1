package dev.downbeat.cli.targets;

import dev.downbeat.cli.measurement.LoadOptions;
import dev.downbeat.cli.measurement.TimeoutOptions;
import dev.downbeat.http.requests.log.LoggedLines.AccessLogFile;
import java.util.Optional;

/**
 * The parts of a load that determine the requests and the number of clients.
 *
 * @param closedClients number of closed-loop clients; 0 for an open load
 * @param requests maximum number of requests, warm-up included; {@link Long#MAX_VALUE} if only time limits them
 * @param log the access log to replay, if any
 * @param seed seed of random requests and values
 */
public record WorkloadSource(int closedClients, long requests, Optional<AccessLogFile> log, long seed) {
    public static WorkloadSource of(LoadOptions load, TimeoutOptions waiting) {
        return new WorkloadSource(
                load.closedClients(),
                waiting.warmUp().isPresent() ? Long.MAX_VALUE : load.requests().orElse(Long.MAX_VALUE),
                load.loggedRequests(),
                load.seed().map(seed -> seed.part(0)).orElse(0L));
    }

    public static WorkloadSource open(long seed) {
        return new WorkloadSource(0, Long.MAX_VALUE, Optional.empty(), seed);
    }

    /** The usual number of connections: one for each client, and never more than there are requests. */
    public int connections(int ofOpenLoad) {
        return (int) Math.min(closedClients == 0 ? ofOpenLoad : closedClients, requests);
    }
}
