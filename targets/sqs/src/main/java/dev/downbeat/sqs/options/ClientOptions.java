package dev.downbeat.sqs.options;

import java.net.URI;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.Optional;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;

/** Client and endpoint options; documented at the setters in {@link SqsOptions.Builder}. */
public record ClientOptions(
        SqsTransport transport,
        int maxConnections,
        int maxInFlight,
        Duration acquireTimeout,
        Duration connectTimeout,
        Duration maxIdle,
        int maxRequests,
        int replaceAfter,
        boolean tcpKeepAlive,
        int maxAttempts,
        Optional<String> region,
        Optional<URI> endpoint,
        Optional<URI> topicEndpoint,
        Optional<AwsCredentialsProvider> credentials,
        boolean verifyServer,
        Optional<X509Certificate> trusted,
        SqsProxy proxy) {
    public ClientOptions {
        if (transport == SqsTransport.CRT && trusted.isPresent()) {
            throw new IllegalArgumentException("the CRT client trusts the system's certificates only");
        }
        boolean counts = maxRequests < Integer.MAX_VALUE || replaceAfter < Integer.MAX_VALUE;
        if (counts && transport != SqsTransport.DOWNBEAT) {
            throw new IllegalArgumentException("the " + transport.title()
                    + " client closes no connection after a number of requests: give --transport downbeat, or no "
                    + (maxRequests < Integer.MAX_VALUE ? "--max-requests" : "--replace-after"));
        }
    }
}
