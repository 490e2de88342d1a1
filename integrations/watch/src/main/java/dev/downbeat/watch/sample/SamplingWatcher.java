package dev.downbeat.watch.sample;

import dev.downbeat.time.Daemon;
import dev.downbeat.time.NanoClock;
import dev.downbeat.why.Event;
import dev.downbeat.why.WatchResult;
import dev.downbeat.why.Watcher;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Watches by repeated sampling, on its own thread and on the run's clock. */
public final class SamplingWatcher implements Watcher {
    /** A sample of a server that hangs ends by its own timeout, which may have just begun. */
    private static final long JOIN_MILLIS = 5_000;

    public record SamplingGroup(long everyNanos, List<Sampler> samplers) {}

    /** Determines what to sample. */
    public interface Opening {
        /**
         * All samplers; the first are sampled most often.
         *
         * @throws IOException with one line that says why there are none
         */
        List<SamplingGroup> open() throws IOException;
    }

    private final String source;
    private final long uncertaintyNanos;
    private final Opening opening;
    private final EventLog log = new EventLog();
    private List<SamplingGroup> groups = List.of();
    private Optional<String> failure = Optional.empty();
    private long begunAt;
    private volatile long lastAt;
    private volatile boolean ended;
    private volatile boolean lost;
    private @Nullable Thread thread;

    /**
     * Creates a watcher.
     *
     * @param uncertaintyNanos maximum error of an instant by the sampling interval; a sampler may report a greater one
     */
    public SamplingWatcher(String source, long uncertaintyNanos, Opening opening) {
        this.source = source;
        this.uncertaintyNanos = uncertaintyNanos;
        this.opening = opening;
    }

    @Override
    public String source() {
        return source;
    }

    @Override
    public void begin() {
        begunAt = System.nanoTime();
        lastAt = begunAt;
        try {
            groups = opening.open();
        } catch (IOException | RuntimeException nothing) {
            String message = nothing.getMessage();
            failure = Optional.of(message == null ? line(nothing) : message);
            return;
        }
        thread = Daemon.start("downbeat-watch", this::sampleUntilEnded);
    }

    private void sampleUntilEnded() {
        long[] next = new long[groups.size()];
        Arrays.fill(next, begunAt);
        try {
            while (!ended) {
                long now = System.nanoTime();
                long soonest = now + TimeUnit.SECONDS.toNanos(1);
                for (int i = 0; i < next.length; i++) {
                    if (now - next[i] >= 0) {
                        for (Sampler sampler : groups.get(i).samplers()) {
                            sampler.sample(System.nanoTime());
                        }
                        next[i] = now + groups.get(i).everyNanos();
                    }
                    soonest = NanoClock.earlier(soonest, next[i]);
                }
                lastAt = System.nanoTime();
                LockSupport.parkNanos(soonest - lastAt);
            }
        } catch (IOException | RuntimeException nothingLeft) {
            lost = true;
        }
    }

    private void stop() {
        ended = true;
        Thread running = thread;
        if (running != null) {
            LockSupport.unpark(running);
            try {
                running.join(JOIN_MILLIS);
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private Stream<Sampler> samplers() {
        return groups.stream().flatMap(each -> each.samplers().stream());
    }

    @Override
    public WatchResult end(long startAt, long durationNanos) {
        stop();
        if (thread == null) {
            return WatchResult.nothing(source, failure.orElse("it was not watched"));
        }
        List<String> notes = new ArrayList<>();
        long from = Math.min(durationNanos, Math.max(0, begunAt - startAt));
        long to = Math.min(durationNanos, Math.max(from, lastAt - startAt));
        if (lost) {
            notes.add("it ended while it was watched");
        }
        if (thread.isAlive()) { // waiting for a server, it changes nothing
            notes.add("its last sample did not end");
        }
        samplers().forEach(sampler -> {
            sampler.note(startAt, startAt + durationNanos)
                    .filter(note -> !notes.contains(note))
                    .ifPresent(notes::add);
            for (Event event : sampler.events()) {
                Event moved =
                        new Event(event.kind(), event.startNanos() - startAt, event.lengthNanos(), event.detail());
                if (moved.endNanos() >= 0 && moved.startNanos() <= durationNanos) {
                    log.add(moved);
                }
            }
        });
        log.note().ifPresent(notes::add);
        long worstNanos = samplers().mapToLong(Sampler::uncertaintyNanos).reduce(uncertaintyNanos, Math::max);
        return new WatchResult(source, log.events(), from, to, worstNanos, notes);
    }

    @Override
    public void close() {
        stop();
        samplers().forEach(Sampler::close);
    }

    /** The message of the innermost cause, in one line. */
    public static String line(Throwable thrown) {
        Throwable cause = thrown;
        while (cause.getCause() != null) {
            cause = cause.getCause();
        }
        String message = cause.getMessage();
        return message == null || message.isBlank()
                ? cause.getClass().getSimpleName()
                : message.strip().lines().findFirst().orElse("");
    }

    /** Samples one quantity repeatedly; instants are readings of {@link System#nanoTime}. Used by one thread. */
    public interface Sampler extends AutoCloseable {
        /** Takes a sample; throws if there is nothing left to sample. */
        void sample(long now) throws IOException;

        /** The events seen, on the same clock. */
        List<Event> events();

        default Optional<String> note() {
            return Optional.empty();
        }

        /** As {@link #note()} does, of what was seen between two instants: the run's. */
        default Optional<String> note(long fromAt, long toAt) {
            return note();
        }

        /** Maximum error of its instants, if that depends on what it samples; 0 if not. */
        default long uncertaintyNanos() {
            return 0;
        }

        @Override
        default void close() {}
    }
}
