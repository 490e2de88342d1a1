package dev.downbeat.selfcheck;

import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;

/**
 * What the machine did to anybody during a run: how much of the cores processes of others took, and how long calls took that
 * needed a processor for a fixed time and nothing else.
 *
 * @param othersShare of all cores, from 0 to 1
 * @param pressure the share of the time in which some task waited for a processor, from 0 to 1, where the kernel says it
 * @param controls in their order
 */
public record Crowding(double othersShare, OptionalDouble pressure, List<Control> controls) {
    /** Processor time that a control call needs. */
    public static final long CONTROL_NANOS = 5_000_000;

    /** With less of the cores taken by others nothing is their doing. */
    private static final double CROWDED = 0.25;

    /** A control call takes twice its time, or it has met nobody. */
    private static final long SLOW_CONTROL_NANOS = 2 * CONTROL_NANOS;

    /**
     * A request passes through so many waits for a processor at most: threads of the client and of the service, and what they wait
     * for, where a control call is one thread.
     */
    private static final long WAITS = 10;

    private static final double TAIL = 0.99;

    /**
     * A call that needs {@link #CONTROL_NANOS} of a processor.
     *
     * @param startAt by {@link System#nanoTime}
     * @param tookNanos from then to its end
     */
    public record Control(long startAt, long tookNanos) {
        private long lateNanos() {
            return Math.max(0, tookNanos - CONTROL_NANOS);
        }
    }

    /** Copies. */
    public Crowding {
        controls = List.copyOf(controls);
    }

    /** Without the control calls that began before an instant. */
    public Crowding since(long instant) {
        return new Crowding(
                othersShare,
                pressure,
                controls.stream().filter(each -> each.startAt - instant >= 0).toList());
    }

    /** Whether others took so much that control calls were late. */
    public boolean isCrowded() {
        return othersShare >= CROWDED && controlP99Nanos() >= SLOW_CONTROL_NANOS;
    }

    /** The 99th percentile of the control calls; 0 if there was none. */
    public long controlP99Nanos() {
        long[] sorted = controls.stream().mapToLong(Control::tookNanos).sorted().toArray();
        return sorted.length == 0 ? 0 : sorted[(int) Math.ceil(TAIL * sorted.length) - 1];
    }

    /** Whether a request that took so much longer than it should may have waited for the processor behind others. */
    public boolean explains(long excessNanos) {
        return isCrowded() && excessNanos <= WAITS * (controlP99Nanos() - CONTROL_NANOS);
    }

    /**
     * Whether control calls were late enough at that very time. A service that stalls while they are on time stalls by itself.
     *
     * @param fromAt by {@link System#nanoTime}
     */
    public boolean explains(long fromAt, long lengthNanos) {
        long untilAt = fromAt + lengthNanos;
        long latest = controls.stream()
                .filter(each -> each.startAt - untilAt < 0 && each.startAt + each.tookNanos - fromAt > 0)
                .mapToLong(Control::lateNanos)
                .max()
                .orElse(0);
        return isCrowded() && lengthNanos <= WAITS * latest;
    }

    /** In words: {@code others took 61 % of the cores; a control call of 5 ms took 48 ms at p99}. */
    public String text() {
        return String.format(
                Locale.ROOT,
                "others took %.0f %% of the cores; a control call of %d ms took %.0f ms at p99%s",
                100 * othersShare,
                CONTROL_NANOS / 1_000_000,
                controlP99Nanos() / 1e6,
                pressure.stream()
                        .mapToObj(share -> String.format(
                                Locale.ROOT, "; somebody waited for a processor for %.0f %% of the time", 100 * share))
                        .findFirst()
                        .orElse(""));
    }
}
