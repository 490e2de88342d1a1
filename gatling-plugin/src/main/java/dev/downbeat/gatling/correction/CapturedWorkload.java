package dev.downbeat.gatling.correction;

import io.gatling.core.controller.inject.Workload;
import io.gatling.core.scenario.Scenario;
import io.gatling.core.stats.StatsEngine;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import scala.concurrent.duration.Duration;
import scala.concurrent.duration.FiniteDuration;

/**
 * A Gatling workload whose decisions are recorded. Used only by the injector's thread. For Gatling 3.16, where its parent
 * is called {@code Injection}, the build adds a copy: see {@code src/build/NewNames.java}.
 */
final class CapturedWorkload extends Workload {
    /** Gatling hands out users one second in advance; a late tick would make them late. */
    static final long AHEAD_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final boolean isOpen;
    private final Workload inner;
    private final RecordingEventLoops recording;
    private final Start start;

    private CapturedWorkload(
            boolean isOpen,
            Workload inner,
            RecordingEventLoops recording,
            Scenario scenario,
            AtomicLong userIds,
            StatsEngine stats,
            Start start) {
        super(scenario, userIds, recording.loops(), stats);
        this.isOpen = isOpen;
        this.start = start;
        this.inner = inner;
        this.recording = recording;
    }

    /**
     * A workload of one population. Its type is the parent's, since a JVM that verifies a caller must not need to look up
     * the parent, by either name.
     *
     * @param isOpen whether users arrive by a schedule, rather than when others have left
     */
    static Workload of(
            boolean isOpen,
            Workload inner,
            RecordingEventLoops recording,
            Scenario scenario,
            AtomicLong userIds,
            StatsEngine stats,
            Start start) {
        return new CapturedWorkload(isOpen, inner, recording, scenario, userIds, stats, start);
    }

    @Override
    public boolean isAllUsersScheduled() {
        return inner.isAllUsersScheduled();
    }

    @Override
    public boolean isAllUsersStopped() {
        return inner.isAllUsersStopped();
    }

    @Override
    public FiniteDuration duration() {
        return inner.duration();
    }

    @Override
    public boolean isEmpty() {
        return inner.isEmpty();
    }

    /**
     * For scheduled arrivals, the inner workload's clock stays at the start, so its delays are positions in the
     * schedule, however late the tick. For users that replace others there is no schedule: their intended start is when
     * Gatling hands them out.
     */
    @Override
    public void injectBatch(FiniteDuration window) {
        long startAt = start.at();
        long nowAt = System.nanoTime();
        recording.baseAt(isOpen ? startAt : nowAt);
        inner.injectBatch(isOpen ? Duration.fromNanos(nowAt - startAt + window.toNanos() + AHEAD_NANOS) : window);
    }

    @Override
    public void endUser() {
        if (!isOpen) {
            recording.baseAt(System.nanoTime());
        }
        inner.endUser();
    }
}
