package dev.downbeat.cli.command;

import dev.downbeat.cli.console.Console;
import dev.downbeat.cli.console.Interruption;
import dev.downbeat.cli.console.NoMeasurement;
import dev.downbeat.cli.file.SavedArguments.Origin;
import dev.downbeat.cli.measurement.ClientOptions;
import dev.downbeat.cli.measurement.ConnectionOptions;
import dev.downbeat.cli.measurement.Encryption;
import dev.downbeat.cli.measurement.ParsedOptions;
import dev.downbeat.cli.measurement.RequestOptions;
import dev.downbeat.cli.measurement.option.CliOption;
import dev.downbeat.cli.measurement.option.CliOption.SecretPart;
import dev.downbeat.cli.measurement.option.CliOption.TargetKind;
import dev.downbeat.cli.measurement.option.DurationParser;
import dev.downbeat.cli.measurement.option.Messages;
import dev.downbeat.cli.measurement.option.Refusal;
import dev.downbeat.cli.measurement.option.Values;
import dev.downbeat.cli.targets.HttpJob;
import dev.downbeat.cli.terminal.Version;
import dev.downbeat.exchange.IdleResult;
import dev.downbeat.exchange.IdleResult.Probe;
import dev.downbeat.http.HttpTarget;
import dev.downbeat.http.IdleProbe;
import dev.downbeat.http.message.HttpRequest;
import dev.downbeat.http.options.HttpOptions;
import dev.downbeat.http.wait.Pacing;
import dev.downbeat.report.view.position.IdleView;
import dev.downbeat.report.view.position.IdleView.IdleReport;
import dev.downbeat.stats.Numbers;
import dev.downbeat.time.Daemon;
import dev.downbeat.time.DurationText;
import dev.downbeat.time.NanoClock;
import dev.downbeat.verdict.ExitCode;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;

@Command(
        name = "idle",
        header = "Finds when idle connections are closed, and how.",
        customSynopsis = "downbeat idle TARGET [FROM..TO] [OPTION...]",
        footer = {"", "Downbeat first warms up with 8 connections of 2 requests each, not counted."},
        exitCodeList = {
            "  0:measured, whatever was found",
            "  1:nothing could be measured, or a result could not be written",
            "  2:invalid command line",
            "130:interrupted (143 by SIGTERM, 129 by SIGHUP): a partial report"
        })
public final class IdleCommand extends AnyCommand.ResultCommand {
    private static final int MOST_CONNECTIONS = 1_000;
    private static final Duration LEAST = Duration.ofMillis(10);
    private static final Duration LONGEST = Duration.ofHours(24);

    /** First requests at the same instant would compete for the processor. */
    private static final long STAGGER_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

    /** The first connections of a process cost it many times what later ones cost. */
    private static final int WARM_UPS = 8;

    /** Limits the warm-up of a slow service. */
    private static final long WARM_UP_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final ParsedOptions<Idle> options = new ParsedOptions<>(Idle.class);

    @Mixin(name = "Idle times")
    final CommandSpec optionSpec = options.spec();

    private final Queue<Probe> probes = new ConcurrentLinkedQueue<>();
    private volatile boolean stopped;
    private volatile @Nullable IOException broken;

    record Ways(
            @CliOption.Of(ConnectionOptions.class) Optional<Duration> connectTimeout,
            @CliOption.Of(ConnectionOptions.class) Optional<String> connectTo,
            @CliOption.Of(ConnectionOptions.class) Optional<String> proxy) {}

    record Idle(
            @CliOption(
                    names = "TARGET",
                    secret = SecretPart.OF_URL,
                    help = "http://..., https://... or unix:/socket:/path.")
            String target,

            @CliOption(
                    names = "FROM..TO",
                    defaultValue = "1s..2m",
                    help = "Range of idle times, each twice the previous one. Default 1s..2m.")
            String times,

            @CliOption(
                    names = "--tries",
                    label = "N",
                    defaultValue = "3",
                    help = "Simultaneous connections per idle time. Default 3.")
            long tries,

            @CliOption(
                    names = "--probe-every",
                    label = "TIME",
                    help = "Also tests as many connections with TCP keep-alive probes this often.")
            Optional<Duration> probeEvery,

            @CliOption(
                    names = "--timeout",
                    label = "TIME",
                    defaultValue = "5s",
                    help = "Timeout of a request. Default 5s.")
            Duration timeout,

            @CliOption(names = "Connections") Ways ways,
            @CliOption(names = "TLS") Encryption encryption,
            @CliOption(names = "Request") RequestOptions request) {
        Idle {
            Refusal.when(timeout.isZero(), "--timeout must be above 0");
            Refusal.when(
                    probeEvery.filter(every -> !HttpOptions.isProbeTime(every)).isPresent(),
                    "--probe-every must be whole seconds from 1s to 32767s");
            Refusal.when(
                    ClientOptions.kindOf(target) != TargetKind.HTTP,
                    "idle is for HTTP targets: it sends a request before and after the idle time");
            long all = doubling(times).size() * tries * (probeEvery.isPresent() ? 2 : 1);
            Refusal.when(
                    all > MOST_CONNECTIONS,
                    "at most " + MOST_CONNECTIONS + " connections are left idle, but it would be " + all);
        }

        /** Parses {@code 1s..30m}, or one duration. */
        private static List<Duration> doubling(String text) {
            String[] ends = text.split("\\.\\.", 2);
            Duration from = DurationParser.parse(ends[0]);
            Duration to = ends.length == 2 ? DurationParser.parse(ends[1]) : from;
            Refusal.when(
                    from.compareTo(LEAST) < 0 || to.compareTo(from) < 0 || to.compareTo(LONGEST) > 0,
                    "idle times must be FROM..TO, from 10ms to 24h, such as 1s..30m, but was '" + text + "'");
            List<Duration> times = new ArrayList<>();
            for (Duration time = from; time.compareTo(to) < 0; time = time.multipliedBy(2)) {
                times.add(time);
            }
            times.add(to);
            return times;
        }

        private HttpTarget target(boolean probed) throws IOException {
            HttpRequest one = request.toRequest(target);
            ConnectionOptions connections = Values.convert(ConnectionOptions.class, ways, Map.of());
            Consumer<HttpOptions.Draft> asked =
                    connections.toHttpOptions(1, Long.MAX_VALUE, 1, 1).andThen(encryption.toHttpOptions());
            return new HttpTarget(one, HttpOptions.of(asked.andThen(draft -> {
                HttpJob.reach(draft, List.of(one.endpoint()), connections, encryption);
                draft.sendsAgain = false;
                draft.cold = true;
                draft.pacing = Pacing.BLOCK;
                draft.tcpProbes = probed ? probeEvery : Optional.empty();
            })));
        }
    }

