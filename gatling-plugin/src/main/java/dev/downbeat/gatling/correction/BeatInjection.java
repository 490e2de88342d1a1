package dev.downbeat.gatling.correction;

import dev.downbeat.gatling.version.UserMistake;
import dev.downbeat.load.Arrivals;
import io.gatling.commons.util.Clock;
import io.gatling.core.controller.inject.InjectionProfile;
import io.gatling.core.controller.inject.Workload;
import io.gatling.core.scenario.Scenario;
import io.gatling.core.stats.StatsEngine;
import io.netty.channel.EventLoopGroup;
import java.util.PrimitiveIterator;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Users injected by an arrival process, with nanosecond resolution.
 *
 * @param arrivals the schedule, which must end
 * @param seed selects one of the possible random schedules
 */
public record BeatInjection(Arrivals arrivals, long seed) implements InjectionProfile {
    /** Rejects endless arrivals. */
    public BeatInjection {
        if (arrivals.length().isEmpty()) {
            throw new UserMistake(
                    "the arrivals of a scenario must end, such as perSecond(200).during(ofSeconds(20)), but were "
                            + arrivals);
        }
    }

    /** The number of users. */
    public long count() {
        long count = 0;
        for (PrimitiveIterator.OfLong times = times(); times.hasNext(); times.nextLong()) {
            count++;
        }
        return count;
    }

    /** The intended starts, in nanoseconds from the beginning. */
    PrimitiveIterator.OfLong times() {
        return arrivals.times(seed);
    }

    long durationNanos() {
        return arrivals.length().orElseThrow().toNanos();
    }

    /** Gatling's first query, and therefore the last chance to refuse; the corrected run uses {@link #count}. */
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
