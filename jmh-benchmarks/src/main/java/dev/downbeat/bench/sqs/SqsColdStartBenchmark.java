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
 * The first message of a process to SQS, from the building of the client to the answer: what a Lambda, or the first
 * request after a deployment, pays before its own work begins.
 *
 * <pre>
 * java -jar jmh-benchmarks/target/benchmarks.jar SqsColdStart
 * </pre>
 *
 * <p>Each number is the one shot of a fork. Look at the score, in ms, of each HTTP client, and at {@code min} and {@code max}
 * in its details. The service is on the loopback and speaks no TLS: add the lookup, the round trips and a first handshake,
 * whose classes are cold as well. Region and credentials are given; looking for them costs more.
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

    /** Client, message, answer. */
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
