package dev.downbeat.cli;

import dev.downbeat.http.HttpOptions;
import dev.downbeat.http.HttpRequest;
import dev.downbeat.http.HttpTarget;
import dev.downbeat.record.Recording;
import dev.downbeat.report.PlanFile;
import dev.downbeat.report.PrometheusText;
import dev.downbeat.run.LoadRun;
import dev.downbeat.run.Progress;
import dev.downbeat.run.RunPlan;
import dev.downbeat.run.Shard;
import dev.downbeat.run.ThinkTime;
import dev.downbeat.run.Workload;
import dev.downbeat.target.Target;
import dev.downbeat.verdict.Slo;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
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
import picocli.CommandLine.ParentCommand;
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
    /** So few that a cold start is no storm of handshakes, which two processes on one laptop would fight for. */
    private static final long DEMO_CONNECTIONS = 8;

    private static final int REHEARSAL_CLIENTS = 16;
    private static final Duration REHEARSAL = Duration.ofSeconds(4);

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

    @ParentCommand
    @Nullable
    Downbeat downbeat;

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli before anything runs
    CommandSpec spec;

    @Override
    public Integer call() throws IOException {
        if (shards.plan != null) {
            return new PlannedRun(this, shards.plan).run();
        }
        Console console = console();
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
        if (shards.count() > 1 && (target == null || QueueDemo.isMeant(target, queue))) {
            throw new TypeConversionException(
                    "a TARGET is missing: each shard would have an embedded service of its own");
        }
        if (target == null) {
            return demo(console, interruption);
        }
        if (QueueDemo.isMeant(target, queue)) {
            if (connection.connections == null) {
                connection.connections = DEMO_CONNECTIONS;
            }
            job(target); // all mistakes come to light before the queue starts
            try (QueueDemo demo = QueueDemo.start(List.of())) {
                queueDemo = demo;
                interruption.watch();
                rehearse(job(target).target(), interruption);
                return measure(target, console, interruption);
            }
        }
        return measure(target, console, interruption);
    }

    /** The demo's own process is cold too, and so is our TLS: what both load and compile is no part of the story. */
    private static void rehearse(Target demo, Interruption interruption) throws IOException {
        RunPlan plan = RunPlan.builder(new Workload.Closed(REHEARSAL_CLIENTS, ThinkTime.none()))
                .duration(REHEARSAL)
                .timeout(Duration.ofSeconds(2))
                .build();
        LoadRun rehearsal = new LoadRun(plan, demo);
        interruption.onFirst(rehearsal::stop);
        rehearsal.run(Progress.none());
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
        if (request.isGiven() || encryption.isGiven()) {
            throw new TypeConversionException("a TARGET is missing: -X, -H, --data and TLS options say how to ask it");
        }
        Demo.assume(load, connection, objective);
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
            return whole.plan().slice(load.toPlan(timing).workload(), turns);
        });
    }

    Job job(String target) throws IOException {
        boolean isQueue = QueueOptions.isQueue(target);
        QueueOptions.check(spec.commandLine().getParseResult(), isQueue);
        try {
            return isQueue ? queueJob(target) : httpJob(target);
        } catch (IllegalArgumentException refused) {
            throw new TypeConversionException(String.valueOf(refused.getMessage()));
        } catch (IOException unreadable) {
            throw new TypeConversionException("cannot read a file: " + Errors.ofFile(unreadable));
        }
    }

    private Job queueJob(String target) throws IOException {
        QueueTargets.Jars.refuseIfAbsent(queue);
        QueueTargets.checkPoll(queue, timing);
        RunPlan plan = load.toPlan(timing);
        QueueTargets.Words words = new QueueTargets.Words(
                queue, connection, encryption, request, spec.commandLine().getParseResult());
        QueueDemo demo = queueDemo;
        Target sqs = demo == null
                ? QueueTargets.of(QueueOptions.queue(target), words, load.closedClients())
                : QueueTargets.of(demo, words, load.closedClients());
        return job(sqs, plan, words.details(load.closedClients()));
    }

    private Job httpJob(String url) throws IOException {
        HttpRequest httpRequest = request.toRequest(url);
        RunPlan plan = load.toPlan(timing);
        int count = load.shard.count();
        HttpOptions.Builder connections = connection.toHttpOptions(load.closedClients(), timing.threads, count);
        connections.pacing(connection.pacing.of(PeakRate.perSecond(plan) / count, timing.threads));
        encryption.applyTo(connections.tls());
        HttpOptions options = connections.build();
        Map<String, Object> details = connection.details(options, timing.threads);
        return job(new HttpTarget(httpRequest, options), plan, details);
    }

    private Job job(Target target, RunPlan plan, Map<String, Object> ofTarget) throws IOException {
        List<Slo> slos = objective.slos();
        shards.checkSeed(load);
        Map<String, Object> details = new LinkedHashMap<>(ofTarget);
        ofShard(details);
        List<String> command = new ArrayList<>(List.of("downbeat"));
        command.addAll(originalWords());
        command.addAll(load.wordsUnsaid());
        return new Job(
                new WithoutSecrets(target),
                plan,
                slos,
                objective.acceptUnsound,
                Secrets.hide(command),
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

    private Console console() {
        Terminal terminal = Terminal.detect();
        Colour colour = downbeat == null ? Colour.AUTO : downbeat.colour;
        return new Console(
                spec.commandLine().getOut(),
                spec.commandLine().getErr(),
                terminal,
                colour.isOn(System.getenv(), terminal.isStdout()),
                downbeat != null && downbeat.verbose,
                output);
    }
}
