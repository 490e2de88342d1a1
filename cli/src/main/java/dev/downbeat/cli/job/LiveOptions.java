package dev.downbeat.cli.job;

import dev.downbeat.cli.file.OutputFile;
import dev.downbeat.cli.measurement.DatabaseOptions;
import dev.downbeat.cli.measurement.option.OptionalJar;
import dev.downbeat.cli.measurement.option.Refusal;
import dev.downbeat.cli.targets.DatabaseTargets;
import dev.downbeat.cli.terminal.Version;
import dev.downbeat.record.Recording;
import dev.downbeat.report.file.PrometheusText;
import dev.downbeat.watch.Watchers;
import dev.downbeat.watch.database.DatabaseWatch;
import dev.downbeat.why.Watcher;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Options to observe a run live, or the service during it. */
public final class LiveOptions {
    private static final int LAST_PORT = 65_535;

    @Option(
            names = "--prometheus",
            paramLabel = "[HOST]:PORT",
            description = "Serves the run's metrics to Prometheus at /metrics.")
    @Nullable
    InetSocketAddress prometheus;

    @Option(
            names = "--live-page",
            paramLabel = "[HOST]:PORT",
            description = "Serves the report to browsers, updated every 2 s.")
    @Nullable
    InetSocketAddress livePage;

    @Option(
            names = "--watch",
            paramLabel = "WHAT",
            description = "Also watches the service, to explain slow requests: jvm:PID, jvm:HOST:PORT, pid:PID,"
                    + " cgroup:PATH, prometheus:URL?series=NAME or jdbc:URL (PostgreSQL, MariaDB); repeatable.")
    List<WatchSpec> watch = new ArrayList<>();

    public boolean isGiven() {
        return prometheus != null || livePage != null || !watch.isEmpty();
    }

    /** Refuses measurements other than one run of one process, and hosts that are unknown. */
    public void check(boolean isVaried, int processes) {
        Refusal.when(isVaried && prometheus != null, "--vary and --prometheus are mutually exclusive");
        Refusal.when(isVaried && livePage != null, "--vary and --live-page are mutually exclusive");
        Refusal.when(isVaried && !watch.isEmpty(), "--vary and --watch are mutually exclusive");
        Refusal.when(
                processes > 1 && (livePage != null || prometheus != null),
                "--live-page, --prometheus and --processes are mutually exclusive: shards that --meet have live totals");
        Refusal.when(
                processes > 1 && !watch.isEmpty(),
                "--watch and --processes are mutually exclusive: a service is watched by one process");
        prometheus = resolved("--prometheus", prometheus);
        livePage = resolved("--live-page", livePage);
    }

    /** Measures and reports with the observers; {@code driverJars} are searched first for database drivers. */
    public int run(MeasurementRun measuring, Job job, List<Path> driverJars) throws IOException {
        measuring.watch(watch.stream().map(spec -> spec.watcher(driverJars)).toList());
        try (PrometheusEndpoint endpoint =
                        prometheus == null ? null : PrometheusEndpoint.start(prometheus, () -> beforeStart(job));
                LivePage page = livePage == null ? null : LivePage.start(livePage)) {
            if (prometheus != null && endpoint != null) {
                measuring.console().note(url(prometheus, endpoint.port()) + "metrics");
                measuring.show(endpoint);
            }
            if (livePage != null && page != null) {
                measuring.console().note(url(livePage, page.port()));
                measuring.show(page);
            }
            int code = measuring.run(job);
            if (page != null) {
                measuring.console().note("the live page is closed. " + lastState(measuring));
            }
            return code;
        }
    }

    private static String url(InetSocketAddress at, int port) {
        String host = at.getHostString();
        return "http://" + (host.contains(":") && !host.startsWith("[") ? "[" + host + "]" : host) + ":" + port + "/";
    }

    /** Where the last state of the page is, or how to save it. */
    private static String lastState(MeasurementRun measuring) {
        return measuring.console().output().files.stream()
                .filter(file -> file.kind() == OutputFile.Kind.HTML)
                .findFirst()
                .map(file -> "Its last state: " + file.name())
                .orElse(
                        measuring.isLast()
                                ? "Save it: downbeat last -o report.html"
                                : "-o report.html saves the page of a run");
    }

    private static PrometheusText.Standing beforeStart(Job job) {
        return new PrometheusText.Standing(Version.text(), job.target().describe(), Recording.empty(), 0, 0, Map.of());
    }

    /** Parses {@code :PORT}, reachable from this machine only, or {@code HOST:PORT}, without a lookup. */
    public static InetSocketAddress address(String text) {
        int colon = text.lastIndexOf(':');
        Refusal.when(
                colon < 0 || !text.substring(colon + 1).matches("[0-9]{1,5}"),
                "an address must be :PORT or HOST:PORT, but was '" + text + "'");
        int port = Integer.parseInt(text.substring(colon + 1));
        Refusal.when(port > LAST_PORT, "a port must be from 0 to " + LAST_PORT + ", but was " + port);
        return colon == 0
                ? new InetSocketAddress(InetAddress.getLoopbackAddress(), port)
                : InetSocketAddress.createUnresolved(text.substring(0, colon), port);
    }

    /** Looks the host up. Call this after all options are read: the first lookup fixes how long Java caches any. */
    static @Nullable InetSocketAddress resolved(String option, @Nullable InetSocketAddress at) {
        if (at == null || !at.isUnresolved()) {
            return at;
        }
        InetSocketAddress address = new InetSocketAddress(at.getHostString(), at.getPort());
        Refusal.when(address.isUnresolved(), option + ": unknown host '" + at.getHostString() + "'");
        return address;
    }

    /** What to watch of a service, as the user wrote it. */
    public record WatchSpec(String text) {
        /** {@code jvm:PID} and {@code pid:PID}. */
        private static final Pattern PROCESS = Pattern.compile("(?:jvm|pid):(\\d{1,10})");

        /** Creates the watcher, which is not started yet. */
        Watcher watcher(List<Path> driverJars) {
            return Refusal.wrap(() -> DatabaseOptions.isDatabase(text)
                    ? DatabaseWatch.of(text, DatabaseTargets.connector(text, driverJars))
                    : (Watcher) Watchers.parse(text));
        }

        public static WatchSpec parse(String text) {
            Matcher process = PROCESS.matcher(text);
            Refusal.when(
                    process.matches()
                            && ProcessHandle.of(Long.parseLong(process.group(1)))
                                    .isEmpty(),
                    () -> "there is no process " + process.group(1) + " on this machine");
            if (DatabaseOptions.isDatabase(text)) {
                OptionalJar.JDBC.require("a database");
            } else {
                Refusal.wrap(() -> Watchers.parse(text));
            }
            return new WatchSpec(text);
        }
    }
}
