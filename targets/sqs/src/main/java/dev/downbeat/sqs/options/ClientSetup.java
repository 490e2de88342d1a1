package dev.downbeat.sqs.options;

import java.net.URI;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;

/**
 * Collects how the client is made and where it finds the service. Not thread-safe.
 *
 * @param <B> the builder that this is part of
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

    /** The options; refuses what this transport cannot do. */
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

    /** {@link SqsTransport#DOWNBEAT} unless said otherwise. */
    public B transport(SqsTransport client) {
        transport = Objects.requireNonNull(client, "client");
        return self();
    }

    /** Size of the client's pool of connections, over all generators, from 1; 50 as the SDK's, unless said otherwise. */
    public B maxConnections(int count) {
        maxConnections = within("maxConnections", count, 1, MOST_CALLS);
        return self();
    }

    /**
     * How many calls the client is given at the same time, over all generators, from 1; 256 unless said otherwise. With
     * more calls than connections they wait in the client's pool, as the threads of a service do, and that wait is
     * told apart; a request that finds all calls out waits here.
     */
    public B maxInFlight(int count) {
        maxInFlight = within("maxInFlight", count, 1, MOST_CALLS);
        return self();
    }

    /** How long a call waits for a connection of the pool before it fails; above zero, 10 s unless said otherwise. */
    public B acquireTimeout(Duration timeout) {
        acquireTimeout = aboveZero("acquireTimeout", timeout);
        return self();
    }

    /** After how long a connect has failed; above zero, 2 s as the SDK's, unless said otherwise. */
    public B connectTimeout(Duration timeout) {
        connectTimeout = aboveZero("connectTimeout", timeout);
        return self();
    }

    /** After how long an idle connection is closed; above zero, 60 s as the SDK's, unless said otherwise. */
    public B maxIdle(Duration time) {
        maxIdle = aboveZero("maxIdle", time);
        return self();
    }

    /**
     * After how many requests a connection is closed, from 1; never, unless said. {@link SqsTransport#DOWNBEAT} only: the
     * SDK's clients know no such limit.
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

    /** Whether the kernel probes idle connections; no, unless said otherwise. */
    public B tcpKeepAlive(boolean on) {
        tcpKeepAlive = on;
        return self();
    }

    /**
     * How often the SDK tries an operation at most, from 1, which is the default: no retries, so that each failure
     * and each slow answer is seen. With more, by the SDK's standard way, a response time is that of the operation, and
     * attempts and operations are counted apart.
     */
    public B maxAttempts(int count) {
        maxAttempts = within("maxAttempts", count, 1, 100);
        return self();
    }

    /** The region; that of the queue's URL, the environment or the AWS profile unless said; nobody is asked for it. */
    public B region(String name) {
        region = Optional.of(name);
        return self();
    }

    /** Where the service is; by the region, or where the queue's URL says, unless said. */
    public B endpoint(URI where) {
        endpoint = Optional.of(checked(where));
        return self();
    }

    /** Where the topic is; as the SDK finds it unless said, and where the queue is if that is not Amazon. */
    public B topicEndpoint(URI where) {
        topicEndpoint = Optional.of(checked(where));
        return self();
    }

    /** Who we are; by the SDK's default chain unless said, and anybody to a server on this machine. */
    public B credentials(AwsCredentialsProvider provider) {
        credentials = Optional.of(provider);
        return self();
    }

    /** Whether the server's certificate is checked; yes, unless said otherwise. */
    public B verifyServer(boolean on) {
        verifyServer = on;
        return self();
    }

    /** The one certificate to trust, instead of the JDK's. */
    public B trust(X509Certificate certificate) {
        trusted = Optional.of(certificate);
        return self();
    }

    /** By which proxy; as environment and system properties say, unless said. */
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
