package dev.downbeat.cli.targets;

import dev.downbeat.cli.measurement.LoadOptions;
import dev.downbeat.http.requests.log.LoggedLines.AccessLogFile;
import java.util.Optional;

/**
 * The parts of a load that determine the requests and the number of clients.
 *
 * @param closedClients number of closed-loop clients; 0 for an open load
 * @param log the access log to replay, if any
 * @param seed seed of random requests and values
 */
public record WorkloadSource(int closedClients, Optional<AccessLogFile> log, long seed) {
    public static WorkloadSource of(LoadOptions load) {
        return new WorkloadSource(
                load.closedClients(),
                load.loggedRequests(),
                load.seed().map(seed -> seed.part(0)).orElse(0L));
    }

    /** An open load with this seed. */
    public static WorkloadSource open(long seed) {
        return new WorkloadSource(0, Optional.empty(), seed);
    }
}
