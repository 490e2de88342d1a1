package dev.downbeat.gatling.correction;

import dev.downbeat.exchange.ConnectionCounts;
import dev.downbeat.exchange.TargetCounts;
import dev.downbeat.gatling.ledger.Journal;
import dev.downbeat.gatling.settings.Settings;
import dev.downbeat.gatling.settings.SqsAccess;
import dev.downbeat.gatling.version.GatlingComponents;
import dev.downbeat.gatling.version.GatlingLauncher;
import dev.downbeat.run.RunSpan;
import io.gatling.core.CoreComponents;
import io.gatling.core.protocol.Protocol;
import io.gatling.core.structure.ScenarioContext;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/**
 * One run of a corrected simulation, from its parameters to its report. Gatling may run several in one JVM, one after
 * another; each has its own object and nothing is shared. Thread-safe.
 */
public final class CorrectedRun {
    private final Settings settings;
    private final String simulation;
    private final LoopConditions conditions;
    private final BiFunction<CoreComponents, CorrectedRun, Core> correction;
    private final List<CorrectedPopulation> populations = new ArrayList<>();
    private final IdentityMap<UserTiming> users = new IdentityMap<>();
    private final AtomicInteger clients = new AtomicInteger();
    private final Map<Long, Start> starts = new HashMap<>();
    private final GatlingLauncher launcher = GatlingLauncher.ofThisThread();
    private @Nullable SqsAccess sqs;
    private @Nullable Core core;
    private @Nullable RunWatch watch;

    /**
     * A run that has not begun.
     *
     * @param conditions those of all loops of the simulation
     * @param correction makes the corrected components of this run from Gatling's
     */
    CorrectedRun(
            Settings settings,
            String simulation,
            LoopConditions conditions,
            BiFunction<CoreComponents, CorrectedRun, Core> correction) {
        this.settings = settings;
        this.simulation = simulation;
        this.conditions = conditions;
        this.correction = correction;
    }

    /** Gatling's components, with Downbeat's in the places where a request's instants are visible. */
    interface Core {
        OverridableClock clock();

        Duration requestTimeout();

        /** The context for building a scenario with these components. */
        ScenarioContext context(
                ScenarioContext plain, scala.collection.immutable.Map<Class<? extends Protocol>, Protocol> protocols);
    }

    LoopConditions conditions() {
        return conditions;
    }

    public Settings settings() {
        return settings;
    }

    /** Access to queues; requires the AWS SDK. */
    public synchronized SqsAccess sqs() {
        SqsAccess access = sqs;
        if (access == null) {
            access = new SqsAccess(settings.sqs());
            sqs = access;
        }
        return access;
    }

    /** Whether any requests used Downbeat's own transports. */
    synchronized boolean sendsItself() {
        return sqs != null;
    }

    /** The request timeout: that of Downbeat's own requests if there were any, otherwise Gatling's. */
    Duration timeout() {
        return sendsItself() ? settings.sqs().requestTimeout() : built(core).requestTimeout();
    }

    synchronized ConnectionCounts connections() {
        return sqs == null ? ConnectionCounts.NONE : sqs.connections();
    }

    synchronized TargetCounts counts() {
        return sqs == null ? TargetCounts.NONE : sqs.counts();
    }

    void closeConnections() {
        SqsAccess access;
        synchronized (this) {
            access = sqs;
        }
        if (access != null) {
            access.close();
        }
    }

    String simulation() {
        return simulation;
    }

    /** Adds a population, before the run begins. */
    void add(CorrectedPopulation population) {
        populations.add(population);
    }

    List<CorrectedPopulation> populations() {
        return List.copyOf(populations);
    }

    /** The context for building a scenario. The first call is the first access to Gatling's components. */
    synchronized ScenarioContext context(
            ScenarioContext plain, scala.collection.immutable.Map<Class<? extends Protocol>, Protocol> protocols) {
        Core corrected = core;
        if (corrected == null) {
            CoreComponents components = plain.coreComponents();
            watch = new RunWatch(this);
            GatlingComponents.onTermination(components, this::report);
            corrected = correction.apply(components, this);
            core = corrected;
        }
        return corrected.context(plain, protocols);
    }

    OverridableClock clock() {
        return built(core).clock();
    }

    private RunWatch watch() {
        return built(watch);
    }

    private static <T> T built(@Nullable T part) {
        if (part == null) {
            throw new IllegalStateException("Gatling has not built this simulation yet");
        }
        return part;
    }

    /** The start that Gatling passes to all populations that begin together, in its own milliseconds. */
    synchronized Start start(long startMillis) {
        return starts.computeIfAbsent(startMillis, unused -> new Start(at -> watch().begin(at)));
    }

    GatlingLauncher launcher() {
        return launcher;
    }

    public Journal journal() {
        return watch().journal();
    }

    int nextClient() {
        return clients.incrementAndGet();
    }

    /**
     * The active users, each keyed by its session's own copy of the scenario name; users started elsewhere are absent.
     */
    IdentityMap<UserTiming> users() {
        return users;
    }

    /** Ends the run; further calls are ignored. */
    void end(RunSpan.Ending ending, Optional<String> reason) {
        watch().end(ending, reason);
    }

    void report() {
        watch().report();
    }
}
