package dev.downbeat.gatling.correction;

import dev.downbeat.gatling.settings.DownbeatProtocol;
import dev.downbeat.gatling.settings.Settings;
import dev.downbeat.gatling.version.EnvironmentCheck;
import dev.downbeat.gatling.version.GatlingComponents;
import dev.downbeat.gatling.version.GatlingLauncher;
import dev.downbeat.gatling.version.Scalas;
import dev.downbeat.gatling.version.UserMistake;
import dev.downbeat.run.RunSpan;
import io.gatling.core.action.builder.ActionBuilder;
import io.gatling.core.protocol.Protocol;
import io.gatling.core.scenario.SimulationParams;
import io.gatling.core.structure.PopulationBuilder;
import io.gatling.core.structure.ScenarioBuilder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import scala.Function0;
import scala.runtime.BoxedUnit;

/** Assembles the corrected form of a simulation: its scenarios, its populations, and the run that they belong to. */
public final class CorrectedSimulation {
    private final ScenarioRewriter rewriting = new ScenarioRewriter();
    private final SimulationParams plain;
    private final CorrectedRun run;

    private CorrectedSimulation(SimulationParams plain, Settings settings, String simulation) {
        this.plain = plain;
        this.run = new CorrectedRun(settings, simulation, rewriting.conditions(), CorrectedCore::new);
    }

    /** Returns the corrected form of a simulation. */
    public static SimulationParams corrected(SimulationParams plain, String simulation) {
        Settings.refuseUnknown(System.getProperties());
        Settings settings = Settings.of(changes(plain).andThen(Settings.properties(System::getProperty)));
        return new CorrectedSimulation(plain, settings, simulation).corrected();
    }

    private static Consumer<Settings.Draft> changes(SimulationParams plain) {
        scala.Option<Protocol> ours = plain.globalProtocols().get(DownbeatProtocol.class);
        return ours.isDefined() && ours.get() instanceof DownbeatProtocol protocol ? protocol.changes() : draft -> {};
    }

    private SimulationParams corrected() {
        run.settings().folder().ifPresent(CorrectedSimulation::prepare);
        if (run.settings().canFailBuild()) {
            EnvironmentCheck.requireFailingBuild(run.launcher().canFailBuild());
        }
        List<PopulationBuilder> roots = new ArrayList<>();
        for (PopulationBuilder root : Scalas.java(plain.rootPopulationBuilders())) {
            roots.add(population(root));
        }
        rewriting.refusals().stream().distinct().forEach(refusal -> System.err.println("downbeat: " + refusal));
        Function0<BoxedUnit> after = () -> {
            run.end(RunSpan.Ending.COMPLETE, Optional.empty());
            GatlingComponents.after(plain);
            if (run.launcher() == GatlingLauncher.SBT) {
                run.report();
            }
            return BoxedUnit.UNIT;
        };
        return GatlingComponents.with(plain, roots, after);
    }

    /** Before the run, since otherwise its results would be lost. */
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

    private PopulationBuilder population(PopulationBuilder original) {
        if (original.scenarioProtocols().contains(DownbeatProtocol.class)) {
            throw new UserMistake("Downbeat.protocol() is for the whole run, but is set on scenario "
                    + original.scenarioBuilder().name() + " only: give it to setUp(...).protocols(...)");
        }
        ScenarioBuilder scenario = rewriting.rewritten(original.scenarioBuilder());
        CorrectedPopulation profile = new CorrectedPopulation(original.injectionProfile(), run);
        ActionBuilder root = profile.root(scenario, both(plain.globalProtocols(), original.scenarioProtocols()));
        run.add(profile);
        List<scala.collection.immutable.List<PopulationBuilder>> children = new ArrayList<>();
        for (scala.collection.immutable.List<PopulationBuilder> group : Scalas.java(original.children())) {
            List<PopulationBuilder> corrected = new ArrayList<>();
            for (PopulationBuilder child : Scalas.java(group)) {
                corrected.add(population(child));
            }
            children.add(Scalas.scala(corrected));
        }
        return new PopulationBuilder(
                new ScenarioBuilder(scenario.name(), Scalas.scala(List.of(root))),
                profile,
                original.scenarioProtocols(),
                original.scenarioThrottleSteps(),
                original.pauseType(),
                Scalas.scala(children),
                original.shard());
    }

    @SuppressWarnings({"unchecked", "rawtypes"}) // Java cannot express Scala's bounds
    private static scala.collection.immutable.Map<Class<? extends Protocol>, Protocol> both(
            scala.collection.immutable.Map<Class<? extends Protocol>, Protocol> global,
            scala.collection.immutable.Map<Class<? extends Protocol>, Protocol> own) {
        return (scala.collection.immutable.Map) global.concat((scala.collection.IterableOnce) own);
    }
}
