package dev.downbeat.watch;

import dev.downbeat.watch.sample.EventLog;
import dev.downbeat.watch.sample.HighValueDetector;
import dev.downbeat.watch.sample.Overlaps;
import dev.downbeat.why.Event;
import dev.downbeat.why.EventKind;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import jdk.jfr.consumer.RecordedClass;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordedFrame;
import jdk.jfr.consumer.RecordedMethod;
import jdk.jfr.consumer.RecordedStackTrace;
import jdk.jfr.consumer.RecordedThread;

/**
 * Converts a flight recorder's events. Instants are nanoseconds since 1970 on the recorder's clock. Used by one thread
 * at a time.
 */
final class FlightEvents {
    /** The operation used to compare clocks; safepoints caused by Downbeat are not events. */
    static final String OWN_OPERATION = "FindDeadlocks";

    private static final long LEAST_STOP_NANOS = TimeUnit.MILLISECONDS.toNanos(1);
    private static final double BUSY_MACHINE = 0.95;
    private static final double MANY_CLASSES = 100;
    private static final double MANY_EXCEPTIONS = 100;
    private static final double MANY_DEOPTIMIZATIONS = 50;

    /** Downbeat's threads that run what is measured: code, or a database's driver. */
    private static final List<String> MEASURED = List.of("downbeat-worker-", "downbeat-jdbc-");

    record OwnOperation(long startNanos, long endNanos) {}

    private final EventLog log = new EventLog();
    private final EventLog operations = new EventLog();
    private final CollectionPauses collections = new CollectionPauses();
    private final List<OwnOperation> own = new ArrayList<>();
    private final Rate classes = new Rate(EventKind.CLASS_LOADING, MANY_CLASSES, "classes");
    private final Rate exceptions = new Rate(EventKind.EXCEPTIONS, MANY_EXCEPTIONS, "exceptions");
    private final Bursts deoptimizations = new Bursts(EventKind.COMPILATION, MANY_DEOPTIMIZATIONS, "deoptimizations");
    private final Throttling throttling = new Throttling();
    private final Map<String, Map<Long, Integer>> parkedFor = new HashMap<>();
    private long lastLoadAt;
    private long firstAt = Long.MAX_VALUE;
    private long lastAt = Long.MIN_VALUE;
    private boolean hasVirtualThreads;

    /** Accepts one of the recorder's events, known or not. */
    void accept(RecordedEvent event) {
        RecordedThread by = event.getThread();
        hasVirtualThreads |= by != null && by.hasField("virtual") && by.getBoolean("virtual"); // since Java 21
        Optional<Setting> setting = Setting.of(event.getEventType().getName());
        if (setting.isEmpty()) {
            return;
        }
        long start = nanos(event.getStartTime());
        long length = Math.max(0, event.getDuration().toNanos());
        if (!setting.get().takes(length)) {
            return;
        }
        firstAt = Math.min(firstAt, start);
        lastAt = Math.max(lastAt, start + length);
        switch (setting.get()) {
            case GARBAGE_COLLECTION ->
                collections.collection(number(event, "gcId"), text(event, "name"), text(event, "cause"));
            case GC_PAUSE -> collections.pause(number(event, "gcId"), text(event, "name"), start, length);
            case Z_STALL -> log.add(EventKind.ALLOCATION_STALL, start, length, text(event, "type"));
            case TO_SAFEPOINT -> log.add(EventKind.SAFEPOINT, start, length, "time to safepoint");
            case OPERATION -> operation(event, start, length);
            case LOCK -> waited(EventKind.LOCK_WAIT, event, start, length, className(event, "monitorClass"));
            case WAIT -> waited(EventKind.WAITED, event, start, length, className(event, "monitorClass"));
            case SLEEP -> waited(EventKind.WAITED, event, start, length, "sleep");
            case PARK -> waited(EventKind.PARKED, event, start, length, parkedFor(event));
            case PINNED -> waited(EventKind.PINNED, event, start, length, "");
            case SOCKET -> waited(EventKind.SOCKET_READ, event, start, length, peer(event));
            case WRITE, FORCE -> waited(EventKind.FILE_WRITE, event, start, length, text(event, "path"));
            case COMPILATION -> log.add(EventKind.COMPILATION, start, length, "");
            case DEOPTIMIZATION -> deoptimizations.add(start);
            case CLASS -> log.add(EventKind.CLASS_LOADING, start, length, className(event, "loadedClass"));
            case CLASSES -> classes.total(start, number(event, "loadedClassCount"));
            case EXCEPTIONS -> exceptions.total(start, number(event, "throwables"));
            case PROCESSORS -> load(event, start);
            case THROTTLING ->
                throttling.total(start, number(event, "cpuThrottledTime"), number(event, "cpuThrottledSlices"));
        }
    }

