package dev.downbeat.gatling.correction;

import io.gatling.core.controller.inject.Workload;
import io.gatling.core.scenario.Scenario;
import io.gatling.core.stats.StatsEngine;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import scala.concurrent.duration.Duration;
import scala.concurrent.duration.FiniteDuration;

/** A workload of Gatling's that decides as always, and whose decisions are noted. One thread: the injector's. */
abstract class CapturedWorkload extends Workload {
    /** Gatling hands users out for the next second only; a tick that is late would make users late. */
    static final long AHEAD_NANOS = TimeUnit.SECONDS.toNanos(1);

    final Workload inner;
    final CaptureLoops capture;
    final Start start;

    CapturedWorkload(
            Workload inner,
            CaptureLoops capture,
            Scenario scenario,
            AtomicLong userIds,
            StatsEngine stats,
            Start start) {
        super(scenario, userIds, capture, stats);
        this.start = start;
        this.inner = inner;
        this.capture = capture;
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
     * Users arrive by a law. The inner workload's clock stays at the start, so that the delay it asks for is the
     * user's place in the law, however late the tick.
     */
    static final class Open extends CapturedWorkload {
        Open(
                Workload inner,
                CaptureLoops capture,
                Scenario scenario,
                AtomicLong userIds,
                StatsEngine stats,
                Start start) {
            super(inner, capture, scenario, userIds, stats, start);
        }

        @Override
        public void injectBatch(FiniteDuration window) {
            long startAt = start.at();
            capture.baseAt(startAt);
            long untilNanos = System.nanoTime() - startAt + window.toNanos() + AHEAD_NANOS;
            inner.injectBatch(Duration.fromNanos(untilNanos));
        }

        @Override
        public void endUser() {
            inner.endUser();
        }
    }

    /** Users arrive when others have gone: there is no law, and a user is meant to start when Gatling says so. */
    static final class Closed extends CapturedWorkload {
        Closed(
                Workload inner,
                CaptureLoops capture,
                Scenario scenario,
                AtomicLong userIds,
                StatsEngine stats,
                Start start) {
            super(inner, capture, scenario, userIds, stats, start);
        }

        @Override
        public void injectBatch(FiniteDuration window) {
            start.at();
            capture.baseAt(System.nanoTime());
            inner.injectBatch(window);
        }

        @Override
        public void endUser() {
            capture.baseAt(System.nanoTime());
            inner.endUser();
        }
    }
}
