package dev.downbeat.cli;

import dev.downbeat.exchange.Target;
import dev.downbeat.sqs.SqsOperation;
import dev.downbeat.sqs.SqsOptions;
import dev.downbeat.sqs.SqsTarget;
import dev.downbeat.sqs.SqsTransport;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.OptionalInt;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.TypeConversionException;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;

/**
 * Makes the target of a queue. The only class here that knows the SQS module, which lies in a jar of its own that may be
 * absent: so {@link Jars#refuseIfAbsent} comes first. A class is linked when it is first run, so nothing else breaks without
 * the jar; a {@code ServiceLoader} would need an interface between the two with every option as text in it.
 */
final class QueueTargets {
    private static final int CONNECTIONS = 50;
    private static final int IN_FLIGHT = 256;
    private static final String DEMO_REGION = "us-east-1";

    /** Netty looks for a logger of its own; what it has to say is in the outcomes. Held, or the JDK forgets its level. */
    private static final Logger NETTY = Logger.getLogger("io.netty");

    /** From here on the JVM warns on stderr where Netty 4.1 takes memory in its old way. */
    private static final int JAVA_THAT_WARNS = 24;

    private QueueTargets() {}

    /** In a class that knows no type of the SQS module: whether its jar and that of the client are there. */
    static final class Jars {
        private Jars() {}

        static void refuseIfAbsent(QueueOptions queue) {
            if (!isThere("dev.downbeat.sqs.SqsTarget")) {
                throw new TypeConversionException(MissingJar.refusal("an SQS target", "downbeat-sqs.jar"));
            }
            if (queue.transport == QueueOptions.Transport.CRT
                    && !isThere("software.amazon.awssdk.http.crt.AwsCrtAsyncHttpClient")) {
                throw new TypeConversionException(MissingJar.refusal("--transport crt", "downbeat-crt.jar"));
            }
        }

        private static boolean isThere(String name) {
            try {
                Class.forName(name, false, QueueOptions.class.getClassLoader());
                return true;
            } catch (ClassNotFoundException absent) {
                return false;
            }
        }
    }

    /**
     * The options of a command line that concern a queue.
     *
     * @param calls how many calls the client is given at a time, if it is not as the options say
     */
    record Words(
            QueueOptions queue,
            ConnectionOptions connection,
            EncryptionOptions encryption,
            RequestOptions request,
            ParseResult parsed,
            OptionalInt calls) {
        /** The same, but the client is given so many calls at a time. */
        Words withInFlight(int count) {
            return new Words(queue, connection, encryption, request, parsed, OptionalInt.of(count));
        }

        int connections() {
            return connection.connections == null ? CONNECTIONS : connection.count(0);
        }

        int inFlight(int closedClients) {
            int usual = queue.inFlight != null ? queue.inFlight : Math.max(IN_FLIGHT, closedClients);
            return calls.orElse(usual);
        }

        Map<String, Object> details(int closedClients) {
            Map<String, Object> details = new LinkedHashMap<>();
            details.put("connections", connections());
            details.put("in_flight", inFlight(closedClients));
            details.put("operation", queue.operation.toString());
            details.put("transport", queue.transport.toString());
            details.put("retries", queue.retries);
            return details;
        }
    }

    /**
     * The target.
     *
     * @throws IllegalArgumentException if a value is out of its range
     * @throws IOException if a file cannot be read
     */
    static Target of(String queue, Words words, int closedClients) throws IOException {
        SqsOptions.Builder options = options(words, closedClients);
        if (QueueDemo.isMeant(QueueOptions.PREFIX + queue, words.queue())) {
            options.region(DEMO_REGION); // only looked at: its server has not started yet
        }
        return new SqsTarget(queue, options.build());
    }

    /**
     * The queue on this machine, which takes any credentials.
     *
     * @throws IllegalArgumentException if a value is out of its range
     * @throws IOException if a file cannot be read
     */
    static Target of(QueueDemo demo, Words words, int closedClients) throws IOException {
        SqsOptions.Builder options = options(words, closedClients)
                .endpoint(demo.uri())
                .region(DEMO_REGION)
                .trust(demo.certificate())
                .credentials(StaticCredentialsProvider.create(AwsBasicCredentials.create("anybody", "nothing")));
        return new SqsTarget(QueueDemo.QUEUE, options.build());
    }

    private static SqsOptions.Builder options(Words words, int closedClients) throws IOException {
        NETTY.setLevel(Level.OFF);
        if (Runtime.version().feature() >= JAVA_THAT_WARNS) {
            System.setProperty("io.netty.noUnsafe", "true");
        }
        QueueOptions given = words.queue;
        SqsOptions.Builder options = SqsOptions.builder()
                .operation(SqsOperation.valueOf(given.operation.name()))
                .transport(SqsTransport.valueOf(given.transport.name()))
                .maxConnections(words.connections())
                .maxInFlight(words.inFlight(closedClients))
                .acquireTimeout(given.acquireTimeout)
                .tcpKeepAlive(words.connection.tcpKeepalive)
                .batchSize(given.batchSize)
                .messageGroups(given.messageGroups)
                .delay(given.delay)
                .pollWait(given.pollWait)
                .deleteReceived(given.deleteReceived)
                .consumers(given.consumers)
                .verifyServer(!words.encryption.insecure)
                .maxAttempts(attempts(given.retries));
        if (words.parsed.hasMatchedOption("--connect-timeout")) {
            options.connectTimeout(words.connection.connectTimeout);
        }
        if (words.connection.maxIdle != null) {
            options.maxIdle(words.connection.maxIdle);
        }
        place(given, options);
        message(given, words.request, options);
        words.encryption.certificate().ifPresent(options::trust);
        return options;
    }

    private static int attempts(int retries) {
        if (retries < 0 || retries > 99) {
            throw new TypeConversionException("--retries must be from 0 to 99, but was " + retries);
        }
        return retries + 1;
    }

    private static void place(QueueOptions given, SqsOptions.Builder options) {
        if (given.endpoint != null) {
            options.endpoint(given.endpoint);
        }
        if (given.region != null) {
            options.region(given.region);
        }
    }

    private static void message(QueueOptions given, RequestOptions request, SqsOptions.Builder options)
            throws IOException {
        if (given.messageSize != null) {
            options.messageSize(given.messageSize);
        }
        if (request.data != null) {
            options.body(new String(request.body(), StandardCharsets.UTF_8));
        }
        for (String attribute : given.attributes) {
            int equals = attribute.indexOf('=');
            if (equals < 1) {
                throw new TypeConversionException("--attribute must be NAME=VALUE");
            }
            options.attribute(attribute.substring(0, equals), attribute.substring(equals + 1));
        }
    }

    /** Sees to it that a poll which waits is not taken for one that is given up. */
    static void checkPoll(QueueOptions given, TimingOptions timing) {
        boolean polls = given.operation == QueueOptions.Operation.RECEIVE;
        if (polls && given.pollWait.compareTo(timing.timeout) >= 0) {
            throw new TypeConversionException("--poll-wait must be shorter than --timeout, " + text(timing)
                    + ": else a poll without a message is given up");
        }
    }

    private static @Nullable String text(TimingOptions timing) {
        return dev.downbeat.time.DurationText.format(timing.timeout.toNanos());
    }
}
