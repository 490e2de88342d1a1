package dev.downbeat.bench.connection;

import dev.downbeat.bench.client.HttpCaller;
import dev.downbeat.loopback.LoopbackProcess;
import dev.downbeat.loopback.options.LoopbackOptions;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.URI;
import java.util.Arrays;
import java.util.Locale;

/**
 * What a connection costs the clients that JVM teams have, with their defaults: one case of one client in one process,
 * one request after the other, against a server in a process of its own. All of them, in turns, as a table and a picture:
 * {@code jmh-benchmarks/scripts/client-connections.py}.
 *
 * <pre>
 * java -cp jmh-benchmarks/target/benchmarks.jar dev.downbeat.bench.connection.ClientConnections OKHTTP NEW
 * </pre>
 *
 * @param requests how many were sent
 * @param failed how many of them had no answer of status 200
 * @param connections how many the server accepted for them
 * @param micros response times of the answered, in ascending order
 * @param processorMicros processor time of this process for each request
 */
public record ClientConnections(int requests, int failed, long connections, double[] micros, double processorMicros) {
    /** What happens between two requests. */
    public enum Case {
        /** The first of a process, with all the classes that it loads. */
        FIRST(0, 1, "127.0.0.1", 0, 0),
        /** A connection is kept. */
        KEPT(3000, 3000, "127.0.0.1", 0, 0),
        /** Each has a connection of its own; the server announces that it closes. */
        NEW(1500, 1500, "127.0.0.1", 1, 0),
        /** The same by a name; say {@code -Dsun.net.inetaddr.ttl=0}, for the JDK not to know it. */
        LOOKUP(1500, 1500, "localhost", 1, 0),
        /** A kept connection after a second without a request. */
        IDLE_1S(1500, 5, "127.0.0.1", 0, 1000),
        /** A kept connection after three seconds: some look first whether it is still there. */
        IDLE_3S(1500, 4, "127.0.0.1", 0, 3000),
        /** The server has closed the connection while it was idle. */
        STALE(50, 50, "127.0.0.1", 1, 20),
        /** The server closes the connection in the moment in which the next request is sent. */
        RACE(300, 500, "127.0.0.1", 1, 0),
        /** The same with requests that must not be sent twice. */
        RACE_POST(300, 500, "127.0.0.1", 1, 0);

        private final int before;
        private final int measured;
        private final String host;
        private final int closeAfter;
        private final int pauseMillis;

        Case(int before, int measured, String host, int closeAfter, int pauseMillis) {
            this.before = before;
            this.measured = measured;
            this.host = host;
            this.closeAfter = closeAfter;
            this.pauseMillis = pauseMillis;
        }

        private boolean isAnnounced() {
            return this == NEW || this == LOOKUP;
        }
    }

    /** Prints what was measured as a line of JSON. */
    public static void main(String[] args) throws Exception {
        HttpCaller.Library library = HttpCaller.Library.valueOf(args[0]);
        Case asked = Case.valueOf(args[1]);
        System.out.println(run(library, asked, 1).json(library, asked));
        System.exit(0); // some clients leave threads behind
    }

    /** The server of a case. */
    static final class Server {
        public static void main(String[] args) throws Exception {
            Case asked = Case.valueOf(args[0]);
            LoopbackProcess.serve(LoopbackOptions.of(draft -> {
                if (asked.closeAfter > 0) {
                    draft.closeAfter = asked.closeAfter;
                    draft.closeNotice = asked.isAnnounced();
                }
            }));
        }
    }

    /**
     * Measures one.
     *
     * @param part divides the numbers of requests
     */
    static ClientConnections run(HttpCaller.Library library, Case asked, int part) throws Exception {
        try (LoopbackProcess server = LoopbackProcess.start(Server.class, asked.name())) {
            URI uri = URI.create(server.uri().replace("127.0.0.1", asked.host));
            long begun = System.nanoTime();
            long begunProcessor = processorNanos();
            try (HttpCaller caller = library.open(uri)) {
                for (int i = 0; i < asked.before / part; i++) {
                    micros(caller, asked, System.nanoTime());
                }
                return measured(
                        caller, asked, part, server, begun, asked == Case.FIRST ? begunProcessor : processorNanos());
            }
        }
    }

    private static ClientConnections measured(
            HttpCaller caller, Case asked, int part, LoopbackProcess server, long begun, long processor)
            throws IOException, InterruptedException {
        long connections = server.stats().connectionsAccepted();
        int requests = Math.max(1, asked.measured / part);
        double[] all = new double[requests];
        for (int i = 0; i < requests; i++) {
            if (asked.pauseMillis > 0) {
                Thread.sleep(Math.max(1, asked.pauseMillis / part));
            }
            all[i] = micros(caller, asked, asked == Case.FIRST ? begun : System.nanoTime());
        }
        double each = (processorNanos() - processor) / 1e3 / requests;
        double[] answered = Arrays.stream(all).filter(one -> one >= 0).sorted().toArray();
        return new ClientConnections(
                requests,
                requests - answered.length,
                server.stats().connectionsAccepted() - connections,
                answered,
                each);
    }

    /** How long a request took, or -1 if it failed. */
    private static double micros(HttpCaller caller, Case asked, long from) throws InterruptedException {
        try {
            int status = asked == Case.RACE_POST ? caller.post() : caller.get();
            return status == 200 ? (System.nanoTime() - from) / 1e3 : -1;
        } catch (InterruptedException | UnsupportedOperationException unmeasured) { // a client that cannot post
            throw unmeasured;
        } catch (Exception failed) {
            return -1;
        }
    }

    private static long processorNanos() {
        return ((com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean())
                .getProcessCpuTime();
    }

    private double percentile(int percent) {
        return micros.length == 0 ? Double.NaN : micros[Math.min(micros.length - 1, micros.length * percent / 100)];
    }

    private String json(HttpCaller.Library library, Case asked) {
        String p50 = micros.length == 0 ? "null" : String.format(Locale.ROOT, "%.1f", percentile(50));
        String p99 = micros.length == 0 ? "null" : String.format(Locale.ROOT, "%.1f", percentile(99));
        return String.format(
                Locale.ROOT,
                "{\"client\": \"%s\", \"case\": \"%s\", \"requests\": %d, \"failed\": %d, \"connections\": %d,"
                        + " \"p50_us\": %s, \"p99_us\": %s, \"processor_us\": %.1f}",
                library,
                asked,
                requests,
                failed,
                connections,
                p50,
                p99,
                processorMicros);
    }
}
