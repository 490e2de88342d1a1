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
 * Requests over TLS connections that last for 1, 10, 80 or 1,000 requests: how many amortise a handshake? With Downbeat's engine
 * and the JDK's TLS on both sides, over TCP on loopback.
 *
 * <pre>
 * java -jar jmh-benchmarks/target/benchmarks.jar TlsAmortised -prof dev.downbeat.jmh.DownbeatProfiler
 * </pre>
 *
 * <p>Each invocation is a run of a few thousand requests, one after another; JMH's own score is its length. {@code service.mean}
 * includes the cost of new connections, {@code service.p50} is a request alone; see also {@code handshake.p50}. {@code
 * handshakesBefore=1} is a young process. Round trips on loopback are negligible; on a network each new connection takes two
 * (1.3) or three (1.2 full) more.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Warmup(iterations = 2)
@Measurement(iterations = 5)
@Fork(1)
@SuppressWarnings("NullAway.Init") // JMH sets the parameters and calls start() before it measures
public class TlsAmortisedBenchmark {
    /** Requests after which the client closes its connection. */
    @Param({"1", "10", "80", "1000"})
    public int requestsPerConnection;

    /** The protocol version. */
    @Param({"TLSv1.2", "TLSv1.3"})
    public String version;

    /** Whether sessions are resumed. */
    @Param
    public TlsHandshakeBenchmark.Session session;

    /** The type of the server's key. */
    @Param({"RSA"})
    public CertificateKey key;

    /** Requests per run. */
    @Param("2000")
    public long requests;

    /**
     * Connections before the measurement. A process with few requests per connection makes so many handshakes that the JVM
     * compiles them, one with many does not. Without these connections their warm-up would be compared.
     */
    @Param("500")
    public long handshakesBefore;

    private LoopbackServer server;
    private HttpOptions options;

    /** Starts the server and makes the connections before the measurement. */
    @Setup
    public void start() throws IOException {
        server = LoopbackServer.start(LoopbackOptions.of(draft -> {
            draft.tls = true;
            draft.certificateKey = key;
        }));
        LoopbackRuns.unpublished(server.uri(), connections(1), handshakesBefore);
        options = connections(requestsPerConnection);
    }

    private HttpOptions connections(int maxRequests) {
        return HttpOptions.of(draft -> {
            draft.connections = 1;
            draft.maxRequests = maxRequests;
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
