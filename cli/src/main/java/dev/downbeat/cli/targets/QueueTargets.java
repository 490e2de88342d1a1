package dev.downbeat.cli.targets;

import dev.downbeat.arrival.Constant;
import dev.downbeat.arrival.Replay;
import dev.downbeat.cli.measurement.ClientOptions;
import dev.downbeat.cli.measurement.QueueOptions;
import dev.downbeat.cli.measurement.Schedule;
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
import java.io.IOException;
import java.net.URI;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
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
        String told = System.getenv(ShardPart.RUN_VARIABLE);
        if (told != null && !told.isEmpty()) {
            return told;
        }
        return part.planId().isPresent() && part.start().isPresent()
                ? part.planId().get() + "-" + part.start().get().getEpochSecond()
                : RUN_OF_THIS_PROCESS;
    }

    /** The client's settings for a report. */
    public static Map<String, Object> details(ClientOptions asking, int inFlight) {
        Map<String, Object> details = new LinkedHashMap<>();
        details.put("connections", asking.queueConnections());
        details.put("in_flight", inFlight);
        details.put("operation", asking.queue().operationText());
        details.put("transport", asking.queue().transportText());
        details.put("retries", asking.queue().retries());
        return details;
    }

    /**
     * Creates the target; the embedded queue, which takes any credentials, if it has been started.
     *
     * @param target a queue
     * @param inFlight the client's concurrent calls
     * @param plan the load, as far as known
     * @param part the shard of the plan
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
        SqsOptions.Builder options = options(asking, inFlight, seed)
                .run(run(part))
                .watched(part.shard().index() == 0);
        plan.flatMap(whole -> requests(whole, 1)).ifPresent(options::requests);
        if (demo != null) {
            options.endpoint(demo.uri())
                    .queueIsMine(true)
                    .region(DEMO_REGION)
                    .trust(demo.certificate())
                    .credentials(StaticCredentialsProvider.create(AwsBasicCredentials.create("anybody", "nothing")));
            return new SqsTarget(QueueOptions.DEMO, options.build());
        }
        if (asking.queue().isDemo(target)) {
            options.region(DEMO_REGION); // only inspected: its server has not started yet
        }
        return new SqsTarget(QueueOptions.queue(target), options.build());
    }

    /**
     * The most requests of a plan in slices, each with its warm-up; empty if it depends on the responses.
     *
     * @param slices 1 for a single run
     */
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

    static SqsOptions.Builder options(ClientOptions asking, int inFlight) throws IOException {
        return options(asking, inFlight, 0);
    }

    private static SqsOptions.Builder options(ClientOptions asking, int inFlight, long seed) throws IOException {
        NETTY.setLevel(Level.OFF);
        AwsKeys.chooseHttpClient();
        QueueOptions given = asking.queue();
        SqsOptions.Builder options = SqsOptions.builder()
                .operation(SqsOperation.valueOf(given.operation().name()))
                .transport(SqsTransport.valueOf(given.transport().name()))
                .maxConnections(asking.queueConnections())
                .maxInFlight(inFlight)
                .acquireTimeout(given.acquireTimeout())
                .tcpKeepAlive(asking.connections().tcpKeepalive())
                .batchSize(given.batchSize())
                .messageGroups(given.messageGroups())
                .delay(given.delay())
                .pollWait(given.pollWait())
                .deleteReceived(given.deleteReceived())
                .consumers(given.consumers())
                .verifyServer(!asking.encryption().insecure())
                .maxAttempts(given.retries() + 1)
                .queueIsMine(given.queueIsMine())
                .processing(given.processingTime()::pauseNanos);
        given.visibility().ifPresent(options::visibility);
        given.through().ifPresent(options::through);
        asking.connections()
                .proxy()
                .filter(word -> !word.equals("env")) // the SDK's options read these unless told otherwise
                .map(QueueTargets::proxy)
                .ifPresent(options::proxy);
        asking.connections().connectTimeout().ifPresent(options::connectTimeout);
        asking.connections().maxIdle().ifPresent(options::maxIdle);
        asking.connections()
                .maxRequests()
                .ifPresent(most -> options.maxRequests((int) Math.min(Integer.MAX_VALUE, most)));
        asking.connections()
                .replaceAfter()
                .ifPresent(requests -> options.replaceAfter((int) Math.min(Integer.MAX_VALUE, requests)));
        given.endpoint().ifPresent(options::endpoint);
        given.region().ifPresent(options::region);
        given.messageSize().ifPresent(size -> options.messageSize(size.bytes()));
        asking.source().bodies(seed).ifPresent(options::bodies);
        given.attributes()
                .forEach(attribute -> options.attribute(
                        attribute.name(),
                        new SqsAttribute(attribute.type(), attribute.value().reveal())));
        asking.encryption().certificate().ifPresent(options::trust);
        return options;
    }

    private static SqsProxy proxy(String text) {
        return text.equals("none") ? SqsProxy.none() : SqsProxy.of(URI.create(text));
    }
}
