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
 * One TLS handshake, client's and server's engine in memory and on one thread, driven by Netty's handler: no network and no
 * waiting. Before JMH's own warm-up each process shakes hands until that takes no less time any more: {@code warmUpSeconds}
 * says for how long, and an engine is not compared with one that is warmer.
 *
 * <pre>
 * java -jar jmh-benchmarks/target/benchmarks.jar TlsHandshake -prof dev.downbeat.bench.ProcessorTimeProfiler
 * java -jar jmh-benchmarks/target/benchmarks.jar TlsHandshake -p engine=JDK -p version=TLSv1.3 -p session=FULL
 * </pre>
 *
 * <p>Look at the score, both sides together, and at {@code clientMicros} and {@code serverMicros}, whose ratio says how
 * much of it is the client's: with RSA the server signs, which is dear, and the client verifies, which is cheap; with ECDSA
 * both cost about the same. On a network add a round trip for the connect and one (1.3) or two (1.2 full) for the handshake.
 * Whether a session is resumed is checked by what the server sends: a full handshake has its certificate in it.
 *
 * <p>The BoringSSL engine is Netty's netty-tcnative, as the AWS SDK uses it if it finds it.
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

    /** More than sessions are kept for, so that none is found when a port comes round again. */
    private static final int MOST_PORTS = 60_000;

    /** Who does the work. */
    @Param
    public Engine engine;

    /** As TLS calls itself. */
    @Param({"TLSv1.2", "TLSv1.3"})
    public String version;

    /** Whether sessions are continued. */
    @Param
    public Session session;

    /** Kind of the server's key. */
    @Param
    public CertificateKey key;

    /** Seconds after which it is warm in any case. */
    @Param("40")
    public int warmUpMost;

    private SslContext client;
    private SslContext server;
    private int port = FIRST_PORT;
    private double warmUpSeconds;

    /** Implementations of TLS. */
    public enum Engine {
        /** The JDK's own. */
        JDK(SslProvider.JDK),
        /** BoringSSL in native code. */
        BORINGSSL(SslProvider.OPENSSL_REFCNT);

        private final SslProvider provider;

        Engine(SslProvider provider) {
            this.provider = provider;
        }
    }

    /** What a handshake begins with. */
    public enum Session {
        /** Nothing. */
        FULL,
        /** The session before. */
        RESUMED
    }

    /** Which side took how long, over all handshakes of an iteration. */
    @State(Scope.Thread)
    @AuxCounters(AuxCounters.Type.EVENTS)
    public static class Sides {
        /** The client's part. */
        public double clientMicros;

        /** The server's part. */
        public double serverMicros;

        /** What it took until handshakes took no less time any more. */
        public double warmUpSeconds;
    }

    /** Makes both sides, and sees that sessions are resumed if and only if they are to be. */
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
            throw new IllegalStateException(session + " was asked for, but the server sent " + bytes + " bytes after "
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
