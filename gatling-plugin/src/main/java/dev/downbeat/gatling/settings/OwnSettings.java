package dev.downbeat.gatling.settings;

import java.net.URI;
import java.time.Duration;
import java.util.Optional;

/**
 * How Downbeat's own requests are sent.
 *
 * @param connections to the queues, at most
 * @param connectTimeout of a connect and of a TLS handshake
 * @param requestTimeout from when a user asks
 * @param verify whether certificates are checked
 * @param region of queues; empty for the SDK's own way to find it
 * @param endpoint of queues; empty for the region's
 * @param queues how queues are used
 */
public record OwnSettings(
        int connections,
        Duration connectTimeout,
        Duration requestTimeout,
        boolean verify,
        Optional<String> region,
        Optional<URI> endpoint,
        Queues queues) {
    private static final int MOST_CONNECTIONS = 65_535;

    /**
     * How queues are used.
     *
     * @param transport whose HTTP client the SDK uses, as on the command line
     * @param retries how often the SDK tries again
     * @param areMine whether messages of others may be received
     * @param topic of SNS, by way of which messages are delivered
     */
    public record Queues(String transport, int retries, boolean areMine, Optional<String> topic) {
        /** As on the command line unless something else is said. */
        static final Queues USUAL = new Queues("downbeat", 0, false, Optional.empty());

        public Queues withTransport(String client) {
            return new Queues(client, retries, areMine, topic);
        }

        public Queues withRetries(int count) {
            return new Queues(transport, count, areMine, topic);
        }

        public Queues withMine() {
            return new Queues(transport, retries, true, topic);
        }

        public Queues withTopic(String arn) {
            return new Queues(transport, retries, areMine, Optional.of(arn));
        }
    }

    public OwnSettings {
        if (connections < 1 || connections > MOST_CONNECTIONS) {
            throw new IllegalArgumentException(
                    "connections must be from 1 to " + MOST_CONNECTIONS + ", but was " + connections);
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
