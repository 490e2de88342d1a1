package dev.downbeat.bench.client;

import dev.downbeat.jmh.IntendedStart;
import dev.downbeat.loopback.LoopbackProcess;
import java.io.IOException;
import java.net.URI;
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
 * The same GET by different client libraries, at a rate that all of them keep, against a server in a process of its own. Compares
 * the time that a library adds, and its processor time.
 *
 * <pre>
 * java -jar jmh-benchmarks/target/benchmarks.jar ClientLibraries -prof dev.downbeat.jmh.DownbeatProfiler -prof dev.downbeat.bench.ProcessorTimeProfiler -p rate=500
 * </pre>
 *
 * <p>The figures are {@code service.p50}, {@code response.p99} and, by {@code ProcessorTimeProfiler}, the processor time per
 * operation. Subtract the pacing from the latter: it spins for up to 100 us before each operation, the same for all libraries. If
 * {@code lateness.p99} is as large as the differences, the machine is too small for this comparison. All clients are called as
 * blocking ones, which costs the asynchronous ones two hand-overs between threads.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.SampleTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 5, time = 2)
@Fork(1)
@SuppressWarnings("NullAway.Init") // JMH sets the parameter and calls open() before it measures
public class ClientLibrariesBenchmark {
    /** The client library. */
    @Param
    public HttpCaller.Library library;

    private LoopbackProcess server;
    private HttpCaller caller;

    /** Starts the server and opens the client. */
    @Setup
    public void open() throws Exception {
        server = LoopbackProcess.start();
        caller = library.open(URI.create(server.uri()));
        get();
    }

    /** One request. */
    @Benchmark
    public int request(IntendedStart beat) throws Exception {
        return get();
    }

    private int get() throws Exception {
        int status = caller.get();
        if (status != 200) {
            throw new IOException("status must be 200, but was " + status);
        }
        return status;
    }

    /** Closes both. */
    @TearDown
    public void close() {
        caller.close();
        server.close();
    }
}
