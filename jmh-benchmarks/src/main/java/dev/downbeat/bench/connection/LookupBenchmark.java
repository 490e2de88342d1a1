package dev.downbeat.bench.connection;

import dev.downbeat.bench.LoopbackRuns;
import dev.downbeat.http.options.AddressOptions;
import dev.downbeat.http.options.HttpOptions;
import dev.downbeat.http.wait.Pacing;
import dev.downbeat.loopback.LoopbackServer;
import dev.downbeat.loopback.options.LoopbackOptions;
import dev.downbeat.run.RunResult;
import java.io.IOException;
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
 * A name lookup per connection: none, from the JDK's cache, and without the cache.
 *
 * <pre>
 * java -jar jmh-benchmarks/target/benchmarks.jar LookupBenchmark -prof dev.downbeat.jmh.DownbeatProfiler
 * </pre>
 *
 * <p>The figures are {@code lookup.p50} and {@code service.p50}. The name is {@code localhost}, which is in the hosts file:
 * without the cache this is the cost of the system's resolver without a name server, and so the least that a lookup can cost. A
 * name server adds a round trip and, now and then, its timeout of seconds.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Warmup(iterations = 2)
@Measurement(iterations = 5)
@SuppressWarnings("NullAway.Init") // JMH sets the parameters and calls start() before it measures
public class LookupBenchmark {
    /** Connections per run, each for one request. */
    @Param("2000")
    public long requests;

    private LoopbackServer server;
    private String url;

    /** Starts the server. */
    @Setup
    public void start() throws IOException {
        server = LoopbackServer.start(LoopbackOptions.defaults());
        url = "http://localhost:" + server.port() + "/";
    }

    private RunResult run(AddressOptions.Lookup lookup) throws IOException {
        HttpOptions options = HttpOptions.of(draft -> {
            draft.connections = 1;
            draft.keepAlive = false;
            draft.pacing = Pacing.BLOCK;
            draft.addresses.lookup = lookup;
        });
        return LoopbackRuns.closed(url, options, requests);
    }

    /** Looked up once, before the first connection. */
    @Benchmark
    @Fork(1)
    public RunResult once() throws IOException {
        return run(AddressOptions.Lookup.ONCE);
    }

    /** Per connection, from the JDK's cache. */
    @Benchmark
    @Fork(1)
    public RunResult cached() throws IOException {
        return run(AddressOptions.Lookup.PER_CONNECTION);
    }

    /** Per connection, by the system's resolver, with the JDK's cache off. */
    @Benchmark
    @Fork(value = 1, jvmArgsAppend = "-Dsun.net.inetaddr.ttl=0")
    public RunResult uncached() throws IOException {
        return run(AddressOptions.Lookup.PER_CONNECTION);
    }

    /** Stops the server. */
    @TearDown
    public void stop() {
        server.close();
    }
}
