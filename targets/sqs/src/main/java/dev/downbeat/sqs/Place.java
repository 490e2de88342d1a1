package dev.downbeat.sqs;

import java.net.URI;
import java.util.Optional;

/**
 * Where the service is, and how to talk to it.
 *
 * @param options what the user said
 * @param region what the user said, or the queue's URL; else the SDK finds it
 * @param endpoint what the user said, or the queue's URL; else the SDK makes it from the region
 */
record Place(SqsOptions options, Optional<String> region, Optional<URI> endpoint) {
    static Place of(QueueName queue, SqsOptions options) {
        return new Place(
                options, options.region().or(queue::region), options.endpoint().or(queue::endpoint));
    }

    /** A client of its own. */
    Connections open(int connections, ConnectionLog log) {
        return options.transport().open(this, connections, log);
    }
}
