package dev.downbeat.bench.connection;

import dev.downbeat.bench.LoopbackRuns;
import dev.downbeat.http.options.HttpOptions;
import dev.downbeat.http.wait.Pacing;
import dev.downbeat.loopback.LoopbackServer;
import dev.downbeat.loopback.options.LoopbackOptions;
import dev.downbeat.run.RunResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
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
 * A kept connection compared with one per request, over TCP and over a Unix socket, on loopback with Downbeat's engine.
 *
 * <pre>
 * java -jar jmh-benchmarks/target/benchmarks.jar ReuseBenchmark -prof dev.downbeat.jmh.DownbeatProfiler -prof dev.downbeat.bench.ProcessorTimeProfiler
 * </pre>
 *
 * <p>Each invocation is a run of a few thousand requests, one after another; JMH's own score is its length. The figures are
 * {@code service.p50} and {@code connect.p50}, which a kept connection saves. On loopback a connect has no round trip; on a
 * network the round trip dominates. The same as alternating runs of the command line: {@code
 * jmh-benchmarks/scripts/keepalive-vs-close.sh} and {@code tcp-vs-unix.sh}.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Warmup(iterations = 2)
@Measurement(iterations = 5)
@Fork(1)
@SuppressWarnings("NullAway.Init") // JMH sets the parameters and calls start() before it measures
public class ReuseBenchmark {
    /** The kind of socket. */
    @Param
    public Socket socket;

    /** Whether connections are kept. */
    @Param({"true", "false"})
    public boolean keepAlive;

    /** Requests per run. */
    @Param("3000")
    public long requests;

    private Path directory;
    private LoopbackServer server;
    private HttpOptions options;

    /** Kinds of sockets. */
    public enum Socket {
        /** TCP on 127.0.0.1. */
        TCP,
        /** A Unix socket. */
        UNIX
    }

    /** Starts the server. */
    @Setup
    public void start() throws IOException {
        directory = Files.createTempDirectory("downbeat-reuse");
        server = LoopbackServer.start(LoopbackOptions.of(draft -> {
            if (socket == Socket.UNIX) {
                draft.unixSocket = Optional.of(directory.resolve("s"));
            }
        }));
        options = HttpOptions.of(draft -> {
            draft.connections = 1;
            draft.keepAlive = keepAlive;
            draft.pacing = Pacing.BLOCK;
        });
    }

    /** A run. */
    @Benchmark
    public RunResult run() throws IOException {
        return LoopbackRuns.closed(server.uri(), options, requests);
    }

    /** Stops the server. */
    @TearDown
    public void stop() throws IOException {
        server.close();
        Files.deleteIfExists(directory);
    }
}
