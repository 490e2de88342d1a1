package dev.downbeat.cli;

import dev.downbeat.exchange.Target;
import dev.downbeat.record.Recording;
import dev.downbeat.report.file.PlanFile;
import dev.downbeat.report.file.PrometheusText;
import dev.downbeat.run.RunPlan;
import dev.downbeat.run.Shard;
import dev.downbeat.verdict.Slo;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

/** One measurement. */
@Command(
        name = "run",
        header = "Measures a service, or an embedded one that stalls once if there is no TARGET.",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        usageHelpAutoWidth = true,
        synopsisHeading = "%n",
        customSynopsis = "downbeat run [TARGET] [OPTION...]",
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "  0:measured; the objectives were met, or none was set",
            "  1:nothing could be measured, or a result could not be written",
            "  2:the command line is wrong",
            " 98:measured, but not to be trusted, or an objective is undecided",
            " 99:an objective was missed",
            "130:interrupted (143 by SIGTERM): a partial report"
        })
final class RunCommand implements Callable<Integer> {
    @Parameters(
            index = "0",
            arity = "0..1",
            paramLabel = "TARGET",
            description =
                    "http://..., https://..., unix:/socket:/path, an SQS queue's URL, sqs:QUEUE, or sqs:demo: a queue"
                            + " on this machine that needs no account.")
    @Nullable
    String target;

    @Mixin(name = "Load")
    LoadOptions load = new LoadOptions();

    @Mixin(name = "Length")
    LengthOptions length = new LengthOptions();

    @Mixin(name = "Asking")
    AskingOptions asking = new AskingOptions();

    @Mixin(name = "Objectives")
    ObjectiveOptions objective = new ObjectiveOptions();

    @Mixin(name = "Variants")
    VaryOptions vary = new VaryOptions();

    @Mixin(name = "Shards")
    ShardOptions shards = new ShardOptions();

    @Mixin(name = "Output")
    OutputOptions output = new OutputOptions();

    @Option(
            names = "--prometheus",
            paramLabel = "[HOST]:PORT",
            converter = ListenAddress.Converter.class,
            description = "While it runs, tells Prometheus at /metrics how it stands.")
    @Nullable
    InetSocketAddress prometheus;

    @Option(
            names = {"-L", "--latency"},
            hidden = true,
            description = "What other tools need for percentiles; does nothing.")
    boolean percentiles;

    private @Nullable QueueDemo queueDemo;

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli before anything runs
    CommandSpec spec;

    @Override
    public Integer call() throws IOException {
        if (shards.plan != null) {
            return new PlannedRun(this, shards.plan).run();
        }
        Console console = Console.of(spec, output);
        shards.check(spec.commandLine().getParseResult());
        if (shards.shard != null) {
            load.shard = shards.shard;
            load.start = shards.start();
            output.nameShard(shards.shard.index());
        }
        length.applyTo(load, objective);
        output.check();
        vary.check(spec.commandLine().getParseResult());
        Interruption interruption = new Interruption();
        if (shards.count() > 1 && (target == null || QueueDemo.isMeant(target, asking.queue))) {
            throw new TypeConversionException(
                    "a TARGET is missing: each shard would have an embedded service of its own");
        }
        if (target == null) {
            return demo(console, interruption);
        }
        if (QueueDemo.isMeant(target, asking.queue)) {
            QueueDemo.assume(asking.connection);
            job(target); // all mistakes come to light before the queue starts
            try (QueueDemo demo = QueueDemo.start(List.of())) {
                queueDemo = demo;
                interruption.watch();
                QueueDemo.rehearse(job(target).target(), interruption);
                return measure(target, console, interruption);
            }
        }
        return measure(target, console, interruption);
    }

    private int measure(String target, Console console, Interruption interruption) throws IOException {
        if (vary.isGiven()) {
            if (prometheus != null) {
                throw new TypeConversionException("--vary and --prometheus are mutually exclusive");
            }
            return new VariedRun(this, target, console, interruption).run();
        }
        if (shards.processes > 1) {
            return processes(target, console, interruption);
        }
        boolean unsaid = load.isUnsaid();
        Job job = job(target);
        if (unsaid) {
            console.note("no load was given: taking " + PlanText.load(job.plan()) + " (say -R and -d)");
        }
        watchOnce(interruption);
        Measurement measurement = new Measurement(console, interruption);
        if (shards.isStartTold()) {
            measurement.startingWhenTold();
        }
        if (prometheus == null) {
            return measurement.run(job);
        }
        try (PrometheusEndpoint endpoint = PrometheusEndpoint.start(prometheus, () -> nothingYet(job))) {
            console.note("http://" + prometheus.getHostString() + ":" + endpoint.port() + "/metrics");
            measurement.show(endpoint);
            return measurement.run(job);
        }
    }

