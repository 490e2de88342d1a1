package dev.downbeat.gatling.settings;

import java.net.URI;
import java.time.Duration;
import java.util.Optional;

/**
 * Settings of Downbeat's own requests, which are those to queues.
 *
 * @param connections maximum number of connections
 * @param connectTimeout timeout of a connect and of a TLS handshake
 * @param requestTimeout request timeout, from when a user issues it
 * @param verify whether certificates are verified
 * @param region region of the queues; empty for the SDK's default chain
 * @param endpoint endpoint of the queues; empty for the region's
 * @param transport the SDK's HTTP client, as on the command line
 * @param retries number of retries of the SDK
 * @param queueIsMine whether messages of others may be received
 * @param topic SNS topic that delivers the messages
 */
public record SqsSettings(
        int connections,
        Duration connectTimeout,
        Duration requestTimeout,
        boolean verify,
        Optional<String> region,
        Optional<URI> endpoint,
        String transport,
        int retries,
        boolean queueIsMine,
        Optional<String> topic) {
    private static final int MOST_CONNECTIONS = 65_535;
    private static final int MOST_RETRIES = 99;

    public SqsSettings {
        if (connections < 1 || connections > MOST_CONNECTIONS) {
            throw new IllegalArgumentException(
                    "connections must be from 1 to " + MOST_CONNECTIONS + ", but was " + connections);
        }
        if (retries < 0 || retries > MOST_RETRIES) {
            throw new IllegalArgumentException("retries must be from 0 to " + MOST_RETRIES + ", but was " + retries);
        }
        positive("connectTimeout", connectTimeout);
        positive("requestTimeout", requestTimeout);
    }

    private static void positive(String what, Duration time) {
        if (time.isNegative() || time.isZero()) {
            throw new IllegalArgumentException(what + " must be above zero, but was " + time);
        }
    }
}