    private void operation(RecordedEvent event, long start, long length) {
        String name = text(event, "operation");
        if (name.equals(OWN_OPERATION)) {
            own.add(new OwnOperation(start, start + length));
        } else if (event.hasField("safepoint") && event.getBoolean("safepoint") && length >= LEAST_STOP_NANOS) {
            operations.add(EventKind.SAFEPOINT, start, length, name);
        }
    }

    private void waited(EventKind kind, RecordedEvent event, long start, long length, String what) {
        if (isOfDownbeat(event)) {
            return;
        }
        Stack.where(event)
                .ifPresent(where -> log.add(
                        kind, start, length, what.isEmpty() ? where : where.isEmpty() ? what : what + " in " + where));
    }

    /** Threads that only measure wait for requests to end, so their waits would seem to be the cause of slow ones. */
    private static boolean isOfDownbeat(RecordedEvent event) {
        RecordedThread thread = event.getThread();
        String name = thread == null || thread.getJavaName() == null ? "" : thread.getJavaName();
        return name.startsWith("downbeat-") && MEASURED.stream().noneMatch(name::startsWith);
    }

    /**
     * What a thread is parked for. Without a stack trace, only the object distinguishes idle workers, parked on their
     * queue, from threads waiting for a pool. Objects of a class are numbered; one that the collector moved gets another
     * number.
     */
    private String parkedFor(RecordedEvent event) {
        String type = className(event, "parkedClass");
        if (event.getStackTrace() != null || type.isEmpty()) {
            return type;
        }
        Map<Long, Integer> known = parkedFor.computeIfAbsent(type, first -> new HashMap<>());
        int number = known.computeIfAbsent(number(event, "address"), first -> known.size() + 1);
        return number == 1 ? type : type + " " + number;
    }

    private void load(RecordedEvent event, long at) {
        double machine = event.hasField("machineTotal") ? event.getFloat("machineTotal") : 0;
        if (machine >= BUSY_MACHINE && lastLoadAt > 0 && at > lastLoadAt) {
            log.add(EventKind.PROCESSOR_WAIT, lastLoadAt, at - lastLoadAt, "all processors of the machine busy");
        }
        lastLoadAt = at;
    }

    private static String peer(RecordedEvent event) {
        String host = text(event, "host");
        return (host.isEmpty() ? text(event, "address") : host) + ":" + number(event, "port");
    }

    private static String className(RecordedEvent event, String field) {
        RecordedClass type = event.hasField(field) ? event.getClass(field) : null;
        return type == null ? "" : type.getName().substring(type.getName().lastIndexOf('.') + 1);
    }

    private static String text(RecordedEvent event, String field) {
        Object value = event.hasField(field) ? event.getValue(field) : null;
        return value == null ? "" : value.toString();
    }

    private static long number(RecordedEvent event, String field) {
        Object value = event.hasField(field) ? event.getValue(field) : null;
        return value instanceof Number number ? number.longValue() : 0;
    }

    static long nanos(Instant at) {
        return ChronoUnit.NANOS.between(Instant.EPOCH, at);
    }

    /** The executions of Downbeat's own operations, in order. */
    List<OwnOperation> own() {
        return own.stream()
                .sorted(Comparator.comparingLong(OwnOperation::startNanos))
                .toList();
    }

    /** The earliest instant in the recording; {@link Long#MAX_VALUE} if there is none. */
    long firstAt() {
        return firstAt;
    }

    /** The latest instant in the recording; {@link Long#MIN_VALUE} if there is none. */
    long lastAt() {
        return lastAt;
    }

    /** Notes that the service has virtual threads, even if none had an event. */
    void foundVirtualThreads() {
        hasVirtualThreads = true;
    }

    /** Limits of the events. */
    List<String> notes() {
        List<String> notes = new ArrayList<>();
        log.note().ifPresent(notes::add);
        if (hasVirtualThreads) {
            notes.add("a JVM records no parks and waits of virtual threads: those for a pool or a lock may be missing");
        }
        return notes;
    }

