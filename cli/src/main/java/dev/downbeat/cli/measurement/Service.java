package dev.downbeat.cli.measurement;

import dev.downbeat.cli.measurement.option.CliOption;
import dev.downbeat.cli.measurement.value.Refusal;
import dev.downbeat.simulate.ServiceLaw;
import dev.downbeat.simulate.SimulatedService;
import dev.downbeat.simulate.SimulatedService.Stall;
import dev.downbeat.simulate.Simulation;
import java.util.List;
import java.util.Optional;

/** A simulated service. {@link CliOption} describes each component. */
public record Service(
        @CliOption(
                names = "--service",
                label = "LAW",
                otherwise = "exp:1ms",
                help = "How long a server works: 2ms, exp:2ms, lognormal:2ms,0.5 (median, sigma), "
                        + "pareto:1ms,1.5 (least,"
                        + " exponent), bimodal:1ms,50ms,1%% or hyperexp:100us,10ms,0.1%% (two "
                        + "exponential laws). Default"
                        + " exp:1ms.")
        ServiceLaw law,

        @CliOption(
                names = "--servers",
                label = "N",
                otherwise = "1",
                help = "Servers that share one queue, first come first served. Default 1.")
        long servers,

        @CliOption(
                names = "--queue-limit",
                label = "N",
                help = "Longest queue; requests beyond it are refused. Default: no limit.")
        Optional<Long> queueLimit,

        @CliOption(
                names = "--stall",
                label = "STALL",
                help = "All servers stall: 1s@5s (length, start) or 'every 10s for 200ms'; repeatable.")
        List<Stall> stalls,

        @CliOption(
                names = "--drop-abandoned",
                help = "The service drops requests whose callers have already left, instead of working on them.")
        boolean dropAbandoned,

        @CliOption(
                names = {"-c", "--connections"},
                label = "N",
                otherwise = "100000",
                help = "Most requests in flight; further ones wait, and the wait counts. Default 100k.")
        long connections) {
    public Service {
        stalls = List.copyOf(stalls);
        refuseMany("--servers", servers);
        refuseMany("--queue-limit", queueLimit.orElse(1L));
        Refusal.when(
                connections > Simulation.MOST_CONNECTIONS,
                "-c must be from 1 to " + Simulation.MOST_CONNECTIONS + ", but was " + connections);
    }

    private static void refuseMany(String option, long count) {
        Refusal.when(
                count > Integer.MAX_VALUE, option + " must be at most " + Integer.MAX_VALUE + ", but was " + count);
    }

    /** The service for the simulation. */
    public SimulatedService toService() {
        int limit = queueLimit.map(Long::intValue).orElse(Integer.MAX_VALUE);
        return new SimulatedService(law, (int) servers, limit, stalls, dropAbandoned);
    }
}
