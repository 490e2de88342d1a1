package dev.downbeat.bench.tls;

import dev.downbeat.bench.LoopbackRuns;
import dev.downbeat.http.options.HttpOptions;
import dev.downbeat.http.wait.Pacing;
import dev.downbeat.loopback.LoopbackServer;
import dev.downbeat.loopback.options.CertificateKey;
import dev.downbeat.loopback.options.LoopbackOptions;
import dev.downbeat.run.RunResult;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Requests over TLS whose connections last for 1, 10, 80 or 1,000 of them: over how many requests is a handshake
 * forgotten? Our own engine and the JDK's TLS on both sides, over TCP on the loopback.
 *
 * <pre>
 * java -jar jmh-benchmarks/target/benchmarks.jar TlsAmortised -prof dev.downbeat.jmh.DownbeatProfiler
 * </pre>
 *
 * <p>Each invocation is a run of some thousand requests, one after another; JMH's own score is how long it lasted. Look at
 * {@code service.mean}, which has the cost of new connections in it, at {@code service.p50} for a request alone, and at
 * {@code handshake.p50}; {@code handshakesBefore=1} is a young process. A loopback has no round trips worth the name: on a network each new connection takes two (1.3) or
 * three (1.2 full) more.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Warmup(iterations = 2)
@Measurement(iterations = 5)
@Fork(1)
@SuppressWarnings("NullAway.Init") // JMH sets the parameters and calls start() before it measures
public class TlsAmortisedBenchmark {
    /** After how many requests the client closes its connection. */
    @Param({"1", "10", "80", "1000"})
    public int requestsPerConnection;

    /** As TLS calls itself. */
    @Param({"TLSv1.2", "TLSv1.3"})
    public String version;

    /** Whether sessions are continued. */
    @Param
    public TlsHandshakeBenchmark.Session session;

    /** Kind of the server's key. */
    @Param({"RSA"})
    public CertificateKey key;

    /** Requests of a run. */
    @Param("2000")
    public long requests;

    /**
     * Connections made before anything is measured. With few requests for each connection a process makes so many handshakes
     * that the JVM compiles them, with many it does not: without these, the two would not be compared but their warm-up.
     */
    @Param("500")
    public long handshakesBefore;

    private LoopbackServer server;
    private HttpOptions options;

    /** Starts the server, and makes the connections that are not measured. */
    @Setup
    public void start() throws IOException {
        server = LoopbackServer.start(LoopbackOptions.of(draft -> {
            draft.tls = true;
            draft.certificateKey = key;
        }));
        LoopbackRuns.unpublished(server.uri(), connections(1), handshakesBefore);
        options = connections(requestsPerConnection);
    }

    private HttpOptions connections(int requestsForEach) {
        return HttpOptions.of(draft -> {
            draft.connections = 1;
            draft.maxRequests = requestsForEach;
            draft.pacing = Pacing.BLOCK;
            draft.tls.trust(server.certificate().orElseThrow());
            draft.tls.protocols = List.of(version);
            draft.tls.resume = session == TlsHandshakeBenchmark.Session.RESUMED;
        });
    }

    /** A run. */
    @Benchmark
    public RunResult run() throws IOException {
        return LoopbackRuns.closed(server.uri(), options, requests);
    }

    /** Stops the server. */
    @TearDown
    public void stop() {
        server.close();
    }
}