    List<Event> events() {
        List<Event> pauses = collections.pauses();
        List<Event> all = new ArrayList<>(pauses);
        all.addAll(Overlaps.notCovered(operations.events(), pauses));
        all.addAll(Overlaps.merged(log.events()));
        all.addAll(classes.events());
        all.addAll(exceptions.events());
        all.addAll(deoptimizations.events());
        all.addAll(throttling.events());
        all.sort(Comparator.comparingLong(Event::startNanos));
        return all;
    }

    private static final class Rate {
        private final HighValueDetector detector;
        private long lastAt;
        private long last;

        Rate(EventKind kind, double floor, String what) {
            detector = new HighValueDetector(
                    kind, floor, perSecond -> String.format(Locale.ROOT, "up to %.0f %s a second", perSecond, what));
        }

        void total(long at, long now) {
            if (lastAt > 0 && at > lastAt) {
                detector.add(lastAt, at, (now - last) * 1e9 / (at - lastAt));
            }
            lastAt = at;
            last = now;
        }

        List<Event> events() {
            return detector.events();
        }
    }

    /**
     * Events that matter only in numbers. A recorder writes those of each thread separately, so they are not in time
     * order.
     */
    private static final class Bursts {
        private static final long WINDOW_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

        private final EventKind kind;
        private final double floor;
        private final String what;
        private final SortedMap<Long, Integer> perWindow = new TreeMap<>();

        Bursts(EventKind kind, double floor, String what) {
            this.kind = kind;
            this.floor = floor;
            this.what = what;
        }

        void add(long at) {
            perWindow.merge(Math.floorDiv(at, WINDOW_NANOS), 1, Integer::sum);
        }

        List<Event> events() {
            HighValueDetector detector = new HighValueDetector(
                    kind, floor, count -> String.format(Locale.ROOT, "up to %.0f %s in 100 ms", count, what));
            perWindow.forEach(
                    (window, count) -> detector.add(window * WINDOW_NANOS, (window + 1) * WINDOW_NANOS, count));
            return detector.events();
        }
    }

    /** The time that a container was throttled. */
    private static final class Throttling {
        private final EventLog log = new EventLog();
        private long lastAt;
        private long lastTime;
        private long lastSlices;

        void total(long at, long timeNanos, long slices) {
            if (lastAt > 0 && slices > lastSlices && timeNanos > lastTime) {
                log.add(EventKind.THROTTLED, lastAt, at - lastAt, "");
            }
            lastAt = at;
            lastTime = timeNanos;
            lastSlices = slices;
        }

        List<Event> events() {
            return Overlaps.merged(log.events());
        }
    }

    /** Pauses and the collections that they belong to, which are logged separately and in any order. */
    private static final class CollectionPauses {
        private static final Set<String> FULL_COLLECTORS =
                Set.of("G1Full", "SerialOld", "ParallelOld", "PSMarkSweep", "MarkSweepCompact");

        private record Pause(long id, String phase, long startNanos, long lengthNanos) {}

        private record Collection(String name, String cause) {}

        private final Map<Long, Collection> collections = new HashMap<>();
        private final List<Pause> open = new ArrayList<>();
        private final EventLog log = new EventLog();

        void collection(long id, String name, String cause) {
            if (open.size() + collections.size() > EventLog.MOST) {
                resolve();
            }
            collections.put(id, new Collection(name, cause));
        }

        void pause(long id, String phase, long startNanos, long lengthNanos) {
            if (open.size() + collections.size() > EventLog.MOST) {
                resolve();
            }
            open.add(new Pause(id, phase, startNanos, lengthNanos));
        }

        private void resolve() {
            for (Pause pause : open) {
                Collection collection = collections.getOrDefault(pause.id, new Collection("", ""));
                boolean full = FULL_COLLECTORS.contains(collection.name) || pause.phase.contains("Full");
                log.add(
                        full ? EventKind.FULL_COLLECTION : EventKind.COLLECTION_PAUSE,
                        pause.startNanos,
                        pause.lengthNanos,
                        detail(pause.phase, collection));
            }
            open.clear();
            collections.clear();
        }

        private static String detail(String phase, Collection collection) {
            String what = phase.isEmpty() || phase.equals("GC Pause") ? collection.name : collection.name + " " + phase;
            return collection.cause.isEmpty() ? what.trim() : what.trim() + ", " + collection.cause;
        }

        List<Event> pauses() {
            resolve();
            return log.events();
        }
    }

