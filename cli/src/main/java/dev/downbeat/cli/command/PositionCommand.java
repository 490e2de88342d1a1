package dev.downbeat.cli.command;

import dev.downbeat.cli.console.Console;
import dev.downbeat.cli.console.Interruption;
import dev.downbeat.cli.console.NoMeasurement;
import dev.downbeat.cli.file.SavedArguments.Origin;
import dev.downbeat.cli.job.SelfWarmUp;
import dev.downbeat.cli.measurement.ClientOptions;
import dev.downbeat.cli.measurement.DatabaseOptions;
import dev.downbeat.cli.measurement.ParsedOptions;
import dev.downbeat.cli.measurement.Positions;
import dev.downbeat.cli.measurement.QueueOptions;
import dev.downbeat.cli.measurement.Requests;
import dev.downbeat.cli.measurement.option.Messages;
import dev.downbeat.cli.measurement.option.Refusal;
import dev.downbeat.cli.measurement.option.Values;
import dev.downbeat.cli.shard.ShardPart;
import dev.downbeat.cli.targets.AwsKeys;
import dev.downbeat.cli.targets.CommandTargets;
import dev.downbeat.cli.targets.HttpJob;
import dev.downbeat.cli.targets.QueueDemo;
import dev.downbeat.cli.targets.QueueSafeguard;
import dev.downbeat.cli.targets.QueueTargets;
import dev.downbeat.cli.terminal.Painter;
import dev.downbeat.cli.terminal.PlanText;
import dev.downbeat.cli.terminal.Version;
import dev.downbeat.cli.turns.VariedValue;
import dev.downbeat.cli.turns.VaryOptions;
import dev.downbeat.exchange.Target;
import dev.downbeat.http.HttpTarget;
import dev.downbeat.http.message.HttpRequests;
import dev.downbeat.http.options.HttpEndpoint;
import dev.downbeat.http.options.HttpOptions;
import dev.downbeat.http.wait.Pacing;
import dev.downbeat.report.data.PositionReport;
import dev.downbeat.report.view.position.PositionVariantsView;
import dev.downbeat.report.view.position.PositionView;
import dev.downbeat.run.SerialPlan;
import dev.downbeat.run.SerialResult;
import dev.downbeat.run.engine.SerialRuns;
import dev.downbeat.selfcheck.MachineProfile;
import dev.downbeat.time.NanoClock;
import dev.downbeat.verdict.ExitCode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;

@Command(
        name = "position",
        header = "Shows how times depend on the position on the connection.",
        customSynopsis = "downbeat position TARGET [OPTION...]",
        exitCodeList = {
            "  0:measured, whatever was found",
            "  1:nothing could be measured, or a result could not be written",
            "  2:invalid command line",
            " 98:measured, but unsound, or too little data for the cost of a new connection",
            "130:interrupted (143 by SIGTERM, 129 by SIGHUP): a partial report"
        })
public final class PositionCommand extends AnyCommand.ResultCommand {

    /** Options that {@code run} varies in turns are measured one after another here. */
    static final class VaryPositions {
        @Option(
                names = "--vary",
                paramLabel = "NAME=V,W...",
                description = "Measures all combinations in sequence and shows them side by side; repeatable. Names:"
                        + " url, http, max-requests, replace-after, lookup, tcp-keepalive, resume, tls-version, tls-engine;"
                        + " with SQS also transport, endpoint, region, retries, batch-size, message-size.")
        private List<String> given = new ArrayList<>();

        boolean isGiven() {
            return !given.isEmpty();
        }

        List<List<VariedValue>> combinations() {
            return VaryOptions.combinations(given);
        }

        String[] given() {
            return given.stream()
                    .map(one -> "--vary=" + VariedValue.redacted(one))
                    .toArray(String[]::new);
        }
    }

    private final ParsedOptions<Positions> options = new ParsedOptions<>(Positions.class);

    @Mixin(name = "Positions")
    final CommandSpec optionSpec = options.spec();

    @Mixin(name = "Variants")
    VaryPositions vary = new VaryPositions();

    @Option(names = "--accept-unsound", description = "Exits with 0 instead of 98 for an unsound measurement.")
    boolean acceptUnsound;