    @Override
    List<Path> filesRead() {
        Idle value = options.value();
        return Stream.concat(Values.paths(value).stream(), value.request().files().stream())
                .toList();
    }

    @Override
    int call(Console console) throws IOException {
        Interruption interruption = new Interruption();
        return interruption.guard(console, () -> measure(console, interruption));
    }

    private int measure(Console console, Interruption interruption) throws IOException {
        console.checkFormats("idle connections");
        Idle value = options.value();
        List<Duration> times = Idle.doubling(value.times());
        List<Thread> threads = threads(value, times);
        interruption.watch();
        interruption.onFirst(() -> stopped = true);
        console.note(Numbers.count(threads.size(), "connection") + ", idle for up to "
                + DurationText.word(times.get(times.size() - 1).toNanos()));
        warmUp(value);
        Instant started = Instant.now();
        long startAt = System.nanoTime();
        for (Thread thread : threads) {
            thread.start();
            LockSupport.parkNanos(STAGGER_NANOS);
        }
        join(threads);
        IdleResult result = new IdleResult(
                HttpRequest.get(value.target()).endpoint().toString(),
                started,
                System.nanoTime() - startAt,
                List.copyOf(probes),
                !stopped);
        IdleReport report = IdleReport.of(result, Origin.of("idle", value).command(), Version.text());
        if (report.exitCode() == ExitCode.NOTHING) {
            throw nothing(result);
        }
        boolean written = console.write(new IdleView(report));
        IOException reason = broken;
        if (reason != null) {
            console.error("not all connections were tested: " + Messages.of(reason));
        }
        return interruption.exitCode(ExitCode.afterOutput(reason == null ? ExitCode.MET : ExitCode.NOTHING, written));
    }

    private void warmUp(Idle value) throws IOException {
        HttpTarget target = value.target(false);
        IdleProbe probe = new IdleProbe(1, false, value.timeout().toNanos(), NanoClock.system(), () -> stopped);
        long endAt = System.nanoTime() + WARM_UP_NANOS;
        for (int i = 0; i < WARM_UPS && !stopped && endAt - System.nanoTime() > 0; i++) {
            probe.run(target); // a failure is found again by those that count
        }
    }

    private NoMeasurement nothing(IdleResult result) {
        IOException reason = broken;
        String otherwise = reason == null ? "it was interrupted" : Messages.of(reason);
        return new NoMeasurement(
                result.probes().stream().map(Probe::reason).findFirst().orElse(otherwise));
    }

    private static void join(List<Thread> threads) throws IOException {
        try {
            for (Thread thread : threads) {
                thread.join();
            }
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", stop);
        }
    }

    private List<Thread> threads(Idle value, List<Duration> times) throws IOException {
        List<Thread> threads = new ArrayList<>();
        for (boolean probed : value.probeEvery().isPresent() ? new boolean[] {false, true} : new boolean[] {false}) {
            HttpTarget target = value.target(probed);
            for (Duration time : times) {
                for (int i = 0; i < value.tries(); i++) {
                    IdleProbe probe = new IdleProbe(
                            time.toNanos(), probed, value.timeout().toNanos(), NanoClock.system(), () -> stopped);
                    threads.add(Daemon.of("downbeat-idle", () -> run(probe, target)));
                }
            }
        }
        return threads;
    }

    private void run(IdleProbe probe, HttpTarget target) {
        try {
            probe.run(target).ifPresent(probes::add);
        } catch (IOException noSelector) {
            broken = noSelector;
            stopped = true; // the results so far are reported
        }
    }
}
