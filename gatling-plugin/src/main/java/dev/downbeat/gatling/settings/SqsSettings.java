package dev.downbeat.gatling.settings;

import java.net.URI;
import java.time.Duration;
import java.util.Optional;

/**
 * Settings of Downbeat's own requests.
 *
 * @param connections maximum number of connections to the queues
 * @param connectTimeout timeout of a connect and of a TLS handshake
 * @param requestTimeout request timeout, from when a user issues it
 * @param verify whether certificates are verified
 * @param region region of the queues; empty for the SDK's default chain
 * @param endpoint endpoint of the queues; empty for the region's
 * @param queues settings for queues
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
    private static final int MOST_RETRIES = 99;

    /**
     * Settings for queues.
     *
     * @param transport the SDK's HTTP client, as on the command line
     * @param retries number of retries of the SDK
     * @param areMine whether messages of others may be received
     * @param topic SNS topic that delivers the messages
     */
    public record Queues(String transport, int retries, boolean areMine, Optional<String> topic) {
        /** The defaults, as on the command line. */
        static final Queues USUAL = new Queues("downbeat", 0, false, Optional.empty());

        public Queues {
            if (retries < 0 || retries > MOST_RETRIES) {
                throw new IllegalArgumentException(
                        "retries must be from 0 to " + MOST_RETRIES + ", but was " + retries);
            }
        }

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
