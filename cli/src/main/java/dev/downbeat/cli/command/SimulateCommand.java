package dev.downbeat.cli.command;

import dev.downbeat.cli.console.Console;
import dev.downbeat.cli.console.ErrorLines;
import dev.downbeat.cli.console.Interruption;
import dev.downbeat.cli.file.SavedArguments.Origin;
import dev.downbeat.cli.file.SavedArguments.Repeatable;
import dev.downbeat.cli.job.Job;
import dev.downbeat.cli.job.MeasurementRun;
import dev.downbeat.cli.measurement.ParsedOptions;
import dev.downbeat.cli.measurement.SimulationOptions;
import dev.downbeat.cli.measurement.option.Refusal;
import dev.downbeat.cli.measurement.option.Seed;
import dev.downbeat.cli.measurement.option.Values;
import dev.downbeat.cli.terminal.Painter;
import dev.downbeat.report.render.ShellWords;
import dev.downbeat.run.RunPlan;
import dev.downbeat.simulate.Simulation;
import dev.downbeat.stats.Numbers;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.TypeConversionException;

@Command(
        name = "simulate",
        header = "Simulates a load and a service in virtual time.",
        customSynopsis = "downbeat simulate [CASE] [OPTION...]",
        footerHeading = "%nCases:%n",
        footer = {
            "  brooker-exponential[-closed-1|-closed-10]  one server under open load, or",
            "  brooker-bimodal[-closed-1|-closed-10]      in a closed loop",
            "  tene-freeze[-one-server|-cut-off]          100 s good, then 100 s frozen",
            "  retry-collapse, retry-unlimited, -three    retries that bring a service down",
            "  retry-budget, -jitter, -breaker            what prevents it and what does not"
        },
        exitCodeList = {
            "  0:simulated; the objectives were met, or none was set",
            "  1:nothing could be measured, or a result could not be written",
            "  2:invalid command line",
            " 98:an objective is undecided, or nothing was answered",
            " 99:an objective was missed",
            "130:interrupted (143 by SIGTERM, 129 by SIGHUP): a partial report"
        })
public final class SimulateCommand extends AnyCommand.ResultCommand implements Repeatable<SimulationOptions> {

    @Parameters(
            index = "0",
            arity = "0..1",
            paramLabel = "CASE",
            description = "A case from the list below; given options override its own.")
    @Nullable
    String name;

    private final ParsedOptions<SimulationOptions> options = new ParsedOptions<>(SimulationOptions.class);

    @Mixin(name = "Simulated")
    final CommandSpec optionSpec = options.spec();

    private @Nullable SimulationOptions repeated;

    @Override
    public void repeat(SimulationOptions value) {
        repeated = value;
    }

    @Override
    public SimulationOptions value() {
        if (name != null) {
            return options.overriding(NamedCase.named(name).value());
        }
        return repeated == null ? options.value() : options.overriding(repeated);
    }

    @Override
    List<Path> filesRead() {
        return Values.paths(value());
    }

    @Override
    int call(Console console) throws IOException {
        SimulationOptions value = value().resolved();
        if (name != null) {
            console.note("equivalent to: "
                    + ShellWords.line(Origin.of("simulate", value).command()));
        }
        Interruption interruption = new Interruption();
        RunPlan plan = Refusal.wrap(value::plan);
        Simulation simulation = simulation(value, plan);
        Job job = job(value, simulation, plan);
        interruption.watch();
        interruption.onFirst(simulation::stop);
        Simulation.Simulated simulated = run(simulation, console);
        MeasurementRun measuring = new MeasurementRun(console, interruption);
        int code = measuring.report(job, simulated.result(), Optional.of(simulated.queue()));
        interruption.finished();
        return code;
    }

    private static Simulation simulation(SimulationOptions value, RunPlan plan) {
        long seed = ~value.load().seed().orElseThrow().value(); // separate from the seed of the arrivals
        return Refusal.wrap(() -> new Simulation(
                plan, value.service().toService(), value.retries().toPolicy(), seed, (int)
                        value.service().connections()));
    }