    @Override
    List<Path> filesRead() {
        Positions value = options.value();
        return vary.combinations().stream()
                .map(settings -> VariedValue.of(value, settings))
                .flatMap(one -> one.asking().neededFiles(one.target()).stream())
                .toList();
    }

    @Override
    int call(Console console) throws IOException {
        Interruption interruption = new Interruption();
        return interruption.guard(console, () -> measure(console, interruption));
    }

    private int measure(Console console, Interruption interruption) throws IOException {
        console.checkFormats("positions");
        Positions value = options.value().resolved();
        List<Varied> all = new ArrayList<>();
        for (List<VariedValue> settings : vary.combinations()) {
            Varied one = varied(value, settings);
            one.target(null); // detect mistakes first
            all.add(one);
        }
        Optional<Long> requests = Optional.of(
                (long) all.get(0).plan().shares() * all.get(0).plan().requests());
        QueueSafeguard.Work work = new QueueSafeguard.Work(
                value.target(),
                value.asking(),
                all.stream().map(one -> one.value().asking()).toList(),
                requests,
                true);
        QueueSafeguard.checkOthers(
                work,
                all.stream()
                        .map(one -> QueueSafeguard.Work.of(
                                one.value().target(), one.value().asking(), requests))
                        .toList(),
                console);
        if (!value.queue().isDemo(value.target())) {
            QueueSafeguard.check(work, console);
            return measure(value, all, null, console, interruption);
        }
        try (QueueDemo demo = QueueDemo.start()) {
            return measure(value, all, demo, console, interruption);
        }
    }

    private static Varied varied(Positions value, List<VariedValue> settings) {
        for (VariedValue setting : settings) {
            VariedValue.Varied varied = setting.varied();
            Refusal.when(!Values.knows(Positions.class, varied.option()), "position cannot vary " + varied.word());
        }
        Positions one = VariedValue.of(value, settings);
        Refusal.when(
                DatabaseOptions.isDatabase(one.target()) || HttpEndpoint.isOnlyConnected(one.target()),
                "position is for HTTP and SQS targets and for commands (exec:): for others, run shows what a new"
                        + " connection costs (connect:HOST:PORT,"
                        + " or jdbc:... --no-keepalive)");
        Values.refuseForOtherTargets(one, ClientOptions.kindOf(one.target()));
        if (QueueOptions.isQueue(one.target())) {
            one.queue().requireJars();
        }
        return new Varied(
                settings.stream().map(VariedValue::brief).collect(Collectors.joining(" ")),
                one,
                one.serial().toPlan());
    }

    private int measure(
            Positions value, List<Varied> all, @Nullable QueueDemo demo, Console console, Interruption interruption)
            throws IOException {
        interruption.watch();
        SelfWarmUp.run(interruption, List.of()); // one request at a time: no ciphers to wait for
        MachineProfile machine = MachineProfile.measure();
        List<String> command = Origin.of("position", value, vary.isGiven() ? vary.given() : new String[0])
                .command();
        Map<String, PositionReport> reports = new LinkedHashMap<>();
        Map<String, String> failed = new LinkedHashMap<>();
        for (Varied one : all) {
            if (interruption.isReceived()) {
                break;
            }
            try {
                one.refuseIfNobodyAnswers();
                SerialRuns runs = new SerialRuns(one.plan(), one.target(demo));
                interruption.onFirst(runs::stop);
                SerialResult result = run(runs, one.plan(), console);
                reports.put(one.name(), PositionReport.of(result, command, Version.text(), machine));
            } catch (IOException nothing) {
                if (!interruption.isReceived()) {
                    failed.put(one.name(), Messages.of(nothing));
                    console.error((vary.isGiven() ? one.name() + ": " : "") + Messages.of(nothing));
                }
            }
        }
        if (interruption.isReceived()) {
            all.stream()
                    .filter(one -> !reports.containsKey(one.name()))
                    .forEach(one -> failed.putIfAbsent(one.name(), "interrupted before it was measured"));
        }
        if (!reports.isEmpty()) {
            return report(reports, failed, console, interruption);
        }
        interruption.throwIfReceived();
        return ExitCode.NOTHING;
    }