    /**
     * Determines where a thread waited. An idle thread also waits, for its next task, and such a wait explains no
     * request. It is recognised by its stack: without application code, or inside a pool's idle loop.
     */
    private static final class Stack {
        private static final Set<String> IDLE = Set.of(
                "java.util.concurrent.ThreadPoolExecutor.getTask",
                "java.util.concurrent.ForkJoinPool.awaitWork",
                "java.util.TimerThread.mainLoop",
                "java.lang.ref.ReferenceQueue.remove",
                "org.eclipse.jetty.util.thread.QueuedThreadPool$Runner.idleJobPoll",
                "org.eclipse.jetty.util.thread.QueuedThreadPool.idleJobPoll",
                "org.eclipse.jetty.util.thread.ReservedThreadExecutor$ReservedThread.reservedWait");

        /** Worker loops: a thread is idle if its first application frame is one of these. */
        private static final Set<String> LOOPS = Set.of(
                "org.jboss.threads.EnhancedQueueExecutor$ThreadBody.run",
                "kotlinx.coroutines.scheduling.CoroutineScheduler$Worker.park",
                "org.apache.tomcat.util.net.NioEndpoint$Poller.run",
                "org.apache.catalina.core.StandardServer.await",
                "com.zaxxer.hikari.pool.HikariPool$PoolEntryCreator.call",
                "io.netty.util.concurrent.GlobalEventExecutor.takeTask",
                "io.netty.util.concurrent.SingleThreadEventExecutor.takeTask");

        private static final List<String> JDK_PACKAGES = List.of("java.", "javax.", "jdk.", "sun.", "com.sun.");

        private Stack() {}

        /** The first frame of the application, as "Orders.place"; empty if the thread was idle. */
        static Optional<String> where(RecordedEvent event) {
            RecordedStackTrace trace = event.getStackTrace();
            return trace == null ? Optional.of("") : where(trace.getFrames());
        }

        private static Optional<String> where(List<RecordedFrame> frames) {
            Optional<String> first = Optional.empty();
            for (RecordedFrame frame : frames) {
                RecordedMethod method = frame.getMethod();
                String type = method.getType().getName();
                String name = type + "." + method.getName();
                if (IDLE.contains(name)) {
                    return Optional.empty();
                }
                if (first.isEmpty() && JDK_PACKAGES.stream().noneMatch(type::startsWith)) {
                    if (LOOPS.contains(name)) {
                        return Optional.empty();
                    }
                    first = Optional.of(type.substring(type.lastIndexOf('.') + 1) + "." + method.getName());
                }
            }
            return first;
        }
    }

    /**
     * The settings for a service's flight recorder: only long events, and stack traces only where an event is useless
     * without one. Events that a JVM does not know have no effect.
     */
    enum Setting {
        GARBAGE_COLLECTION("jdk.GarbageCollection", 0, 0, false),
        GC_PAUSE("jdk.GCPhasePause", 0, 0, false),
        Z_STALL("jdk.ZAllocationStall", 1, 0, false),
        TO_SAFEPOINT("jdk.SafepointBegin", 1, 0, false),
        /** All of them, because one of them relates the clocks. */
        OPERATION("jdk.ExecuteVMOperation", 0, 0, false),
        LOCK("jdk.JavaMonitorEnter", 10, 0, true),
        WAIT("jdk.JavaMonitorWait", 10, 0, true),
        SLEEP("jdk.ThreadSleep", 10, 0, true),
        /** Most servers park a thread before each request, which a stack trace would delay by microseconds. */
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

        Setting(String event, int thresholdMillis, int periodMillis, boolean stack) {
            this.event = event;
            this.thresholdMillis = thresholdMillis;
            this.periodMillis = periodMillis;
            this.stack = stack;
        }

        static Map<String, String> all() {
            return of(EnumSet.allOf(Setting.class));
        }

        /** Those not visible from outside: a watcher of the process samples its processors more often. */
        static Map<String, String> inside() {
            return of(EnumSet.complementOf(EnumSet.of(PROCESSORS, THROTTLING)));
        }

        private static Map<String, String> of(Set<Setting> wanted) {
            Map<String, String> settings = new LinkedHashMap<>();
            for (Setting setting : wanted) {
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

        static Optional<Setting> of(String event) {
            for (Setting setting : values()) {
                if (setting.event.equals(event)) {
                    return Optional.of(setting);
                }
            }
            return Optional.empty();
        }
    }
}
