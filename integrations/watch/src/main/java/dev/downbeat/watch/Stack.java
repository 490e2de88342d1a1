package dev.downbeat.watch;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordedFrame;
import jdk.jfr.consumer.RecordedMethod;
import jdk.jfr.consumer.RecordedStackTrace;

/**
 * Determines where a thread waited. An idle thread also waits, for its next task, and such a wait explains no request.
 * It is recognised by its stack: without application code, or inside a pool's idle loop.
 */
final class Stack {
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
