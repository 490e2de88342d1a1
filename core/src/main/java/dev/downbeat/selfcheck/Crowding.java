package dev.downbeat.selfcheck;

import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;

/**
 * The effect of other processes during a run: their share of the cores, and the duration of control calls that only
 * need a processor for a fixed time.
 *
 * @param othersShare share of all cores, from 0 to 1
 * @param pressure fraction of the time in which some task waited for a processor, from 0 to 1, if the kernel reports it
 * @param controls in order
 */
public record Crowding(double othersShare, OptionalDouble pressure, List<Control> controls) {
    /** Processor time that a control call needs. */
    public static final long CONTROL_NANOS = 5_000_000;

    /** Below this share of the cores, other processes are not to blame. */
    private static final double CROWDED = 0.25;

    /** A control call that met contention takes at least twice its time. */
    private static final long SLOW_CONTROL_NANOS = 2 * CONTROL_NANOS;

    /**
     * The maximum number of waits for a processor in one request: threads of the client and the service, and their
     * dependencies, where a control call is one thread.
     */
    private static final long WAITS = 10;

    private static final double TAIL = 0.99;

    /**
     * A call that needs {@link #CONTROL_NANOS} of processor time.
     *
     * @param startAt by {@link System#nanoTime}
     * @param tookNanos from then to its end
     */
    public record Control(long startAt, long tookNanos) {
        private long lateNanos() {
            return Math.max(0, tookNanos - CONTROL_NANOS);
        }
    }

    /** Copies the list. */
    public Crowding {
        controls = List.copyOf(controls);
    }

    /** A copy without control calls that started before an instant. */
    public Crowding since(long instant) {
        return new Crowding(
                othersShare,
                pressure,
                controls.stream().filter(each -> each.startAt - instant >= 0).toList());
    }

    /** Whether other processes used so much that control calls were late. */
    public boolean isCrowded() {
        return othersShare >= CROWDED && controlP99Nanos() >= SLOW_CONTROL_NANOS;
    }

    /** The 99th percentile of the control calls; 0 if there were none. */
    public long controlP99Nanos() {
        long[] sorted = controls.stream().mapToLong(Control::tookNanos).sorted().toArray();
        return sorted.length == 0 ? 0 : sorted[(int) Math.ceil(TAIL * sorted.length) - 1];
    }

    /** Whether a request with this excess time may have waited for the processor behind others. */
    public boolean explains(long excessNanos) {
        return isCrowded() && excessNanos <= explainedNanos();
    }

    /** The longest that a request may have waited for the processor behind others; 0 if they hardly ran. */
    public long explainedNanos() {
        return isCrowded() ? WAITS * (controlP99Nanos() - CONTROL_NANOS) : 0;
    }

    /**
     * Whether control calls were late enough in that period. A service that stalls while they are on time stalls on its
     * own.
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

    /** A description: {@code others took 61 % of the cores; a control call of 5 ms took 48 ms at p99}. */
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
