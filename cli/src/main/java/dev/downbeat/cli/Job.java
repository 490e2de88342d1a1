package dev.downbeat.cli;

import dev.downbeat.cli.measurement.Measurement;
import dev.downbeat.cli.measurement.PeakRate;
import dev.downbeat.cli.measurement.QueueUse;
import dev.downbeat.cli.measurement.Refusal;
import dev.downbeat.cli.measurement.Values;
import dev.downbeat.exchange.Target;
import dev.downbeat.http.HttpOptions;
import dev.downbeat.http.HttpTarget;
import dev.downbeat.run.RunPlan;
import dev.downbeat.verdict.Slo;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.TypeConversionException;

/**
 * All that a run needs to know.
 *
 * @param target what is aimed at
 * @param plan what is meant to happen
 * @param slos what is asked of the service
 * @param acceptUnsound whether a measurement in doubt goes for a sound one
 * @param origin what was asked for, without secrets
 * @param seed as the user may type it; empty if there is no chance in the plan
 * @param details more about the plan, for the report
 * @param untilDecided whether the run may end as soon as each objective is surely met or missed
 */
record Job(
        Target target,
        RunPlan plan,
        List<Slo> slos,
        boolean acceptUnsound,
        Origin origin,
        String seed,
        Map<String, Object> details,
        boolean untilDecided) {
    /**
     * What was asked for, without secrets.
     *
     * @param command the words that say it
     * @param measurement the same as a tree of JSON
     */
    record Origin(List<String> command, Map<String, Object> measurement) {
        /** Of a command, which takes these values. */
        static Origin of(String command, Record value, String... more) {
            List<String> words = new ArrayList<>(List.of("downbeat", command));
            words.addAll(Values.shown(value));
            words.addAll(List.of(more));
            return new Origin(List.copyOf(words), Map.of(command, Values.shownTree(value)));
        }
    }

    Job {
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
    static Job of(Measurement value, String aim, Part part, @Nullable QueueDemo demo) {
        value.asking().check(aim);
        if (QueueUse.isQueue(aim)) {
            QueueTargets.Jars.refuseIfAbsent(value.asking().queue());
        }
        try {
            RunPlan plan = value.plan(part.shard());
            Map<String, Object> details = new LinkedHashMap<>();
            Target target = target(value, aim, plan, demo, details);
            details.putAll(part.details(value));
            return new Job(
                    new WithoutSecrets(target),
                    part.start().map(plan::startingAt).orElse(plan),
                    value.objectives().slos(),
                    value.objectives().acceptUnsound(),
                    Origin.of("run", value, part.words()),
                    value.seedText(),
                    details,
                    value.length().untilDecided());
        } catch (IllegalArgumentException refused) {
            throw Refusal.of(refused);
        } catch (IOException unreadable) {
            throw new TypeConversionException("cannot read a file: " + Errors.ofFile(unreadable));
        }
    }

    private static Target target(
            Measurement value, String aim, RunPlan plan, @Nullable QueueDemo demo, Map<String, Object> details)
            throws IOException {
        int clients = value.load().closedClients();
        if (QueueUse.isQueue(aim)) {
            int inFlight = value.asking().queue().inFlight(clients);
            details.putAll(QueueTargets.details(value.asking(), inFlight));
            return QueueTargets.of(aim, value.asking(), inFlight, demo);
        }
        int threads = plan.generators();
        int shards = plan.shard().count();
        HttpOptions.Builder options = value.asking().toHttpOptions(clients, shards);
        options.pacing(value.asking().connections().pacing().of(PeakRate.perSecond(plan) / shards, threads));
        HttpOptions built = options.build();
        details.put("connections", built.connections());
        if (threads > 1) {
            details.put("threads", threads);
        }
        if (!built.keepAlive()) {
            details.put("keepalive", "off");
        }
        details.put("pacing", built.pacing().name().toLowerCase(Locale.ROOT));
        return new HttpTarget(value.asking().request().toRequest(aim), built);
    }

    /** The same, to begin at a time by the clock of the wall. */
    Job startingAt(Instant start) {
        return new Job(target, plan.startingAt(start), slos, acceptUnsound, origin, seed, details, untilDecided);
    }
}
