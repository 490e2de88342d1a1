package dev.downbeat.cli.targets;

import dev.downbeat.cli.measurement.LoadOptions;
import dev.downbeat.http.requests.log.LoggedLines.AccessLogFile;
import java.util.Optional;

/**
 * What of a load says what is sent, and by how many.
 *
 * @param closedClients how many clients wait for their answers; 0 if it is open
 * @param log whose requests are sent, if one is
 * @param seed of requests and values that are drawn by chance
 */
public record WorkloadSource(int closedClients, Optional<AccessLogFile> log, long seed) {
    public static WorkloadSource of(LoadOptions load) {
        return new WorkloadSource(
                load.closedClients(),
                load.loggedRequests(),
                load.seed().map(seed -> seed.part(0)).orElse(0L));
    }

    /** Of an open load with that seed. */
    public static WorkloadSource open(long seed) {
        return new WorkloadSource(0, Optional.empty(), seed);
    }
}
