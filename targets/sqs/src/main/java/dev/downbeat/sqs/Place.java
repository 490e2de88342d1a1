package dev.downbeat.sqs;

import java.net.URI;
import java.util.Optional;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;

/**
 * Where the service is, and how to talk to it.
 *
 * @param options what the user said
 * @param region what the user said, or the queue's URL; else the SDK finds it
 * @param endpoint what the user said, or the queue's URL; else the SDK makes it from the region
 * @param credentials what the user said; else the SDK finds them
 * @param checked whether the SDK compares the checksums of messages, as it does by default
 */
record Place(
        SqsOptions options,
        Optional<String> region,
        Optional<URI> endpoint,
        Optional<AwsCredentialsProvider> credentials,
        boolean checked) {
    static Place of(QueueName queue, SqsOptions options) {
        return new Place(
                options,
                options.region().or(queue::region),
                options.endpoint().or(queue::endpoint),
                options.credentials(),
                true);
    }

    /** A client of its own. */
    Connections open(int connections, ConnectionLog log) {
        return options.transport().open(this, connections, log);
    }
}
