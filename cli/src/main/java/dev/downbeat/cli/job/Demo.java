package dev.downbeat.cli.job;

import dev.downbeat.analysis.Analysis;
import dev.downbeat.arrival.Rate;
import dev.downbeat.cli.console.Console;
import dev.downbeat.cli.measurement.ConnectionOptions;
import dev.downbeat.cli.measurement.Measurement;
import dev.downbeat.cli.measurement.option.Values;
import dev.downbeat.cli.terminal.PlanText;
import dev.downbeat.event.Incident;
import dev.downbeat.loopback.LoopbackServer;
import dev.downbeat.loopback.options.LoopbackOptions;
import dev.downbeat.report.data.ClockLabels;
import dev.downbeat.report.data.RunReport;
import dev.downbeat.report.render.Lines;
import dev.downbeat.time.ServiceLaw;
import dev.downbeat.time.Stall;
import dev.downbeat.verdict.ServiceLevelObjective;
import java.io.IOException;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** The demo for newcomers: an embedded service that stalls once, measured in two ways. */
public final class Demo implements AutoCloseable {
    private static final long STALL_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final long STALL_AT_NANOS = TimeUnit.SECONDS.toNanos(3);
    private static final long DELAY_NANOS = TimeUnit.MILLISECONDS.toNanos(2);
    private static final double DELAY_SIGMA = 0.3;
    private static final long SLOW_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

    /** As many as a browser opens. A closed-loop tool sees the stall at most once on each connection. */
    private static final long CONNECTIONS = 16;

    private static final ServiceLevelObjective OBJECTIVE =
            new ServiceLevelObjective.Percentile(99, new ServiceLevelObjective.Ceiling(false), SLOW_NANOS);

    private static final String INDENT = "    ";

    private final LoopbackServer server;

    private Demo(LoopbackServer server) {
        this.server = server;
    }

    public static Measurement withDefaults(Measurement given) {
        ConnectionOptions connections = given.asking().connections();
        Measurement value = given.objectives().given().isEmpty() ? Values.with(given, "--slo", OBJECTIVE) : given;
        boolean isClosed = value.load().closed().isPresent();
        return value.with(value.asking().with(isClosed ? connections : connections.withDefaultCount(CONNECTIONS)))
                .resolved(Rate.perSecond(500), Duration.ofSeconds(10));
    }

    public static Demo start() throws IOException {
        return new Demo(LoopbackServer.start(LoopbackOptions.of(draft -> {
            draft.delay = new ServiceLaw.LogNormal(DELAY_NANOS, DELAY_SIGMA);
            draft.stalls = List.of(new Stall(STALL_AT_NANOS, STALL_NANOS, 0));
        })));
    }

    public String uri() {
        return server.uri();
    }

    public int run(MeasurementRun measurement, Job job) throws IOException {
        RunReport report = measurement.reported(job, measurement.measure(job), Optional.empty());
        int code = measurement.report(report);
        if (!measurement.console().output().json) {
            explain(report.analysis(), measurement);
        }
        return code;
    }

    private static void explain(Analysis analysis, MeasurementRun measurement) throws IOException {
        Console console = measurement.console();
        Lines lines = new Lines(console.out(), console.columns());
        lines.blank().line("  what happened");
        if (analysis.result().durationNanos() < STALL_AT_NANOS + STALL_NANOS) {
            lines.paragraph(
                    INDENT,
                    "The embedded service stalls once, 3 s after the first request, for 1 s: this run ended before"
                            + " that. Run it for 10 s.");
        } else {
            lines.paragraph(INDENT, whatHappened(analysis));
            lines.paragraph(INDENT, ClockLabels.SENT.legend() + ".");
        }
        lines.line("  next");
        lines.unwrapped(
                measurement.isLast()
                        ? "    downbeat last -o report.html    this run as a page"
                        : "    downbeat run -o report.html     as a page");
        lines.unwrapped("    downbeat run http://localhost:8080/ -R 500 -d 30s --slo 'p99<50ms'");
        lines.unwrapped("    downbeat prove                  checks Downbeat itself, on this machine");
        console.out().flush();
    }

    private static String whatHappened(Analysis analysis) {
        Optional<Incident> stall = analysis.events().stream()
                .filter(event -> event.cause() == Incident.Cause.SERVICE_STALL)
                .max(Comparator.comparingLong(Incident::lengthNanos));
        String service = "The embedded service answers in about 2 ms and stalled once, for 1 s. ";
        return stall.isEmpty()
                ? service + "This run did not show it."
                : PlanText.format(
                        service
                                + "A closed-loop tool stops sending during the stall and records it at most once per"
                                + " connection. Independent callers keep coming: the stall hit %,d requests.",
                        stall.get().requestsHit());
    }

    @Override
    public void close() {
        server.close();
    }
}
