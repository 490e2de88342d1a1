package dev.downbeat.sqs.operation;

import dev.downbeat.exchange.CallLane;
import dev.downbeat.exchange.Exchange;
import dev.downbeat.sqs.client.Queue;
import dev.downbeat.sqs.client.SdkClients;
import dev.downbeat.sqs.client.SdkConnection;
import dev.downbeat.sqs.client.ServiceEndpoint;
import dev.downbeat.sqs.message.LocalListener;
import dev.downbeat.sqs.message.MessageMaker;
import dev.downbeat.sqs.message.MessageMark;
import dev.downbeat.sqs.message.ServerClock;
import dev.downbeat.sqs.options.SqsOperation;
import dev.downbeat.sqs.options.SqsOptions;
import dev.downbeat.sqs.options.SqsTransport;
import dev.downbeat.time.NanoClock;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;

/**
 * Makes the JVM load and compile the SDK and the selected client before the measurement: the same operations, briefly,
 * against a server in this process. The user's queue is not involved, and the measured client has not opened a
 * connection. TLS is not exercised.
 */
public final class QueueRehearsal {
    private static final long LENGTH_NANOS = Duration.ofMillis(800).toNanos();
    private static final long END_NANOS = Duration.ofSeconds(2).toNanos();
    private static final int CALLS = 16;

    /** Clients already rehearsed in this JVM, where their code stays loaded and compiled. */
    private static final Set<Rehearsed> DONE = ConcurrentHashMap.newKeySet();

    private record Rehearsed(SqsTransport transport, SqsOperation operation, boolean isThroughTopic) {}

    private final ServiceEndpoint service;
    private final NanoClock clock = NanoClock.system();
    private final Deque<Exchange> free = new ArrayDeque<>();

    private QueueRehearsal(ServiceEndpoint service) {
        this.service = service;
    }

    /** Runs the operations unless this JVM has done so with the same client. */
    public static void once(SqsOptions options) {
        SqsOptions.Use use = options.use();
        Rehearsed wanted = new Rehearsed(
                options.client().transport(), use.operation(), use.through().isPresent());
        if (!DONE.contains(wanted) && run(options)) {
            DONE.add(wanted);
        }
    }

    /** Returns false on failure, which does not prevent the measurement. */
    public static boolean run(SqsOptions options) {
        try (LocalListener responder = Responder.start()) {
            URI uri = URI.create("http://127.0.0.1:" + responder.port());
            ServiceEndpoint service = new ServiceEndpoint(
                    options,
                    "us-east-1",
                    Optional.of(uri),
                    Optional.of(StaticCredentialsProvider.create(AwsBasicCredentials.create("nobody", "nothing"))),
                    true);
            new QueueRehearsal(service).run(new Queue(uri + "/000000000000/rehearsal", 0, 0));
            return true;
        } catch (IOException | RuntimeException failed) {
            return false; // the run itself will report any error
        }
    }

    private void run(Queue queue) {
        SqsOptions options = service.options();
        MessageMaker messages = new MessageMaker(queue, options.message(), MessageMark.Sender.of("rehearsal"));
        int batch = options.use().operation() == SqsOperation.SEND_BATCH ? 1 : 0;
        boolean receives = options.use().operation() == SqsOperation.RECEIVE
                || options.use().operation() == SqsOperation.DELIVERY;
        rehearse(new SendOperation(open(), messages, batch), receives ? LENGTH_NANOS / 2 : LENGTH_NANOS);
        if (receives) {
            rehearse(new ReceiveOperation(open(), open(), queue, options, new ServerClock()), LENGTH_NANOS / 2);
        }
    }

    private SdkConnection open() {
        return SdkClients.open(service, CALLS, clock);
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

    /**
     * A server on 127.0.0.1 that responds at once like SQS, for exercising the SDK. Parses only as much HTTP as
     * necessary.
     */
    private static final class Responder {
        private static final byte[] ANSWER = answer("{\"MessageId\":\"1\",\"MD5OfMessageBody\":\"0\","
                + "\"Successful\":[{\"Id\":\"0\",\"MessageId\":\"1\",\"MD5OfMessageBody\":\"0\"}],\"Failed\":[],"
                + "\"Messages\":[{\"MessageId\":\"1\",\"ReceiptHandle\":\"1\",\"MD5OfBody\":\"0\",\"Body\":\"x\","
                + "\"Attributes\":{\"SentTimestamp\":\"1\"}}]}");

        private Responder() {}

        private static byte[] answer(String json) {
            return ("HTTP/1.1 200 OK\r\nContent-Type: application/x-amz-json-1.0\r\nContent-Length: " + json.length()
                            + "\r\n\r\n" + json)
                    .getBytes(StandardCharsets.US_ASCII);
        }

        static LocalListener start() throws IOException {
            return LocalListener.start("downbeat-sqs-rehearsal", Responder::serve);
        }

        private static void serve(Socket socket) throws IOException {
            InputStream in = new BufferedInputStream(socket.getInputStream());
            OutputStream out = socket.getOutputStream();
            for (int length = bodyLength(in); length >= 0; length = bodyLength(in)) {
                in.skipNBytes(length);
                out.write(ANSWER);
            }
        }

        /** Reads to the end of the head; returns the length of the body, or -1 at the end of input. */
        private static int bodyLength(InputStream in) throws IOException {
            int length = 0;
            String line = line(in);
            if (line.isEmpty()) {
                return -1;
            }
            while (!line.isEmpty()) {
                if (line.toLowerCase(Locale.ROOT).startsWith("content-length:")) {
                    length = Integer.parseInt(
                            line.substring(line.indexOf(':') + 1).strip());
                }
                line = line(in);
            }
            return length;
        }

        private static String line(InputStream in) throws IOException {
            StringBuilder line = new StringBuilder();
            for (int c = in.read(); c >= 0 && c != '\n'; c = in.read()) {
                if (c != '\r') {
                    line.append((char) c);
                }
            }
            return line.toString();
        }
    }
}
