package dev.downbeat.sqs.options;

import java.net.URI;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;

/**
 * Builder of client and endpoint options. Not thread-safe.
 *
 * @param <B> the builder that includes this
 */
abstract class ClientSetup<B extends ClientSetup<B>> {
    private static final int MOST_CALLS = 65_535;

    private SqsTransport transport = SqsTransport.DOWNBEAT;
    private int maxConnections = 50;
    private int maxInFlight = 256;
    private Duration acquireTimeout = Duration.ofSeconds(10);
    private Duration connectTimeout = Duration.ofSeconds(2);
    private Duration maxIdle = Duration.ofSeconds(60);
    private int maxRequests = Integer.MAX_VALUE;
    private int replaceAfter = Integer.MAX_VALUE;
    private boolean tcpKeepAlive;
    private int maxAttempts = 1;
    private Optional<String> region = Optional.empty();
    private Optional<URI> endpoint = Optional.empty();
    private Optional<URI> topicEndpoint = Optional.empty();
    private Optional<AwsCredentialsProvider> credentials = Optional.empty();
    private boolean verifyServer = true;
    private Optional<X509Certificate> trusted = Optional.empty();
    private SqsProxy proxy = SqsProxy.configured();

    abstract B self();

    /** Builds the options; rejects those that the transport does not support. */
    ClientOptions client() {
        return new ClientOptions(
                transport,
                maxConnections,
                maxInFlight,
                acquireTimeout,
                connectTimeout,
                maxIdle,
                maxRequests,
                replaceAfter,
                tcpKeepAlive,
                maxAttempts,
                region,
                endpoint,
                topicEndpoint,
                credentials,
                verifyServer,
                trusted,
                proxy);
    }

    /** The HTTP client; the default is {@link SqsTransport#DOWNBEAT}. */
    public B transport(SqsTransport client) {
        transport = Objects.requireNonNull(client, "client");
        return self();
    }

    /** The size of the connection pool over all generators, at least 1; the default is 50, the SDK's. */
    public B maxConnections(int count) {
        maxConnections = within("maxConnections", count, 1, MOST_CALLS);
        return self();
    }

    /**
     * The maximum number of calls in the client over all generators, at least 1; the default is 256. Calls without a
     * connection wait in the client's pool, like the threads of a service, and that wait is reported separately.
     * Requests beyond the limit wait here.
     */
    public B maxInFlight(int count) {
        maxInFlight = within("maxInFlight", count, 1, MOST_CALLS);
        return self();
    }

    /** The maximum wait for a connection of the pool; above zero, the default is 10 s. */
    public B acquireTimeout(Duration timeout) {
        acquireTimeout = aboveZero("acquireTimeout", timeout);
        return self();
    }

    /** The connect timeout; above zero, the default is 2 s, the SDK's. */
    public B connectTimeout(Duration timeout) {
        connectTimeout = aboveZero("connectTimeout", timeout);
        return self();
    }

    /** The maximum idle time of a connection; above zero, the default is 60 s, the SDK's. */
    public B maxIdle(Duration time) {
        maxIdle = aboveZero("maxIdle", time);
        return self();
    }

    /**
     * The maximum number of requests per connection, at least 1; no limit by default. {@link SqsTransport#DOWNBEAT}
     * only: the SDK's clients have no such limit.
     */
    public B maxRequests(int perConnection) {
        maxRequests = within("maxRequests", perConnection, 1, Integer.MAX_VALUE);
        return self();
    }

    /**
     * After how many requests the replacement of a connection is opened, ahead of its end, from 1; never, unless said. {@link
     * SqsTransport#DOWNBEAT} only.
     */
    public B replaceAfter(int requests) {
        replaceAfter = within("replaceAfter", requests, 1, Integer.MAX_VALUE);
        return self();
    }

    /** Whether the kernel probes idle connections; the default is false. */
    public B tcpKeepAlive(boolean on) {
        tcpKeepAlive = on;
        return self();
    }

    /**
     * The maximum number of attempts per operation, at least 1. The default is 1: no retries, so that every failure and
     * slow response is visible. With more, the SDK's standard retry mode applies. Response times are then those of
     * operations, and attempts and operations are counted separately.
     */
    public B maxAttempts(int count) {
        maxAttempts = within("maxAttempts", count, 1, 100);
        return self();
    }

    /**
     * The region; the default is that of the queue's URL, the environment or the AWS profile, without network access.
     */
    public B region(String name) {
        region = Optional.of(name);
        return self();
    }

    /** The endpoint; the default is that of the queue's URL or of the region. */
    public B endpoint(URI where) {
        endpoint = Optional.of(checked(where));
        return self();
    }

    /** The endpoint of the topic; the default is the SDK's, or the queue's endpoint if that is not Amazon's. */
    public B topicEndpoint(URI where) {
        topicEndpoint = Optional.of(checked(where));
        return self();
    }

    /** The credentials; the default is the SDK's default chain, or dummies for a server on this machine. */
    public B credentials(AwsCredentialsProvider provider) {
        credentials = Optional.of(provider);
        return self();
    }

    /** Whether to verify the server's certificate; the default is true. */
    public B verifyServer(boolean on) {
        verifyServer = on;
        return self();
    }

    /** The only certificate to trust, instead of the JDK's. */
    public B trust(X509Certificate certificate) {
        trusted = Optional.of(certificate);
        return self();
    }

    /** The proxy; the default is that of the environment and system properties. */
    public B proxy(SqsProxy way) {
        proxy = Objects.requireNonNull(way, "way");
        return self();
    }

    private static URI checked(URI where) {
        if (where.getHost() == null || !("http".equals(where.getScheme()) || "https".equals(where.getScheme()))) {
            throw new IllegalArgumentException("endpoint must be http://HOST or https://HOST, with a port if need be");
        }
        if (where.getRawUserInfo() != null) {
            throw new IllegalArgumentException("endpoint must have no user and no password");
        }
        return where;
    }

    static int within(String what, int count, int least, int most) {
        if (count < least || count > most) {
            throw new IllegalArgumentException(what + " must be from " + least + " to " + most + ", but was " + count);
        }
        return count;
    }

    static Duration aboveZero(String what, Duration time) {
        if (time.isNegative() || time.isZero()) {
            throw new IllegalArgumentException(what + " must be above zero, but was " + time);
        }
        return time;
    }
}
