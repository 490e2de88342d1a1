package dev.downbeat.gatling;

import static dev.downbeat.gatling.Simulations.oneGet;
import static dev.downbeat.gatling.Simulations.service;

import dev.downbeat.load.Arrivals;
import io.gatling.javaapi.core.Simulation;
import java.time.Duration;

/** Simulations whose users arrive by our own laws. */
final class BeatSimulations {
    private BeatSimulations() {}

    /** Users to the nanosecond. */
    public static class OnTheBeat extends DownbeatSimulation {
        static Arrivals arrivals() {
            return Arrivals.at(Duration.ofNanos(1_000_001), Duration.ofNanos(1_000_003), Duration.ofNanos(300_000_007))
                    .then(Arrivals.none().during(Duration.ofMillis(100)))
                    .then(Arrivals.perSecond(40).during(Duration.ofSeconds(1)))
                    .then(Arrivals.ramp(10, 30, Duration.ofSeconds(1)).evenly());
        }

        {
            setUp(Downbeat.inject(oneGet(), arrivals(), 7))
                    .protocols(service(), Downbeat.protocol().objectives("errors<1%", "max<20s"));
        }
    }

    /** Arrivals that nobody corrects. */
    public static class BeatWithoutDownbeat extends Simulation {
        {
            setUp(Downbeat.inject(oneGet(), Arrivals.perSecond(10).evenly().during(Duration.ofSeconds(1))))
                    .protocols(service());
        }
    }
}
