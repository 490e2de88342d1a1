package dev.downbeat.cli.job;

import dev.downbeat.cli.file.FileDigests;
import dev.downbeat.cli.file.SavedArguments.Origin;
import dev.downbeat.cli.measurement.ClientOptions;
import dev.downbeat.cli.measurement.DatabaseOptions;
import dev.downbeat.cli.measurement.Measurement;
import dev.downbeat.cli.measurement.QueueOptions;
import dev.downbeat.cli.measurement.Requests;
import dev.downbeat.cli.measurement.option.OptionalJar;
import dev.downbeat.cli.measurement.option.Refusal;
import dev.downbeat.cli.shard.ShardPart;
import dev.downbeat.cli.targets.CommandTargets;
import dev.downbeat.cli.targets.DatabaseTargets;
import dev.downbeat.cli.targets.HttpJob;
import dev.downbeat.cli.targets.QueueDemo;
import dev.downbeat.cli.targets.QueueTargets;
import dev.downbeat.cli.targets.RequestTranscript;
import dev.downbeat.cli.targets.WorkloadSource;
import dev.downbeat.exchange.Target;
import dev.downbeat.run.RunPlan;
import dev.downbeat.run.engine.LoadRun;
import dev.downbeat.verdict.RequiredCertainty;
import dev.downbeat.verdict.ServiceLevelObjective;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.TypeConversionException;

/**
 * Everything that a run needs.
 *
 * @param origin what was measured, without secrets
 * @param seed the seed as the user types it; empty if nothing is random
 * @param untilDecided whether the run may end once each objective is certainly met or missed
 */
public record Job(
        Target target,
        RunPlan plan,
        List<ServiceLevelObjective> slos,
        boolean acceptUnsound,
        RequiredCertainty rigour,
        Origin origin,
        Optional<String> seed,
        Map<String, Object> details,
        boolean untilDecided) {
    public Job {
        slos = List.copyOf(slos);
    }

    /**
     * The part of a measurement that this process runs.
     *
     * @param value the measurement with all defaults and random choices filled in
     * @param aim the target, if it is not the value's own
     * @param demo the embedded queue, if it is the target and has been started
     * @throws TypeConversionException if the measurement is invalid; the message is one line
     */
    public static Job of(Measurement value, String aim, ShardPart part, @Nullable QueueDemo demo) {
        check(value.asking(), aim);
        if (part.isNamed() || part.shard().count() > 1) {
            refuseSharded(value.asking(), aim);
        }
        value.files().forEach(file -> Refusal.when(Files.isDirectory(file), "cannot read " + file + ": is a folder"));
        return Refusal.wrap(() -> {
            RunPlan plan = value.plan(part.shard());
            Refusal.when(
                    part.start().isPresent() && plan.warmsUpUntilSteady(),
                    "--start-at needs a --warm-up of known length, such as 10s, but was auto");
            Map<String, Object> details = new LinkedHashMap<>();
            Target target = target(
                    value.asking(),
                    aim,
                    WorkloadSource.of(value.load(), value.asking().waiting()),
                    plan,
                    part,
                    demo,
                    details);
            details.putAll(part.details(value));
            ServiceLevelObjective.Named.refuseUnknown(value.objectives().slos(), LoadRun.names(plan, target));
            return new Job(
                    target,
                    part.start().map(plan::startingAt).orElse(plan),
                    value.objectives().slos(),
                    value.objectives().acceptUnsound(),
                    value.certainty().rigour(),
                    Origin.of("run", value, part.words()).withFiles(FileDigests.of(value)),
                    value.seedText(),
                    details,
                    value.length().untilDecided());
        });
    }

    /** Refuses what each shard would start or create for itself. */
    public static void refuseSharded(ClientOptions asking, String aim) {
        Refusal.when(
                Requests.isCommand(aim),
                "a command cannot be sharded: each shard would start its own. Use one process");
        Refusal.when(
                asking.queue().isDemo(aim),
                "sqs:demo cannot be sharded: each shard would start its own queue. Use sqs:NAME");
        Refusal.when(
                DatabaseOptions.isDemo(aim),
                "jdbc:demo cannot be sharded: each shard would start its own database. Use jdbc:postgresql://HOST/DB");
        Refusal.when(
                asking.database().pool().isPresent(),
                "--pool cannot be sharded: each shard would open its own pool. Use one process");
        Refusal.when(
                asking.queue().create(),
                "--create cannot be sharded: each shard would create its own queue or schema. Create it first");
    }

    /** Refuses options that do not apply to this target. */
    static void check(ClientOptions asking, String aim) {
        asking.check(aim);
        if (QueueOptions.isQueue(aim)) {
            asking.queue().requireJars();
        }
        if (DatabaseOptions.isDatabase(aim)) {
            OptionalJar.JDBC.require("a database");
        }
    }

    /**
     * The target of a plan.
     *
     * @param workload the part of its load that defines the requests
     * @param demo the embedded queue, if it is the target and has been started
     * @param details receives details for the report
     * @throws TypeConversionException if it is invalid; the message is one line
     */
    public static Target target(
            ClientOptions asking,
            String aim,
            WorkloadSource workload,
            RunPlan plan,
            ShardPart part,
            @Nullable QueueDemo demo,
            Map<String, Object> details) {
        return Refusal.wrap(() -> {
            if (Requests.isCommand(aim)) {
                details.putAll(CommandTargets.details(asking, workload));
                return CommandTargets.of(asking, aim, workload);
            }
            if (DatabaseOptions.isDatabase(aim)) {
                details.putAll(DatabaseTargets.details(asking, workload));
                return DatabaseTargets.of(asking, aim, workload);
            }
            return QueueOptions.isQueue(aim)
                    ? queue(asking, aim, workload, plan, part, demo, details)
                    : new HttpJob(asking, aim, workload, plan).target(details);
        });
    }

    private static Target queue(
            ClientOptions asking,
            String aim,
            WorkloadSource workload,
            RunPlan plan,
            ShardPart part,
            @Nullable QueueDemo demo,
            Map<String, Object> details)
            throws IOException {
        int inFlight = asking.queue().inFlight(workload.closedClients());
        details.putAll(QueueTargets.details(asking, inFlight));
        return QueueTargets.of(aim, asking, inFlight, demo, Optional.of(plan), part, workload.seed());
    }

    /** The requests of a measurement, for display only. */
    public static RequestTranscript transcript(Measurement value, String aim, RunPlan plan) throws IOException {
        check(value.asking(), aim);
        return new HttpJob(
                        value.asking(),
                        aim,
                        WorkloadSource.of(value.load(), value.asking().waiting()),
                        plan)
                .transcript();
    }

    /** The same job with a wall-clock start time. */
    public Job startingAt(Instant start) {
        return new Job(
                target, plan.startingAt(start), slos, acceptUnsound, rigour, origin, seed, details, untilDecided);
    }
}