    private int processes(String target, Console console, Interruption interruption) throws IOException {
        load.shard = new Shard(0, shards.processes);
        Job job = job(target); // all mistakes come to light, and it draws the seed
        load.shard = Shard.WHOLE;
        PlanFile plan = PlanMaker.plan(
                spec.commandLine().getParseResult(), Set.of(), load.wordsUnsaid(), job, shards.processes);
        interruption.watch();
        return new Processes(console, interruption, plan, objective.acceptUnsound).run();
    }

    private static PrometheusText.Standing nothingYet(Job job) {
        return new PrometheusText.Standing(Version.text(), job.target().describe(), Recording.empty(), 0, 0);
    }

    /** The demo of a queue watches from before its start. */
    void watchOnce(Interruption interruption) {
        if (queueDemo == null) {
            interruption.watch();
        }
    }

    /** A command with the same options but for its words, and the same queue. */
    void takeQueueOf(RunCommand other) {
        queueDemo = other.queueDemo;
    }

    private int demo(Console console, Interruption interruption) throws IOException {
        if (prometheus != null) {
            throw new TypeConversionException("a TARGET is missing: the demo is too short to be watched");
        }
        if (vary.isGiven()) {
            throw new TypeConversionException("a TARGET is missing: --vary says what to vary, not what to measure");
        }
        if (asking.request.isGiven() || asking.encryption.isGiven()) {
            throw new TypeConversionException("a TARGET is missing: -X, -H, --data and TLS options say how to ask it");
        }
        Demo.assume(load, asking.connection, objective);
        job("http://127.0.0.1/"); // all mistakes come to light before the server starts
        interruption.watch();
        try (Demo demo = Demo.start()) {
            return demo.run(new Measurement(console, interruption), job(demo.uri()));
        }
    }

    /** One of several systems that are measured in turns. */
    SlicedJob sliced(String name, String target, int turns) throws IOException {
        Job whole = job(target);
        if (!load.isSteady()) {
            throw new TypeConversionException("slices must be alike: give a steady load (-R, --closed or --sessions)"
                    + " without a ramp, stages or a replay");
        }
        return new SlicedJob(name, whole, turn -> {
            load.turn = turn;
            return whole.plan().slice(load.toPlan(asking.timing).workload(), turns);
        });
    }

    Job job(String target) throws IOException {
        asking.check(target);
        try {
            RunPlan plan = load.toPlan(asking.timing);
            AskingOptions.Asked asked = asking.of(target, plan, load.closedClients(), queueDemo);
            return job(asked.target(), plan, asked.details());
        } catch (IllegalArgumentException refused) {
            throw new TypeConversionException(String.valueOf(refused.getMessage()));
        } catch (IOException unreadable) {
            throw new TypeConversionException("cannot read a file: " + Errors.ofFile(unreadable));
        }
    }

    private Job job(Target target, RunPlan plan, Map<String, Object> ofTarget) throws IOException {
        List<Slo> slos = objective.slos();
        shards.checkSeed(load);
        Map<String, Object> details = new LinkedHashMap<>(ofTarget);
        ofShard(details);
        return new Job(
                target,
                plan,
                slos,
                objective.acceptUnsound,
                Console.words(spec, load.wordsUnsaid()),
                load.seedText(),
                details,
                length.untilDecided);
    }

    private void ofShard(Map<String, Object> details) throws IOException {
        if (shards.shard == null) {
            return;
        }
        List<String> words = PlanWords.of(spec.commandLine().getParseResult(), Set.of());
        String id = PlanWords.id(words, shards.shard.count());
        if (shards.planId != null) {
            PlannedRun.check(shards.planId, id);
        }
        details.put(ShardFiles.PLAN_ID, id);
        details.put(ShardFiles.SHARD, shards.shard.toString());
    }

    List<String> originalWords() {
        return spec.root().commandLine().getParseResult().originalArgs();
    }
}
