package dev.downbeat.gatling;

import static io.gatling.javaapi.core.CoreDsl.atOnceUsers;
import static io.gatling.javaapi.core.CoreDsl.constantUsersPerSec;
import static io.gatling.javaapi.core.CoreDsl.nothingFor;
import static io.gatling.javaapi.core.CoreDsl.rampUsersPerSec;

import io.gatling.javaapi.core.OpenInjectionStep;
import io.gatling.javaapi.core.PopulationBuilder;
import io.gatling.javaapi.core.Simulation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * One load, plain and corrected: first beside the other's, and growing, since a cold JVM that is asked for all of it at once
 * opens a connection for each user who waits; then in turns with it. Run by {@code
 * jmh-benchmarks/scripts/gatling-overhead.py}, on a few connections, since a new one for each user would be most of the cost.
 */
final class OverheadSimulations {
    private OverheadSimulations() {}

    private static PopulationBuilder inTurns() {
        Duration turn = Duration.ofSeconds(Integer.getInteger("test.turn", 1));
        long untilBeginMillis = Long.getLong("test.beginAt", 0) - System.currentTimeMillis();
        OpenInjectionStep load = constantUsersPerSec(Simulations.rate()).during(turn);
        OpenInjectionStep rest = nothingFor(turn);
        List<OpenInjectionStep> steps = new ArrayList<>();
        steps.add(nothingFor(Duration.ofMillis(Math.max(1, untilBeginMillis))));
        int rampSeconds = Simulations.seconds() / 2;
        steps.add(rampUsersPerSec(1).to(Simulations.rate()).during(rampSeconds));
        steps.add(constantUsersPerSec(Simulations.rate()).during(Simulations.seconds() - rampSeconds));
        for (int i = 0; i < Integer.getInteger("test.turns", 0); i++) {
            steps.addAll(Boolean.getBoolean("test.first") ? List.of(load, rest) : List.of(rest, load));
        }
        return Simulations.oneGet().injectOpen(steps.toArray(OpenInjectionStep[]::new));
    }

    /** As it comes. */
    public static class Plain extends Simulation {
        {
            setUp(inTurns()).protocols(Simulations.service().shareConnections());
        }
    }

    /** The same, but for the one word. */
    public static class Corrected extends DownbeatSimulation {
        {
            setUp(inTurns()).protocols(Simulations.service().shareConnections());
        }
    }

    /** A fixed number of users who ask again at once: what a request costs more is missing from the throughput. */
    private static PopulationBuilder closed() {
        return Simulations.oneGetFor(Duration.ofSeconds(Simulations.seconds()))
                .injectOpen(atOnceUsers(Simulations.users()));
    }

    /** As it comes. */
    public static class ClosedPlain extends Simulation {
        {
            setUp(closed()).protocols(Simulations.service());
        }
    }

    /** The same, but for the one word. */
    public static class ClosedCorrected extends DownbeatSimulation {
        {
            setUp(closed()).protocols(Simulations.service());
        }
    }
}
