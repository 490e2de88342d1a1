package dev.downbeat.bench.sqs;

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
 * The first SQS message of a process, from building the client to the response: the cost that a Lambda, or the first request
 * after a deployment, pays before its own work.
 *
 * <pre>
 * java -jar jmh-benchmarks/target/benchmarks.jar SqsColdStart
 * </pre>
 *
 * <p>Each value is the single shot of a fork. The score is in ms for each HTTP client; see also {@code min} and {@code max}. The
 * service is on loopback without TLS: add the lookup, the round trips and a first handshake, whose classes are cold as well.
 * Region and credentials are given; looking them up costs more.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Warmup(iterations = 0)
@Measurement(iterations = 1)
@Fork(10)
@SuppressWarnings("NullAway.Init") // JMH sets the parameter and calls start() before it measures
public class SqsColdStartBenchmark {
    /** The HTTP client below the SDK. */
    @Param
    public Clients.Http http;

    private FakeQueue queue;

    /** Starts the service. */
    @Setup
    public void start() throws IOException {
        queue = new FakeQueue();
    }

    /** Creates the client, sends a message and receives the response. */
    @Benchmark
    public Object firstMessage() {
        return http.send(queue.uri());
    }

    /** Stops the service. */
    @TearDown
    public void stop() {
        queue.close();
    }
}
