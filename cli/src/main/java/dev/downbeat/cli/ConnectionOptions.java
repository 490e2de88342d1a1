package dev.downbeat.cli;

import dev.downbeat.http.HttpOptions;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** How connections are made and used. */
final class ConnectionOptions {
    private static final int MOST = 65_535;
    private static final int DEFAULT = 64;

    @Option(
            names = {"-c", "--connections"},
            paramLabel = "N",
            converter = CountConverter.class,
            description = "At most so many connections, over all threads; a request that finds none free waits, and the"
                    + " wait counts. Default 64, or N of --closed.")
    @Nullable
    Long connections;

    @Option(names = "--no-keepalive", description = "Opens a connection for each request.")
    boolean noKeepalive;

    @Option(
            names = "--connect-timeout",
            paramLabel = "TIME",
            converter = DurationConverter.class,
            description = "After how long a connect or a TLS handshake has failed. Default 10s.")
    Duration connectTimeout = Duration.ofSeconds(10);

    @Option(
            names = {"-k", "--insecure"},
            description = "Does not check the server's certificate.")
    boolean insecure;

    @Option(names = "--cacert", paramLabel = "FILE", description = "A certificate (PEM) to trust.")
    @Nullable
    Path cacert;

    /** How many connections a load with so many closed clients (0: none) has. */
    int count(int closedClients) {
        if (connections == null) {
            return Math.max(DEFAULT, Math.min(MOST, closedClients));
        }
        if (connections > MOST) {
            throw new TypeConversionException("--connections must be from 1 to " + MOST + ", but was " + connections);
        }
        return connections.intValue();
    }

    HttpOptions toHttpOptions(int closedClients, int threads) throws IOException {
        int count = count(closedClients);
        if (count < threads) {
            throw new TypeConversionException(
                    "--connections must be at least --threads, " + threads + ", but was " + count);
        }
        if (insecure && cacert != null) {
            throw new TypeConversionException(
                    "--insecure and --cacert are mutually exclusive: check the certificate or do not");
        }
        if (connectTimeout.isZero()) {
            throw new TypeConversionException("--connect-timeout must be above 0");
        }
        HttpOptions.Builder options = HttpOptions.builder()
                .connections(count)
                .keepAlive(!noKeepalive)
                .verify(!insecure)
                .connectTimeout(connectTimeout);
        if (cacert != null) {
            options.trust(certificate(cacert));
        }
        return options.build();
    }

    /** What a report says about connections. */
    Map<String, Object> details(HttpOptions options, int threads) {
        Map<String, Object> details = new LinkedHashMap<>();
        details.put("connections", options.connections());
        if (threads > 1) {
            details.put("threads", threads);
        }
        if (noKeepalive) {
            details.put("keepalive", "off");
        }
        return details;
    }

    private static X509Certificate certificate(Path file) throws IOException {
        try (InputStream in = Files.newInputStream(file)) {
            return (X509Certificate) CertificateFactory.getInstance("X.509").generateCertificate(in);
        } catch (CertificateException notOne) {
            throw new TypeConversionException("--cacert " + file + " is not a certificate in PEM");
        }
    }
}
