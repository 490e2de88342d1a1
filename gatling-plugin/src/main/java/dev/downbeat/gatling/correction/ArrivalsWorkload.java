package dev.downbeat.gatling.correction;

import io.gatling.core.controller.inject.Workload;
import io.gatling.core.scenario.Scenario;
import io.gatling.core.stats.StatsEngine;
import java.util.PrimitiveIterator;
import java.util.concurrent.atomic.AtomicLong;
import scala.concurrent.duration.Duration;
import scala.concurrent.duration.FiniteDuration;

/** Hands out users by an arrival process, slightly in advance. Used only by the injector's thread. */
final class ArrivalsWorkload extends Workload {
    private final RecordingEventLoops recording;
    private final PrimitiveIterator.OfLong times;
    private final Start start;
    private final long durationNanos;
    private long nextNanos;

    private ArrivalsWorkload(
            BeatInjection beats,
            RecordingEventLoops recording,
            Scenario scenario,
            AtomicLong userIds,
            StatsEngine stats,
            Start start) {
        super(scenario, userIds, recording.loops(), stats);
        this.recording = recording;
        this.times = beats.times();
        this.start = start;
        this.durationNanos = beats.durationNanos();
        this.nextNanos = next();
    }

    /** A workload of one population, as {@link CapturedWorkload#of}. */
    static Workload of(
            BeatInjection beats,
            RecordingEventLoops recording,
            Scenario scenario,
            AtomicLong userIds,
            StatsEngine stats,
            Start start) {
        return new ArrivalsWorkload(beats, recording, scenario, userIds, stats, start);
    }

    @Override
    public void injectBatch(FiniteDuration window) {
        long startAt = start.at();
        long untilNanos = System.nanoTime() - startAt + window.toNanos() + CapturedWorkload.AHEAD_NANOS;
        while (nextNanos < durationNanos && nextNanos <= untilNanos) {
            recording.baseAt(startAt + nextNanos);
            injectUser(Duration.Zero());
            nextNanos = next();
        }
        if (nextNanos >= durationNanos && !isAllUsersScheduled()) {
            setAllScheduled();
        }
    }

    /** Past the end if there is none. */
    private long next() {
        return times.hasNext() ? times.nextLong() : durationNanos;
    }

    @Override
    public void endUser() {
        incrementStoppedUsers();
    }

    @Override
    public FiniteDuration duration() {
        return Duration.fromNanos(durationNanos);
    }

    @Override
    public boolean isEmpty() {
        return false;
    }
}
