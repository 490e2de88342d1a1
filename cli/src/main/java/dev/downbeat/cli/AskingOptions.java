package dev.downbeat.cli;

import dev.downbeat.exchange.Target;
import dev.downbeat.http.HttpOptions;
import dev.downbeat.http.HttpRequest;
import dev.downbeat.http.HttpTarget;
import dev.downbeat.run.RunPlan;
import java.io.IOException;
import java.util.Map;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** How a target is asked, and how long its answers are waited for: the same words in each command that loads one. */
final class AskingOptions {
    @Mixin(name = "Waiting")
    TimingOptions timing = new TimingOptions();

    @Mixin(name = "Connections")
    ConnectionOptions connection = new ConnectionOptions();

    @Mixin(name = "TLS")
    EncryptionOptions encryption = new EncryptionOptions();

    @Mixin(name = "Request")
    RequestOptions request = new RequestOptions();

    @Mixin(name = "SQS")
    QueueOptions queue = new QueueOptions();

    @Spec(Spec.Target.MIXEE)
    @SuppressWarnings("NullAway.Init") // set by picocli before anything runs
    CommandSpec command;

    /**
     * A target as it is asked.
     *
     * @param target what is aimed at
     * @param details how, for the report
     */
    record Asked(Target target, Map<String, Object> details) {}

    /** Refuses what makes no sense with a target of this kind. */
    void check(String target) {
        boolean isQueue = QueueOptions.isQueue(target);
        QueueOptions.check(command.commandLine().getParseResult(), isQueue);
        if (isQueue) {
            QueueTargets.Jars.refuseIfAbsent(queue);
            QueueTargets.checkPoll(queue, timing);
        }
    }

    /**
     * A target for a plan.
     *
     * @param closedClients how many clients the plan has that wait for their answers; 0 if it is open
     * @param demo the queue on this machine, if that is meant and has been started
     * @throws IllegalArgumentException if a value is out of its range
     * @throws IOException if a file cannot be read
     */
    Asked of(String target, RunPlan plan, int closedClients, @Nullable QueueDemo demo) throws IOException {
        return QueueOptions.isQueue(target) ? ofQueue(target, closedClients, demo) : ofUrl(target, plan, closedClients);
    }

    private Asked ofQueue(String target, int closedClients, @Nullable QueueDemo demo) throws IOException {
        QueueTargets.Words words = words(connection);
        Target sqs = demo == null
                ? QueueTargets.of(QueueOptions.queue(target), words, closedClients)
                : QueueTargets.of(demo, words, closedClients);
        return new Asked(sqs, words.details(closedClients));
    }

    private Asked ofUrl(String url, RunPlan plan, int closedClients) throws IOException {
        HttpRequest httpRequest = request.toRequest(url);
        int count = plan.shard().count();
        HttpOptions.Builder connections = connection.toHttpOptions(closedClients, timing.threads, count);
        connections.pacing(connection.pacing.of(PeakRate.perSecond(plan) / count, timing.threads));
        encryption.applyTo(connections.tls());
        HttpOptions options = connections.build();
        return new Asked(new HttpTarget(httpRequest, options), connection.details(options, timing.threads));
    }

    /** How many connections an open load on a target of this kind may have. */
    int connections(String target) {
        return QueueOptions.isQueue(target) ? words(connection).connections() : connection.count(0);
    }

    /** What concerns a queue, with connections like these. */
    QueueTargets.Words words(ConnectionOptions connections) {
        return new QueueTargets.Words(
                queue, connections, encryption, request, command.commandLine().getParseResult(), OptionalInt.empty());
    }
}
