package dev.downbeat.cli;

import dev.downbeat.run.RunPlan;
import dev.downbeat.simulate.RetryPolicy;
import dev.downbeat.simulate.Simulation;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

/** One run in virtual time. */
@Command(
        name = "simulate",
        header =
                "Runs a load against a service on paper, in virtual time: queues, stalls, timeouts, retries. The report"
                        + " is that of a real run.",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        usageHelpAutoWidth = true,
        synopsisHeading = "%n",
        customSynopsis = "downbeat simulate [CASE] [OPTION...]",
        footerHeading = "%nCases:%n",
        footer = {
            "  brooker-exponential[-closed-1|-closed-10]  one server, as open users and as",
            "  brooker-bimodal[-closed-1|-closed-10]      waiting clients see it",
            "  tene-freeze[-one-server|-cut-off]          100 s good, then 100 s frozen",
            "  retry-collapse, -unlimited, -three         retries that bring a service down",
            "  retry-budget, -jitter, -breaker            what helps against it, and what not"
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "  0:simulated; the objectives were met, or none was set",
            "  1:not one request was answered, or a result could not be written",
            "  2:the command line is wrong",
            " 98:not to be trusted, or an objective is undecided",
            " 99:an objective was missed",
            "130:interrupted (143 by SIGTERM): a partial report"
        })
final class SimulateCommand implements Callable<Integer> {
    private static final long REPAINT_NANOS = TimeUnit.MILLISECONDS.toNanos(250);

    @Parameters(
            index = "0",
            arity = "0..1",
            paramLabel = "CASE",
            description = "A known case, see below; options given beside it replace its own.")
    @Nullable
    String name;

    @Mixin(name = "Load")
    LoadOptions load = new LoadOptions();

    @Mixin(name = "Waiting")
    TimingOptions timing = new TimingOptions();

    @Mixin(name = "Service")
    ServiceOptions service = new ServiceOptions();

    @Mixin(name = "Retries")
    RetryOptions retry = new RetryOptions();

    @Mixin(name = "Objectives")
    ObjectiveOptions objective = new ObjectiveOptions();

    @Mixin(name = "Output")
    OutputOptions output = new OutputOptions();

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli before anything runs
    CommandSpec spec;

    @Override
    public Integer call() throws IOException {
        List<String> caseWords = name == null ? List.of() : expand(NamedCase.named(name));
        output.check();
        Console console = Console.of(spec, output);
        if (!caseWords.isEmpty()) {
            console.note("this is: downbeat simulate " + String.join(" ", caseWords));
        }
        Interruption interruption = new Interruption();
        RunPlan plan = plan();
        long seed = ~load.theSeed().value(); // not that of the arrivals
        RetryPolicy policy = retry.toPolicy();
        Simulation simulation = simulation(plan, policy, seed);
        Job job = job(simulation, plan);
        interruption.watch();
        interruption.onFirst(simulation::stop);
        Simulation.Simulated simulated = run(simulation, console);
        Measurement measurement = new Measurement(console, interruption);
        int code = measurement.report(job, simulated.result(), Optional.of(simulated.queue()));
        measurement.finished();
        return code;
    }

    /** Parses again, with the words of the case before those that were given; returns the case's words that count. */
    private List<String> expand(NamedCase known) {
        ParseResult given = spec.commandLine().getParseResult();
        List<String> words = new ArrayList<>(known.without(
                option -> spec.findOption(option) != null && given.hasMatchedOption(spec.findOption(option))));
        List<String> caseWords = List.copyOf(words);
        for (OptionSpec option : given.matchedOptionsSet()) {
            for (String value : option.originalStringValues()) {
                words.add(option.longestName() + "=" + value);
            }
        }
        spec.commandLine().parseArgs(words.toArray(String[]::new));
        return caseWords;
    }

    private RunPlan plan() throws IOException {
        if (timing.threads != 1) {
            throw new TypeConversionException("--threads must be 1: virtual time has one thread only");
        }
        return load.toPlan(timing);
    }

    private Simulation simulation(RunPlan plan, RetryPolicy policy, long seed) {
        try {
            return new Simulation(plan, service.toService(), policy, seed, service.toConnections());
        } catch (IllegalArgumentException refused) {
            throw new TypeConversionException(Messages.of(refused));
        }
    }

    private Job job(Simulation simulation, RunPlan plan) {
        Map<String, Object> details = new LinkedHashMap<>();
        if (service.connections != Simulation.CONNECTIONS) {
            details.put("connections", service.connections);
        }
        details.putAll(retry.details());
        return new Job(
                simulation.target(),
                plan,
                objective.slos(),
                objective.acceptUnsound,
                Console.words(spec, load.wordsUnsaid()),
                load.seedText(),
                details,
                false);
    }

    private static Simulation.Simulated run(Simulation simulation, Console console) {
        AtomicLong seenNanos = new AtomicLong();
        boolean painted = !console.output().quiet && console.terminal().isStderr();
        Painter painter = painted
                ? Painter.repainting(
                        console.err(),
                        () -> List.of("downbeat simulate: " + PlanText.seconds(seenNanos.get()) + " of virtual time"),
                        REPAINT_NANOS)
                : Painter.none();
        try {
            return simulation.run(interval -> seenNanos.set(interval.endNanos()));
        } finally {
            painter.close();
        }
    }
}
