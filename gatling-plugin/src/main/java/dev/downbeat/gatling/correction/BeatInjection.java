package dev.downbeat.gatling.correction;

import dev.downbeat.arrival.ArrivalProcess;
import dev.downbeat.arrival.IntendedTimes;
import dev.downbeat.gatling.version.UserMistake;
import io.gatling.commons.util.Clock;
import io.gatling.core.controller.inject.InjectionProfile;
import io.gatling.core.controller.inject.Workload;
import io.gatling.core.scenario.Scenario;
import io.gatling.core.stats.StatsEngine;
import io.netty.channel.EventLoopGroup;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Users by an arrival process of Downbeat's, to the nanosecond.
 *
 * @param arrivals the law
 * @param durationNanos users are meant to start before this
 */
public record BeatInjection(ArrivalProcess arrivals, long durationNanos) implements InjectionProfile {
    /** How many users there will be. */
    public long count() {
        IntendedTimes times = arrivals.times();
        long count = 0;
        while (times.nextNanos() < durationNanos) {
            count++;
        }
        return count;
    }

    /** The first thing Gatling asks, and the last moment to refuse in: whoever corrects the run asks {@link #count}. */
    @Override
    public scala.Option<Object> totalUserCount() {
        throw uncorrected();
    }

    @Override
    public Workload workload(
            Scenario scenario,
            AtomicLong userIds,
            long startMillis,
            EventLoopGroup loops,
            StatsEngine stats,
            Clock clock) {
        throw uncorrected();
    }

    private static UserMistake uncorrected() {
        return new UserMistake("Downbeat's arrivals need a simulation that extends DownbeatSimulation");
    }
}
