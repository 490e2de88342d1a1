package dev.downbeat.cli.job;

import dev.downbeat.cli.database.DatabaseTargets;
import dev.downbeat.cli.exec.CommandTargets;
import dev.downbeat.cli.file.Origin;
import dev.downbeat.cli.http.HttpJob;
import dev.downbeat.cli.http.RequestsShown;
import dev.downbeat.cli.http.WorkloadSource;
import dev.downbeat.cli.measurement.Asking;
import dev.downbeat.cli.measurement.DatabaseUse;
import dev.downbeat.cli.measurement.Measurement;
import dev.downbeat.cli.measurement.QueueUse;
import dev.downbeat.cli.measurement.Requests;
import dev.downbeat.cli.measurement.value.Messages;
import dev.downbeat.cli.measurement.value.Refusal;
import dev.downbeat.cli.queue.QueueDemo;
import dev.downbeat.cli.queue.QueueTargets;
import dev.downbeat.cli.shard.ShardPart;
import dev.downbeat.exchange.Target;
import dev.downbeat.http.HttpTarget;
import dev.downbeat.http.tls.TlsProvider;
import dev.downbeat.run.RunPlan;
import dev.downbeat.run.engine.LoadRun;
import dev.downbeat.verdict.AskedObjective;
import dev.downbeat.verdict.Rigour;
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
 * All that a run needs to know.
 *
 * @param target what is aimed at
 * @param plan what is meant to happen
 * @param slos what is asked of the service
 * @param acceptUnsound whether a measurement in doubt goes for a sound one
 * @param rigour how much is asked of the verdict
 * @param origin what was asked for, without secrets
 * @param seed as the user may type it; empty if there is no chance in the plan
 * @param details more about the plan, for the report
 * @param untilDecided whether the run may end as soon as each objective is surely met or missed
 */
public record Job(
        Target target,
        RunPlan plan,
        List<AskedObjective> slos,
        boolean acceptUnsound,
        Rigour rigour,
        Origin origin,
        String seed,
        Map<String, Object> details,
        boolean untilDecided) {
    /** Who encrypts what is sent; empty if nobody does. */
    public Optional<TlsProvider> tls() {
        return target instanceof HttpTarget http ? http.tls() : Optional.empty();
    }

    public Job {
        slos = List.copyOf(slos);
    }

    /**
     * The part of a measurement that this process makes.
     *
     * @param value with everything chosen that was left to us or to chance
     * @param aim what is asked, where it is not the value's own target
     * @param demo the queue on this machine, if that is meant and has been started
     * @throws TypeConversionException if the measurement cannot be made, in one line
     */
    public static Job of(Measurement value, String aim, ShardPart part, @Nullable QueueDemo demo) {
        check(value.asking(), aim);
        Refusal.when(
                Requests.isCommand(aim) && (part.isNamed() || part.shard().count() > 1),
                "a command is run by this process alone: leave out --shard, --plan and --processes");
        value.files()
                .forEach(file -> Refusal.when(Files.isDirectory(file), "cannot read " + file + ": it is a folder"));
        try {
            RunPlan plan = value.plan(part.shard());
            Map<String, Object> details = new LinkedHashMap<>();
            Target target = target(value.asking(), aim, WorkloadSource.of(value.load()), plan, part, demo, details);
            details.putAll(part.details(value));
            AskedObjective.Named.refuseUnknown(value.objectives().slos(), LoadRun.names(plan, target));
            return new Job(
                    target,
                    part.start().map(plan::startingAt).orElse(plan),
                    value.objectives().slos(),
                    value.objectives().acceptUnsound(),
                    value.certainty().rigour(),
                    Origin.of("run", value, part.words()),
                    value.seedText(),
                    details,
                    value.length().untilDecided());
        } catch (IllegalArgumentException refused) {
            throw Refusal.of(refused);
        } catch (IOException unreadable) {
            throw new TypeConversionException(Messages.ofFile(unreadable));
        }
    }

    /** Refuses what makes no sense with this target. */
    static void check(Asking asking, String aim) {
        asking.check(aim);
        if (QueueUse.isQueue(aim)) {
            QueueTargets.Jars.refuseIfAbsent(asking.queue());
        }
        if (DatabaseUse.isDatabase(aim)) {
            DatabaseTargets.Jar.refuseIfAbsent();
        }
    }

    /**
     * What a plan asks.
     *
     * @param sending what of its load says what is sent
     * @param part which shard of the plan
     * @param demo the queue on this machine, if that is meant and has been started
     * @param details takes how it is asked, for the report
     * @throws TypeConversionException if it cannot be made, in one line
     */
    static Target target(
            Asking asking,
            String aim,
            WorkloadSource sending,
            RunPlan plan,
            ShardPart part,
            @Nullable QueueDemo demo,
            Map<String, Object> details) {
        try {
            if (Requests.isCommand(aim)) {
                details.putAll(CommandTargets.details(asking, sending.closedClients()));
                return CommandTargets.of(asking, aim, sending);
            }
            if (DatabaseUse.isDatabase(aim)) {
                details.putAll(DatabaseTargets.details(asking, sending.closedClients()));
                return DatabaseTargets.of(asking, aim, sending);
            }
            return QueueUse.isQueue(aim)
                    ? queue(asking, aim, sending, plan, part, demo, details)
                    : new HttpJob(asking, aim, sending, plan).target(details);
        } catch (IllegalArgumentException refused) {
            throw Refusal.of(refused);
        } catch (IOException unreadable) {
            throw new TypeConversionException(Messages.ofFile(unreadable));
        }
    }

    private static Target queue(
            Asking asking,
            String aim,
            WorkloadSource sending,
            RunPlan plan,
            ShardPart part,
            @Nullable QueueDemo demo,
            Map<String, Object> details)
            throws IOException {
        int inFlight = asking.queue().inFlight(sending.closedClients());
        details.putAll(QueueTargets.details(asking, inFlight));
        return QueueTargets.of(aim, asking, inFlight, demo, Optional.of(plan), part, sending.seed());
    }

    /** The requests of a measurement, for one who only looks at them. */
    public static RequestsShown shown(Measurement value, String aim, RunPlan plan, int steps) throws IOException {
        check(value.asking(), aim);
        return new HttpJob(value.asking(), aim, WorkloadSource.of(value.load()), plan).shown(steps);
    }

    /** The same, to begin at a time by the clock of the wall. */
    public Job startingAt(Instant start) {
        return new Job(
                target, plan.startingAt(start), slos, acceptUnsound, rigour, origin, seed, details, untilDecided);
    }
}