    private static Job job(SimulationOptions value, Simulation simulation, RunPlan plan) {
        Map<String, Object> details = new LinkedHashMap<>();
        if (value.service().connections() != Simulation.CONNECTIONS) {
            details.put("connections", value.service().connections());
        }
        details.putAll(value.retries().details());
        return new Job(
                simulation.target(),
                plan,
                value.objectives().slos(),
                value.objectives().acceptUnsound(),
                value.certainty().rigour(),
                Origin.of("simulate", value),
                value.load().seed().map(Seed::toString),
                details,
                false);
    }

    private static Simulation.Simulated run(Simulation simulation, Console console) {
        AtomicLong seenNanos = new AtomicLong();
        Painter painter = console.progress(
                () -> "downbeat simulate: simulated " + Numbers.seconds(seenNanos.get()) + " of virtual time");
        try {
            return simulation.run(interval -> seenNanos.set(interval.endNanos()));
        } finally {
            painter.close();
        }
    }

    /** A named simulation: the arguments of a command line, so that users can vary it. */
    record NamedCase(String name, List<String> words) {
        private static final String BIMODAL_RATE = "--rate 727934/100s";
        private static final String BIMODAL = " --service hyperexp:100us,10ms,0.1%";
        private static final String EXPONENTIAL = " --service exp:100us";
        private static final String RETRIED = BIMODAL_RATE + " --duration 5s" + BIMODAL + " --attempt-timeout 15ms";
        private static final String TENE = "--rate 100 --arrivals constant --duration 200s --service 1ms --timeout 10m";

        static final List<NamedCase> ALL = List.of(
                of("brooker-exponential", "--rate 8k/s --requests 1M" + EXPONENTIAL),
                of("brooker-exponential-closed-1", "--closed 1 --requests 1M" + EXPONENTIAL),
                of("brooker-exponential-closed-10", "--closed 10 --think exp:1.145ms --requests 1M" + EXPONENTIAL),
                of("brooker-bimodal", BIMODAL_RATE + " --requests 4M" + BIMODAL),
                of("brooker-bimodal-closed-1", "--closed 1 --requests 1M" + BIMODAL),
                of("brooker-bimodal-closed-10", "--closed 10 --think exp:1.2584ms --requests 1M" + BIMODAL),
                of("tene-freeze", TENE + " --servers 20k --stall 100s@100s"),
                of("tene-freeze-one-server", TENE + " --servers 1 --stall 100s@100s"),
                of("tene-freeze-cut-off", TENE + " --servers 20k --stall 1h@100s --drain 0s"),
                of("retry-collapse", RETRIED + " --attempts unlimited --give-up answer --drain 0s"),
                of("retry-unlimited", RETRIED + " --attempts unlimited --drain 0s"),
                of("retry-three", RETRIED + " --attempts 3 --drain 0s"),
                of(
                        "retry-jitter",
                        RETRIED + " --attempts 3 --retry-delay 20ms --retry-backoff 2 --retry-jitter full --drain 0s"),
                of("retry-budget", RETRIED + " --attempts 3 --retry-budget 10%"),
                of("retry-breaker", RETRIED + " --attempts 3 --breaker 50% --breaker-open 100ms"));

        NamedCase {
            words = List.copyOf(words);
        }

        private static NamedCase of(String name, String words) {
            return new NamedCase(name, Arrays.asList(words.split(" ", -1)));
        }

        static NamedCase named(String name) {
            return ALL.stream()
                    .filter(known -> known.name.equals(name))
                    .findFirst()
                    .orElseThrow(() -> new TypeConversionException("unknown case '" + name + "'"
                            + ErrorLines.Suggestions.orAll(
                                    name, ALL.stream().map(NamedCase::name).toList())));
        }

        SimulationOptions value() {
            Map<String, List<String>> texts = new HashMap<>();
            for (int i = 0; i < words.size(); i += 2) {
                texts.put(words.get(i), List.of(words.get(i + 1)));
            }
            return Values.of(SimulationOptions.class, texts);
        }
    }
}