    private int report(
            Map<String, PositionReport> reports,
            Map<String, String> failed,
            Console console,
            Interruption interruption) {
        PositionReport first = reports.values().iterator().next();
        boolean written = console.write(
                vary.isGiven()
                        ? new PositionVariantsView(reports, failed, acceptUnsound)
                        : new PositionView(first, acceptUnsound));
        if (interruption.isReceived()) {
            return interruption.exitCode(ExitCode.NOTHING);
        }
        int worst = failed.isEmpty() ? ExitCode.MET : ExitCode.NOTHING;
        for (PositionReport report : reports.values()) {
            int code = report.exitCode(acceptUnsound);
            if (code == ExitCode.NOTHING) {
                console.error("nothing could be measured: no request was answered: "
                        + String.join(", ", report.result().failures().keySet()));
            }
            worst = code != ExitCode.MET && worst != ExitCode.NOTHING ? code : worst;
        }
        return ExitCode.afterOutput(worst, written);
    }

    private SerialResult run(SerialRuns runs, SerialPlan plan, Console console) throws IOException {
        Painter painter = console.progress(() -> PlanText.format(
                "downbeat position: %,d of %,d runs of %,d requests", runs.done(), plan.runs(), plan.requests()));
        try {
            return runs.run();
        } catch (IOException nothing) {
            throw new NoMeasurement(nothing);
        } finally {
            painter.close();
        }
    }

    /** One of the measured variants; the name is empty if it is the only one. */
    private record Varied(String name, Positions value, SerialPlan plan) {
        private static final long SEED = 1;

        /** A target for one request at a time. Each run has its own connection, opened by its first request. */
        Target target(@Nullable QueueDemo demo) {
            return Refusal.wrap(() -> {
                if (Requests.isCommand(value.target())) {
                    return CommandTargets.serial(value.asking(), value.target(), plan.shares(), SEED);
                }
                return QueueOptions.isQueue(value.target()) ? ofQueue(demo) : ofUrl();
            });
        }

        private Target ofQueue(@Nullable QueueDemo demo) throws IOException {
            Refusal.when(
                    value.queue().operation() == QueueOptions.OperationKind.DELIVERY,
                    "--operation delivery is not a request on one connection: use send, send-batch, receive or delete");
            return QueueTargets.of(
                    value.target(), asking(plan.shares()), plan.shares(), demo, Optional.empty(), ShardPart.WHOLE, 0);
        }

        private Target ofUrl() throws IOException {
            // many lanes share the processors: none may spin
            return http(options(plan.shares()).andThen(draft -> {
                draft.pacing = Pacing.BLOCK;
                draft.cold = true;
            }));
        }

        /** Draws different requests by weight, so that each place of a run has the same mix. */
        private HttpTarget http(Consumer<HttpOptions.Draft> options) throws IOException {
            if (!value.requests().areSeveralKinds(value.target())) {
                HttpOptions reaching = reaching(HttpEndpoint.parse(value.target()), options);
                return new HttpTarget(value.request().toRequest(value.target()), reaching);
            }
            HttpRequests requests =
                    AwsKeys.signed(value.asking().source().toSet(value.target(), false, SEED), value.requests());
            Refusal.when(
                    requests.services().size() > 1,
                    "positions are counted on connections to one service, but these requests use "
                            + requests.services().size() + ": give those of one service");
            return new HttpTarget(requests, reaching(requests.services().get(0), options));
        }

        private HttpOptions reaching(HttpEndpoint service, Consumer<HttpOptions.Draft> options) {
            return HttpOptions.of(options.andThen(draft ->
                    HttpJob.reach(draft, List.of(service), value.asking().connections(), value.encryption())));
        }

        private Consumer<HttpOptions.Draft> options(int connections) throws IOException {
            return asking(connections).toHttpOptions(0, Long.MAX_VALUE, 1);
        }

        private ClientOptions asking(int connections) {
            return value.asking().with(value.reconnecting().of(connections));
        }

        /** Refuses a target that does not accept connections. Otherwise the first request of a run would find out. */
        public void refuseIfNobodyAnswers() throws IOException {
            if (QueueOptions.isQueue(value.target()) || Requests.isCommand(value.target())) {
                return; // queues are looked up and workers started before anything is sent
            }
            try {
                http(options(1)).open(0, 1, NanoClock.system(), exchange -> {}).close();
            } catch (IOException failure) {
                throw new NoMeasurement(failure);
            }
        }
    }
}
