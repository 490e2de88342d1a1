package dev.downbeat.watch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.downbeat.why.Event;
import dev.downbeat.why.EventKind;
import dev.downbeat.why.WatchResult;
import dev.downbeat.why.Watcher;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.rmi.registry.LocateRegistry;
import java.rmi.registry.Registry;
import java.rmi.server.UnicastRemoteObject;
import java.util.AbstractMap;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;
import javax.management.remote.JMXConnectorServer;
import javax.management.remote.JMXConnectorServerFactory;
import javax.management.remote.JMXServiceURL;
import jdk.jfr.FlightRecorder;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

/** A real JVM with real trouble, watched from inside (flight recorder), and from outside (its process). */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class JvmWatcherTest {
    private static final long STOP_MILLIS = 300;

    private record Span(long from, long to) {
        boolean touches(Event event) {
            return event.endNanos() >= from && event.startNanos() <= to;
        }
    }

    @Test
    void all_troubles_are_seen_when_they_happened_by_process_and_by_port() throws Exception {
        int port = freePort();
        try (Forked service = new Forked(
                        Forked.ownJava(),
                        List.of(
                                "-Dcom.sun.management.jmxremote.port=" + port,
                                "-Dcom.sun.management.jmxremote.host=127.0.0.1",
                                "-Djava.rmi.server.hostname=127.0.0.1",
                                "-Dcom.sun.management.jmxremote.authenticate=false",
                                "-Dcom.sun.management.jmxremote.ssl=false"));
                Watcher byProcess = (Watcher) Watchers.parse("jvm:" + service.pid());
                Watcher byPort = (Watcher) Watchers.parse("jvm:127.0.0.1:" + port)) {
            byProcess.begin();
            byPort.begin();
            long startAt = System.nanoTime();
            Map<String, Span> done = new LinkedHashMap<>();
            for (String trouble : List.of("gc", "lock", "pool")) {
                long from = System.nanoTime() - startAt;
                service.tell(trouble);
                done.put(trouble, new Span(from, System.nanoTime() - startAt));
            }
            done.put("stop", stopped(service, startAt));
            long length = System.nanoTime() - startAt;
            Span collected = Objects.requireNonNull(done.get("gc"));
            Span locked = Objects.requireNonNull(done.get("lock"));
            Span pooled = Objects.requireNonNull(done.get("pool"));
            WatchResult ofProcess = byProcess.end(startAt, length);
            for (WatchResult seen : List.of(ofProcess, byPort.end(startAt, length))) {
                assertThat(seen.notes()).as(seen.source()).isEmpty();
                assertThat(seen.uncertaintyNanos()).isBetween(1L, WatchResult.MOST_UNCERTAINTY_NANOS);
                assertThat(of(seen, EventKind.FULL_COLLECTION))
                        .as(seen.toString())
                        .anyMatch(collected::touches);
                assertThat(of(seen, EventKind.LOCK_WAIT))
                        .as(seen.toString())
                        .anyMatch(
                                event -> locked.touches(event) && event.detail().contains("TroubledService.lock"));
                assertThat(of(seen, EventKind.PARKED))
                        .as(seen.toString())
                        .anyMatch(
                                event -> pooled.touches(event) && event.detail().startsWith("Semaphore$NonfairSync"));
                assertThat(seen.toNanos()).isEqualTo(length);
            }
            assertThat(of(ofProcess, EventKind.PROCESS_STOPPED)).anyMatch(done.get("stop")::touches);
        }
    }

    @Test
    void events_are_kept_if_the_service_ends_before_the_run() throws Exception {
        try (Forked service = new Forked(Forked.ownJava(), List.of());
                Watcher watcher = (Watcher) Watchers.parse("jvm:" + service.pid())) {
            watcher.begin();
            long startAt = System.nanoTime();
            service.tell("gc");
            service.finish();
            WatchResult seen = watcher.end(startAt, System.nanoTime() - startAt);
            assertThat(seen.notes())
                    .contains("it ended or stopped responding")
                    .hasSizeLessThanOrEqualTo(2); // what the process says of its end is the other
            assertThat(of(seen, EventKind.FULL_COLLECTION)).isNotEmpty();
        }
    }

    @Test
    void nothing_is_left_in_the_service() throws Exception {
        int port = freePort();
        Registry registry = LocateRegistry.createRegistry(port);
        JMXConnectorServer service = JMXConnectorServerFactory.newJMXConnectorServer(
                new JMXServiceURL("service:jmx:rmi:///jndi/rmi://127.0.0.1:" + port + "/jmxrmi"),
                Map.of(),
                ManagementFactory.getPlatformMBeanServer());
        service.start();
        try {
            try (Watcher watcher = (Watcher) Watchers.parse("jvm:127.0.0.1:" + port)) {
                watcher.begin();
                long startAt = System.nanoTime();
                assertThat(service.getConnectionIds()).hasSize(1);
                assertThat(watcher.end(startAt, System.nanoTime() - startAt).notes())
                        .isEmpty();
            }
            assertThat(service.getConnectionIds()).isEmpty();
            assertThat(FlightRecorder.getFlightRecorder().getRecordings()).isEmpty();
        } finally {
            service.stop();
            UnicastRemoteObject.unexportObject(registry, true);
        }
    }

    @Test
    void a_recording_that_cannot_be_set_up_is_not_left_behind() {
        try (JvmWatcher watcher = new JvmWatcher(
                "own", new JvmAddress.Own(), Collections.singletonMap("jdk.GarbageCollection#enabled", null))) {
            watcher.begin();
            assertThat(watcher.end(0, 1).notes()).hasSize(1);
        }
        assertThat(FlightRecorder.getFlightRecorder().getRecordings()).isEmpty();
    }

    /** The service answers only after it was given up. */
    @Test
    void a_beginning_that_comes_too_late_leaves_nothing() throws Exception {
        CountDownLatch isSetUp = new CountDownLatch(1);
        CountDownLatch isClosed = new CountDownLatch(1);
        Map<String, String> late = new AbstractMap<>() {
            @Override
            public Set<Entry<String, String>> entrySet() {
                isSetUp.countDown();
                while (isClosed.getCount() > 0) {
                    LockSupport.parkNanos(1_000_000); // as deaf to an interruption as a socket
                }
                return Set.of();
            }
        };
        try (JvmWatcher watcher = new JvmWatcher("own", new JvmAddress.Own(), late)) {
            Thread beginning = new Thread(watcher::begin);
            beginning.start();
            isSetUp.await();
            beginning.interrupt(); // instead of its time limit
            beginning.join();
        }
        assertThat(FlightRecorder.getFlightRecorder().getRecordings()).isEmpty();
        isClosed.countDown();
    }

    private static Span stopped(Forked service, long startAt) throws Exception {
        long from = System.nanoTime() - startAt;
        service.signal("STOP");
        Thread.sleep(STOP_MILLIS); // a real freeze takes its time
        service.signal("CONT");
        return new Span(from, System.nanoTime() - startAt);
    }

    private static List<Event> of(WatchResult seen, EventKind kind) {
        List<Event> of = new ArrayList<>();
        seen.events().stream().filter(event -> event.kind() == kind).forEach(of::add);
        return of;
    }

    private static int freePort() throws Exception {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }
}
