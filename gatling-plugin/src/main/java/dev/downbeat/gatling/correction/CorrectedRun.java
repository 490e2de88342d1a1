package dev.downbeat.gatling.correction;

import dev.downbeat.exchange.ConnectionCounts;
import dev.downbeat.exchange.TargetCounts;
import dev.downbeat.gatling.ledger.Journal;
import dev.downbeat.gatling.settings.DownbeatProtocol;
import dev.downbeat.gatling.settings.Settings;
import dev.downbeat.gatling.settings.SqsAccess;
import dev.downbeat.gatling.version.GatlingComponents;
import dev.downbeat.gatling.version.GatlingLauncher;
import dev.downbeat.gatling.version.Scalas;
import dev.downbeat.gatling.version.UserMistake;
import dev.downbeat.run.RunSpan;
import io.gatling.core.CoreComponents;
import io.gatling.core.action.builder.ActionBuilder;
import io.gatling.core.protocol.Protocol;
import io.gatling.core.scenario.SimulationParams;
import io.gatling.core.structure.PopulationBuilder;
import io.gatling.core.structure.ScenarioBuilder;
import io.gatling.core.structure.ScenarioContext;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import scala.Function0;
import scala.runtime.BoxedUnit;

/**
 * One run of a corrected simulation, from its parameters to its report. Gatling may run several in one JVM, one after
 * another; each has its own object and nothing is shared. Thread-safe.
 */
public final class CorrectedRun {
    private final Settings settings;
    private final String simulation;
    private final ScenarioRewriter rewriting = new ScenarioRewriter();
    private final List<CorrectedPopulation> populations = new ArrayList<>();
    private final IdentityMap<UserTiming> users = new IdentityMap<>();
    private final AtomicInteger clients = new AtomicInteger();
    private final Map<Long, Start> starts = new HashMap<>();
    private final GatlingLauncher launcher = GatlingLauncher.ofThisThread();
    private @Nullable SqsAccess sqs;
    private @Nullable CorrectedCore core;
    private @Nullable RunWatch watch;

    private CorrectedRun(Settings settings, String simulation) {
        this.settings = settings;
        this.simulation = simulation;
    }

    /** Returns the corrected form of a simulation. */
    public static SimulationParams corrected(SimulationParams plain, String simulation) {
        Settings.refuseUnknown(System.getProperties());
        Settings settings = Settings.of(changes(plain).andThen(Settings.properties(System::getProperty)));
        return new CorrectedRun(settings, simulation).correct(plain);
    }

    private static Consumer<Settings.Draft> changes(SimulationParams plain) {
        scala.Option<Protocol> ours = plain.globalProtocols().get(DownbeatProtocol.class);
        return ours.isDefined() && ours.get() instanceof DownbeatProtocol protocol ? protocol.changes() : draft -> {};
    }

    private SimulationParams correct(SimulationParams plain) {
        settings.folder().ifPresent(CorrectedRun::prepare);
        List<PopulationBuilder> roots = new ArrayList<>();
        for (PopulationBuilder root : Scalas.java(plain.rootPopulationBuilders())) {
            roots.add(population(root, plain));
        }
        rewriting.refusals().stream().distinct().forEach(refusal -> System.err.println("downbeat: " + refusal));
        Function0<BoxedUnit> after = () -> {
            end(RunSpan.Ending.COMPLETE, Optional.empty());
            GatlingComponents.after(plain);
            if (launcher == GatlingLauncher.SBT) {
                watch().report();
            }
            return BoxedUnit.UNIT;
        };
        return GatlingComponents.with(plain, roots, after);
    }

    /** Before the run, whose results would be lost. */
    private static void prepare(Path folder) {
        boolean isReady = Files.isDirectory(folder);
        try {
            isReady = isReady || Files.isDirectory(Files.createDirectories(folder));
            RunReporter.removeOlder(folder);
        } catch (IOException impossible) {
            isReady = false;
        }
        if (!isReady || !Files.isWritable(folder)) {
            throw new UserMistake("results cannot be saved to " + folder + " (saveTo): it is not a writable folder");
        }
    }

    private PopulationBuilder population(PopulationBuilder plain, SimulationParams params) {
        if (plain.scenarioProtocols().contains(DownbeatProtocol.class)) {
            throw new UserMistake("Downbeat.protocol() is for the whole run, but is set on scenario "
                    + plain.scenarioBuilder().name() + " only: give it to setUp(...).protocols(...)");
        }
        ScenarioBuilder scenario = rewriting.rewritten(plain.scenarioBuilder());
        CorrectedPopulation profile = new CorrectedPopulation(plain.injectionProfile(), this);
        ActionBuilder root = profile.root(scenario, both(params.globalProtocols(), plain.scenarioProtocols()));
        populations.add(profile);
        List<scala.collection.immutable.List<PopulationBuilder>> children = new ArrayList<>();
        for (scala.collection.immutable.List<PopulationBuilder> group : Scalas.java(plain.children())) {
            List<PopulationBuilder> corrected = new ArrayList<>();
            for (PopulationBuilder child : Scalas.java(group)) {
                corrected.add(population(child, params));
            }
            children.add(Scalas.scala(corrected));
        }
        return new PopulationBuilder(
                new ScenarioBuilder(scenario.name(), Scalas.scala(List.of(root))),
                profile,
                plain.scenarioProtocols(),
                plain.scenarioThrottleSteps(),
                plain.pauseType(),
                Scalas.scala(children),
                plain.shard());
    }

    @SuppressWarnings({"unchecked", "rawtypes"}) // Java cannot express Scala's bounds
    private static scala.collection.immutable.Map<Class<? extends Protocol>, Protocol> both(
            scala.collection.immutable.Map<Class<? extends Protocol>, Protocol> global,
            scala.collection.immutable.Map<Class<? extends Protocol>, Protocol> own) {
        return (scala.collection.immutable.Map) global.concat((scala.collection.IterableOnce) own);
    }

    LoopConditions conditions() {
        return rewriting.conditions();
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
        return sendsItself()
                ? settings.sqs().requestTimeout()
                : Duration.ofNanos(built(core)
                        .core()
                        .configuration()
                        .http()
                        .requestTimeout()
                        .toNanos());
    }

    /** Connection counts of Downbeat's own requests. */
    synchronized ConnectionCounts connections() {
        return sqs == null ? ConnectionCounts.NONE : sqs.connections();
    }

    /** Message counts. */
    synchronized TargetCounts counts() {
        return sqs == null ? TargetCounts.NONE : sqs.counts();
    }

    /** Closes the connections of Downbeat's own requests. */
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

    List<CorrectedPopulation> populations() {
        return List.copyOf(populations);
    }

    /** The context for building a scenario. The first call is the first access to Gatling's components. */
    synchronized ScenarioContext context(
            ScenarioContext plain, scala.collection.immutable.Map<Class<? extends Protocol>, Protocol> protocols) {
        CorrectedCore corrected = core;
        if (corrected == null) {
            CoreComponents components = plain.coreComponents();
            watch = new RunWatch(this);
            GatlingComponents.onTermination(components, () -> watch().report());
            corrected = new CorrectedCore(components, this);
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

    /** The launcher that started Gatling. */
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
}
