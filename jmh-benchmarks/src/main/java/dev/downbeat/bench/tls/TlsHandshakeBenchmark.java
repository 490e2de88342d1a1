package dev.downbeat.bench.tls;

import dev.downbeat.loopback.options.CertificateKey;
import dev.downbeat.loopback.socket.SelfSignedCertificate;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import io.netty.util.ReferenceCountUtil;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLException;
import org.openjdk.jmh.annotations.AuxCounters;
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
 * One TLS handshake between two engines in memory and on one thread, driven by Netty's handler, without a network and without
 * waiting. Before JMH's own warm-up each process repeats the handshake until it gets no faster, for {@code warmUpSeconds}, so
 * that no engine is compared with a warmer one.
 *
 * <pre>
 * java -jar jmh-benchmarks/target/benchmarks.jar TlsHandshake -prof dev.downbeat.bench.ProcessorTimeProfiler
 * java -jar jmh-benchmarks/target/benchmarks.jar TlsHandshake -p engine=JDK -p version=TLSv1.3 -p session=FULL
 * </pre>
 *
 * <p>The score is that of both sides; {@code clientMicros} and {@code serverMicros} are their parts. With RSA the server signs,
 * which is expensive, and the client verifies, which is cheap; with ECDSA both cost about the same. On a network, add a round
 * trip for the connect and one (1.3) or two (1.2 full) for the handshake. Resumption is verified by the bytes that the server
 * sends: a full handshake includes its certificate.
 *
 * <p>The BoringSSL engine is Netty's netty-tcnative, which the AWS SDK uses if present.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(2)
@SuppressWarnings("NullAway.Init") // JMH sets the parameters and calls prepare() before it measures
public class TlsHandshakeBenchmark {
    private static final int FIRST_PORT = 443;

    /** More than the session cache holds, so that no session is left when a port is reused. */
    private static final int MOST_PORTS = 60_000;

    /** The TLS implementation. */
    @Param
    public Engine engine;

    /** The protocol version. */
    @Param({"TLSv1.2", "TLSv1.3"})
    public String version;

    /** Whether sessions are resumed. */
    @Param
    public Session session;

    /** The type of the server's key. */
    @Param
    public CertificateKey key;

    /** The longest warm-up in seconds. */
    @Param("40")
    public int warmUpMost;

    private SslContext client;
    private SslContext server;
    private int port = FIRST_PORT;
    private double warmUpSeconds;

    /** Implementations of TLS. */
    public enum Engine {
        /** The JDK's implementation. */
        JDK(SslProvider.JDK),
        /** BoringSSL in native code. */
        BORINGSSL(SslProvider.OPENSSL_REFCNT);

        private final SslProvider provider;

        Engine(SslProvider provider) {
            this.provider = provider;
        }
    }

    /** Kinds of handshakes. */
    public enum Session {
        /** Without a previous session. */
        FULL,
        /** Resumes the previous session. */
        RESUMED
    }

    /** Times of both sides, over all handshakes of an iteration. */
    @State(Scope.Thread)
    @AuxCounters(AuxCounters.Type.EVENTS)
    public static class Sides {
        /** The client's part. */
        public double clientMicros;

        /** The server's part. */
        public double serverMicros;

        /** The length of the warm-up. */
        public double warmUpSeconds;
    }

    /** Creates both sides and verifies that sessions are resumed as configured. */
    @Setup
    public void prepare() throws IOException {
        SelfSignedCertificate certificate = SelfSignedCertificate.of(key);
        client = SslContextBuilder.forClient()
                .sslProvider(engine.provider)
                .protocols(version)
                .trustManager(certificate.certificate())
                .build();
        server = SslContextBuilder.forServer(certificate.privateKey(), certificate.certificate())
                .sslProvider(engine.provider)
                .protocols(version)
                .build();
        long full = shakeHands(new Sides());
        shakeHands(new Sides());
        long bytes = shakeHands(new Sides());
        int certificateBytes = encoded(certificate).length;
        boolean resumed = bytes < full - certificateBytes / 2;
        if (resumed != (session == Session.RESUMED)) {
            throw new IllegalStateException(session + " was requested, but the server sent " + bytes + " bytes after "
                    + full + " in the first handshake");
        }
        warmUpSeconds = UntilFlat.run(() -> shakeHands(new Sides()), Duration.ofSeconds(warmUpMost)) / 1e9;
    }

    private static byte[] encoded(SelfSignedCertificate certificate) {
        try {
            return certificate.certificate().getEncoded();
        } catch (java.security.cert.CertificateEncodingException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    private long shakeHands(Sides sides) throws SSLException {
        port = session == Session.RESUMED ? FIRST_PORT : port % MOST_PORTS + 1;
        try (EnginePair pair = new EnginePair(client, server, port)) {
            long bytes = pair.handshake();
            sides.clientMicros += pair.clientNanos / 1e3;
            sides.serverMicros += pair.serverNanos / 1e3;
            return bytes;
        }
    }

    /** One handshake of both sides. */
    @Benchmark
    public long handshake(Sides sides) throws SSLException {
        sides.warmUpSeconds = warmUpSeconds;
        return shakeHands(sides);
    }

    /** Frees native memory. */
    @TearDown
    public void free() {
        ReferenceCountUtil.release(client);
        ReferenceCountUtil.release(server);
    }
}
