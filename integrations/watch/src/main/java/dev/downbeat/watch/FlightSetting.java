package dev.downbeat.watch;

import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * The settings for a service's flight recorder: only long events, and stack traces only where an event is useless
 * without one. Events that a JVM does not know have no effect.
 */
enum FlightSetting {
    GARBAGE_COLLECTION("jdk.GarbageCollection", 0, 0, false),
    GC_PAUSE("jdk.GCPhasePause", 0, 0, false),
    Z_STALL("jdk.ZAllocationStall", 1, 0, false),
    TO_SAFEPOINT("jdk.SafepointBegin", 1, 0, false),
    /** All of them, because one of them relates the clocks. */
    OPERATION("jdk.ExecuteVMOperation", 0, 0, false),
    LOCK("jdk.JavaMonitorEnter", 10, 0, true),
    WAIT("jdk.JavaMonitorWait", 10, 0, true),
    SLEEP("jdk.ThreadSleep", 10, 0, true),
    /**
     * Most servers park a thread before each request, and a stack trace would cost that request several microseconds.
     */
    PARK("jdk.ThreadPark", 10, 0, false),
    PINNED("jdk.VirtualThreadPinned", 10, 0, true),
    SOCKET("jdk.SocketRead", 10, 0, true),
    WRITE("jdk.FileWrite", 10, 0, true),
    FORCE("jdk.FileForce", 10, 0, true),
    COMPILATION("jdk.Compilation", 50, 0, false),
    DEOPTIMIZATION("jdk.Deoptimization", 0, 0, false),
    CLASS("jdk.ClassLoad", 10, 0, false),
    CLASSES("jdk.ClassLoadingStatistics", 0, 500, false),
    EXCEPTIONS("jdk.ExceptionStatistics", 0, 500, false),
    PROCESSORS("jdk.CPULoad", 0, 1000, false),
    /** The JVM reads control groups in Java: at ten times per second this used 1.6 % of a processor. */
    THROTTLING("jdk.ContainerCPUThrottling", 0, 500, false);

    final String event;
    private final int thresholdMillis;
    private final int periodMillis;
    private final boolean stack;

    FlightSetting(String event, int thresholdMillis, int periodMillis, boolean stack) {
        this.event = event;
        this.thresholdMillis = thresholdMillis;
        this.periodMillis = periodMillis;
        this.stack = stack;
    }

    /** All settings, in a recorder's syntax. */
    static Map<String, String> all() {
        return of(EnumSet.allOf(FlightSetting.class));
    }

    /** Those not visible from outside: an observer of the process sees its processors, and more often. */
    static Map<String, String> inside() {
        return of(EnumSet.complementOf(EnumSet.of(PROCESSORS, THROTTLING)));
    }

    private static Map<String, String> of(Set<FlightSetting> wanted) {
        Map<String, String> settings = new LinkedHashMap<>();
        for (FlightSetting setting : wanted) {
            settings.put(setting.event + "#enabled", "true");
            if (setting.periodMillis > 0) {
                settings.put(setting.event + "#period", setting.periodMillis + " ms");
            } else {
                settings.put(setting.event + "#threshold", setting.thresholdMillis + " ms");
                settings.put(setting.event + "#stackTrace", Boolean.toString(setting.stack));
            }
        }
        return settings;
    }

    /** Whether an event of this length was requested; another recording of the same service may request more. */
    boolean takes(long lengthNanos) {
        return lengthNanos >= TimeUnit.MILLISECONDS.toNanos(thresholdMillis);
    }

    static Optional<FlightSetting> of(String event) {
        for (FlightSetting setting : values()) {
            if (setting.event.equals(event)) {
                return Optional.of(setting);
            }
        }
        return Optional.empty();
    }
}
