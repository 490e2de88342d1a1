package dev.downbeat.cli.targets;

import dev.downbeat.arrival.Constant;
import dev.downbeat.arrival.Replay;
import dev.downbeat.cli.measurement.ClientOptions;
import dev.downbeat.cli.measurement.ConnectionOptions;
import dev.downbeat.cli.measurement.QueueOptions;
import dev.downbeat.cli.measurement.Schedule;
import dev.downbeat.cli.measurement.option.OptionFormat;
import dev.downbeat.cli.shard.ShardPart;
import dev.downbeat.exchange.Target;
import dev.downbeat.run.RunPlan;
import dev.downbeat.run.Workload;
import dev.downbeat.sqs.SqsTarget;
import dev.downbeat.sqs.options.SqsAttribute;
import dev.downbeat.sqs.options.SqsOperation;
import dev.downbeat.sqs.options.SqsOptions;
import dev.downbeat.sqs.options.SqsProxy;
import dev.downbeat.sqs.options.SqsTransport;
import dev.downbeat.sqs.options.Topic;
import java.io.IOException;
import java.net.URI;
import java.security.cert.X509Certificate;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.LongFunction;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;

/**
 * Creates queue targets. Only this class and {@link QueueSafeguard} use the SQS module, whose separate jar may be missing.
 * Call {@link QueueOptions#requireJars} first. Classes are linked on first use, so nothing else fails without the jar. A
 * {@code ServiceLoader} would need an interface with every option as text.
 */
public final class QueueTargets {
    private static final String DEMO_REGION = "us-east-1";
    private static final String RUN_OF_THIS_PROCESS = ShardPart.newRun();

    /**
     * Netty's logger is silenced, since outcomes report its errors. A strong reference, since the JDK otherwise forgets
     * its level.
     */
    private static final Logger NETTY = Logger.getLogger("io.netty");

    private QueueTargets() {}

    /** All runs of this process share an id, so that leftover messages of one are not foreign to the next. */
    private static String run(ShardPart part) {
        String configured = System.getenv(ShardPart.RUN_VARIABLE);
        if (configured != null && !configured.isEmpty()) {
            return configured;
        }
        return part.planId().isPresent() && part.start().isPresent()
                ? part.planId().get() + "-" + part.start().get().getEpochSecond()
                : RUN_OF_THIS_PROCESS;
    }

    public static Map<String, Object> details(ClientOptions asking, int inFlight) {
        Map<String, Object> details = new LinkedHashMap<>();
        details.put("connections", asking.queueConnections());
        details.put("in_flight", inFlight);
        details.put("operation", asking.queue().operationText());
        details.put("transport", OptionFormat.word(asking.queue().transport()));
        details.put("retries", asking.queue().retries());
        return details;
    }

    /**
     * Creates the target; the embedded queue, which takes any credentials, if it has been started.
     *
     * @param inFlight the client's concurrent calls
     * @param plan the load, as far as known
     * @param seed seed of bodies that differ
     * @throws IllegalArgumentException if a value is out of range
     * @throws IOException if a file cannot be read
     */
    public static Target of(
            String target,
            ClientOptions asking,
            int inFlight,
            @Nullable QueueDemo demo,
            Optional<RunPlan> plan,
            ShardPart part,
            long seed)
            throws IOException {
        SqsOptions options = SqsOptions.of(options(asking, inFlight, seed).andThen(draft -> {
            draft.run = Optional.of(run(part));
            draft.watched = part.shard().index() == 0;
            plan.flatMap(whole -> requests(whole, 1)).ifPresent(most -> draft.requests = most);
            if (demo != null) {
                draft.endpoint = Optional.of(demo.uri());
                draft.queueIsMine = true;
                draft.region = Optional.of(DEMO_REGION);
                draft.trusted = Optional.of(demo.certificate());
                draft.credentials =
                        Optional.of(StaticCredentialsProvider.create(AwsBasicCredentials.create("anybody", "nothing")));
            } else if (asking.queue().isDemo(target)) {
                draft.region = Optional.of(DEMO_REGION); // only inspected: its server has not started yet
            }
        }));
        return new SqsTarget(demo != null ? QueueOptions.DEMO : QueueOptions.queue(target), options);
    }

