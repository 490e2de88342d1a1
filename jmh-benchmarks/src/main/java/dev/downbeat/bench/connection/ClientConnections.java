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
 * The cost of connections in common HTTP clients of the JVM with their defaults. Runs one case of one client, one request after
 * another, against a server in a process of its own. {@code jmh-benchmarks/scripts/client-connections.py} runs all of them and
 * makes a table and a chart.
 *
 * <pre>
 * java -cp jmh-benchmarks/target/benchmarks.jar dev.downbeat.bench.connection.ClientConnections OKHTTP NEW
 * </pre>
 *
 * @param requests number of requests
 * @param failed requests without a response of status 200
 * @param connections number of connections accepted by the server
 * @param micros response times of the answered requests, ascending
 * @param processorMicros processor time of this process per request
 */
public record ClientConnections(int requests, int failed, long connections, double[] micros, double processorMicros) {
    /** What happens to connections between requests. */
    public enum Case {
        /** The first request of a process, including class loading. */
        FIRST(0, 1, "127.0.0.1", 0, 0),
        /** The connection is kept. */
        KEPT(3000, 3000, "127.0.0.1", 0, 0),
        /** A connection per request; the server announces that it closes. */
        NEW(1500, 1500, "127.0.0.1", 1, 0),
        /** Like NEW, with a name to look up; {@code -Dsun.net.inetaddr.ttl=0} turns off the JDK's cache. */
        LOOKUP(1500, 1500, "localhost", 1, 0),
        /** A kept connection after an idle second. */
        IDLE_1S(1500, 5, "127.0.0.1", 0, 1000),
        /** A kept connection after three idle seconds; some clients first check that it is open. */
        IDLE_3S(1500, 4, "127.0.0.1", 0, 3000),
        /** The server closed the connection while it was idle. */
        STALE(50, 50, "127.0.0.1", 1, 20),
        /** The server closes the connection just as the next request is sent. */
        RACE(300, 500, "127.0.0.1", 1, 0),
        /** Like RACE, with requests that must not be repeated. */
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

    /** Prints the result as a line of JSON. */
    public static void main(String[] args) throws Exception {
        HttpCaller.Library library = HttpCaller.Library.valueOf(args[0]);
        Case tested = Case.valueOf(args[1]);
        System.out.println(run(library, tested, 1).json(library, tested));
        System.exit(0); // some clients leave threads behind
    }

    /** The server of a case. */
    static final class Server {
        public static void main(String[] args) throws Exception {
            Case tested = Case.valueOf(args[0]);
            LoopbackProcess.serve(LoopbackOptions.of(draft -> {
                if (tested.closeAfter > 0) {
                    draft.closeAfter = tested.closeAfter;
                    draft.closeNotice = tested.isAnnounced();
                }
            }));
        }
    }

    /**
     * Measures one case.
     *
     * @param part divides the numbers of requests
     */
    static ClientConnections run(HttpCaller.Library library, Case tested, int part) throws Exception {
        try (LoopbackProcess server = LoopbackProcess.start(Server.class, tested.name())) {
            URI uri = URI.create(server.uri().replace("127.0.0.1", tested.host));
            long begun = System.nanoTime();
            long begunProcessor = processorNanos();
            try (HttpCaller caller = library.open(uri)) {
                for (int i = 0; i < tested.before / part; i++) {
                    micros(caller, tested, System.nanoTime());
                }
                return measured(
                        caller, tested, part, server, begun, tested == Case.FIRST ? begunProcessor : processorNanos());
            }
        }
    }

    private static ClientConnections measured(
            HttpCaller caller, Case tested, int part, LoopbackProcess server, long begun, long processor)
            throws IOException, InterruptedException {
        long connections = server.stats().connectionsAccepted();
        int requests = Math.max(1, tested.measured / part);
        double[] all = new double[requests];
        for (int i = 0; i < requests; i++) {
            if (tested.pauseMillis > 0) {
                Thread.sleep(Math.max(1, tested.pauseMillis / part));
            }
            all[i] = micros(caller, tested, tested == Case.FIRST ? begun : System.nanoTime());
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

    /** Time of a request, or -1 if it failed. */
    private static double micros(HttpCaller caller, Case tested, long from) throws InterruptedException {
        try {
            int status = tested == Case.RACE_POST ? caller.post() : caller.get();
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

    private String json(HttpCaller.Library library, Case tested) {
        String p50 = micros.length == 0 ? "null" : String.format(Locale.ROOT, "%.1f", percentile(50));
        String p99 = micros.length == 0 ? "null" : String.format(Locale.ROOT, "%.1f", percentile(99));
        return String.format(
                Locale.ROOT,
                "{\"client\": \"%s\", \"case\": \"%s\", \"requests\": %d, \"failed\": %d, \"connections\": %d,"
                        + " \"p50_us\": %s, \"p99_us\": %s, \"processor_us\": %.1f}",
                library,
                tested,
                requests,
                failed,
                connections,
                p50,
                p99,
                processorMicros);
    }
}
