package dev.downbeat.gatling.correction;

import io.gatling.core.controller.inject.Workload;
import io.gatling.core.scenario.Scenario;
import io.gatling.core.stats.StatsEngine;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import scala.concurrent.duration.Duration;
import scala.concurrent.duration.FiniteDuration;

/** A workload of Gatling's that decides as always, and whose decisions are noted. One thread: the injector's. */
final class CapturedWorkload extends Workload {
    /** Gatling hands users out for the next second only; a tick that is late would make users late. */
    static final long AHEAD_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final boolean isOpen;
    private final Workload inner;
    private final CaptureLoops capture;
    private final Start start;

    /**
     * Of some users.
     *
     * @param isOpen whether they arrive by a law, and not when others have gone
     */
    CapturedWorkload(
            boolean isOpen,
            Workload inner,
            CaptureLoops capture,
            Scenario scenario,
            AtomicLong userIds,
            StatsEngine stats,
            Start start) {
        super(scenario, userIds, capture, stats);
        this.isOpen = isOpen;
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
     * Where users arrive by a law, the inner workload's clock stays at the start, so that the delay it asks for is the user's
     * place in the law, however late the tick. Where they arrive when others have gone there is no law: a user is meant to
     * start when Gatling says so.
     */
    @Override
    public void injectBatch(FiniteDuration window) {
        long startAt = start.at();
        long nowAt = System.nanoTime();
        capture.baseAt(isOpen ? startAt : nowAt);
        inner.injectBatch(isOpen ? Duration.fromNanos(nowAt - startAt + window.toNanos() + AHEAD_NANOS) : window);
    }

    @Override
    public void endUser() {
        if (!isOpen) {
            capture.baseAt(System.nanoTime());
        }
        inner.endUser();
    }
}
