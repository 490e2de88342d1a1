package dev.downbeat.sqs;

import dev.downbeat.exchange.CallLane;
import dev.downbeat.exchange.Exchange;
import dev.downbeat.time.NanoClock;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;

/**
 * Lets the JVM load and compile the SDK and the chosen client before anything is measured: the same operations, for a
 * moment, against a server in this process. The user's queue sees none of it, and the client that is measured has not
 * opened a connection yet. TLS is not rehearsed.
 */
final class Rehearsal {
    private static final long LENGTH_NANOS = Duration.ofMillis(800).toNanos();
    private static final long END_NANOS = Duration.ofSeconds(2).toNanos();
    private static final int CALLS = 16;

    private final Place place;
    private final NanoClock clock = NanoClock.system();
    private final Deque<Exchange> free = new ArrayDeque<>();

    private Rehearsal(Place place) {
        this.place = place;
    }

    /** Rehearses. That it cannot is no reason not to measure. */
    static void run(SqsOptions options) {
        try (LocalListener responder = Responder.start()) {
            URI uri = URI.create("http://127.0.0.1:" + responder.port());
            Place place = new Place(
                    options,
                    "us-east-1",
                    Optional.of(uri),
                    Optional.of(StaticCredentialsProvider.create(AwsBasicCredentials.create("nobody", "nothing"))),
                    true);
            new Rehearsal(place).run(new Queue(uri + "/000000000000/rehearsal", 0));
        } catch (IOException | RuntimeException cannot) {
            // The run itself will say what it lacks.
        }
    }

    private void run(Queue queue) {
        SqsOptions options = place.options();
        Messages messages = new Messages(queue, options.message(), Mark.Sender.of("rehearsal"));
        int batch = options.use().operation() == SqsOperation.SEND_BATCH ? 1 : 0;
        boolean receives = options.use().operation() == SqsOperation.RECEIVE
                || options.use().operation() == SqsOperation.DELIVERY;
        rehearse(new SendOperation(open(), messages, batch), receives ? LENGTH_NANOS / 2 : LENGTH_NANOS);
        if (receives) {
            rehearse(new ReceiveOperation(open(), open(), queue, options, new ServerClock()), LENGTH_NANOS / 2);
        }
    }

    private Connections open() {
        return Clients.open(place, CALLS, new ConnectionLog(clock));
    }

    private void rehearse(Operation operation, long nanos) {
        free.clear();
        for (int slot = 0; slot < CALLS; slot++) {
            free.add(new Exchange(slot));
        }
        long startAt = clock.nanoTime();
        try (CallLane lane = new CallLane(CALLS, clock, free::add, operation)) {
            while (clock.nanoTime() - startAt < nanos) {
                for (Exchange exchange = free.poll(); exchange != null; exchange = free.poll()) {
                    long now = clock.nanoTime();
                    exchange.begin(now, now, now);
                    lane.send(exchange);
                }
                lane.poll(startAt + nanos);
            }
            while (free.size() < CALLS && clock.nanoTime() - startAt < END_NANOS) {
                lane.poll(startAt + END_NANOS);
            }
        }
    }
}