    /** The most requests of a plan in slices, each with its warm-up; empty if it depends on the responses. */
    public static Optional<Long> requests(RunPlan plan, int slices) {
        if (plan.warmUpNanos() == 0) {
            return requests(plan);
        }
        RunPlan warmUp = plan.slice(plan.workload(), 0, slices).warmUp();
        return requests(plan).flatMap(all -> requests(warmUp).map(each -> all + slices * each));
    }

    private static Optional<Long> requests(RunPlan plan) {
        long all = plan.maxRequests();
        double expected = Schedule.peakPerSecond(plan) * plan.durationNanos() / 1e9;
        if (expected > 0 && plan.workload() instanceof Workload.Open open) {
            double chance = open.arrivals() instanceof Constant ? 0 : 5 * Math.sqrt(expected);
            all = Math.min(all, (long) Math.ceil(expected + chance));
        }
        if (plan.workload() instanceof Workload.Open open && open.arrivals() instanceof Replay recorded) {
            all = Math.min(all, recorded.count());
        }
        return all == Long.MAX_VALUE ? Optional.empty() : Optional.of(Math.max(1, all));
    }

    /** The options for calls outside a run. */
    static SqsOptions options(ClientOptions asking) throws IOException {
        return SqsOptions.of(options(asking, 1, 0));
    }

    private static Consumer<SqsOptions.Draft> options(ClientOptions asking, int inFlight, long seed)
            throws IOException {
        NETTY.setLevel(Level.OFF);
        AwsKeys.chooseHttpClient();
        QueueOptions given = asking.queue();
        ConnectionOptions connections = asking.connections();
        Optional<LongFunction<String>> bodies = asking.source().bodies(seed);
        Optional<X509Certificate> trusted = asking.encryption().certificate();
        return draft -> {
            draft.operation = SqsOperation.valueOf(given.operation().name());
            draft.transport = SqsTransport.valueOf(given.transport().name());
            draft.maxConnections = asking.queueConnections();
            draft.maxInFlight = inFlight;
            draft.acquireTimeout = given.acquireTimeout();
            draft.tcpKeepAlive = connections.tcpKeepalive();
            draft.batchSize = given.batchSize();
            draft.messageGroups = given.messageGroups();
            draft.delay = given.delay();
            draft.pollWait = given.pollWait();
            draft.deleteReceived = given.deleteReceived();
            draft.consumers = given.consumers();
            draft.verifyServer = !asking.encryption().insecure();
            draft.maxAttempts = given.retries() + 1;
            draft.queueIsMine = given.queueIsMine();
            draft.processing = given.processingTime()::pauseNanos;
            draft.visibility = given.visibility();
            draft.through = given.through().map(Topic::new);
            connections
                    .proxy()
                    .filter(word -> !word.equals("env")) // the default of the SDK's options
                    .map(QueueTargets::proxy)
                    .ifPresent(proxy -> draft.proxy = proxy);
            connections.connectTimeout().ifPresent(timeout -> draft.connectTimeout = timeout);
            connections.maxIdle().ifPresent(idle -> draft.maxIdle = idle);
            connections.maxRequests().ifPresent(most -> draft.maxRequests = (int) Math.min(Integer.MAX_VALUE, most));
            connections
                    .replaceAfter()
                    .ifPresent(requests -> draft.replaceAfter = (int) Math.min(Integer.MAX_VALUE, requests));
            draft.endpoint = given.endpoint();
            draft.region = given.region();
            given.messageSize().ifPresent(size -> draft.messageSize = size.bytes());
            draft.body = bodies;
            given.attributes()
                    .forEach(attribute -> draft.attributes.put(
                            attribute.name(),
                            new SqsAttribute(attribute.type(), attribute.value().reveal())));
            draft.trusted = trusted;
        };
    }

    private static SqsProxy proxy(String text) {
        return text.equals("none") ? SqsProxy.none() : SqsProxy.of(URI.create(text));
    }
}
