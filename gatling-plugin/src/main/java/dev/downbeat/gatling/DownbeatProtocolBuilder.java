package dev.downbeat.gatling;

import dev.downbeat.gatling.settings.DownbeatProtocol;
import dev.downbeat.gatling.settings.PaceMode;
import dev.downbeat.gatling.settings.Settings;
import dev.downbeat.gatling.version.ExitCodePolicy;
import dev.downbeat.report.file.UndecidedPolicy;
import dev.downbeat.verdict.RequiredCertainty;
import dev.downbeat.verdict.ServiceLevelObjective;
import io.gatling.core.protocol.Protocol;
import io.gatling.javaapi.core.ProtocolBuilder;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Settings of a corrected simulation: {@code setUp(...).protocols(http, Downbeat.protocol().objectives("p99<50ms"))}.
 * Immutable: each method returns a new builder. Most settings also have a system property, named at each method, which
 * overrides the source.
 */
public final class DownbeatProtocolBuilder implements ProtocolBuilder {
    private final Consumer<Settings.Draft> changes;

    private DownbeatProtocolBuilder(Consumer<Settings.Draft> changes) {
        this.changes = changes;
    }

    static DownbeatProtocolBuilder defaults() {
        return new DownbeatProtocolBuilder(draft -> {});
    }

    /**
     * Adds objectives. Unless one of them limits errors or the rate, {@code errors<1%} is judged too; without any, its
     * miss fails nothing. System property {@code downbeat.objectives}, separated by commas.
     *
     * @param objectives such as {@code p99<50ms}, {@code max<2s}, {@code errors<0.1%}
     * @throws IllegalStateException with one line that names the accepted forms
     */
    public DownbeatProtocolBuilder objectives(String... objectives) {
        List<ServiceLevelObjective> added = Settings.parseAll(objectives);
        return with(draft -> draft.objectives.addAll(added));
    }

    /**
     * Adds objectives for one request or group, like {@code details} in Gatling's assertions. In the system property
     * the name precedes the objective: {@code downbeat.objectives=p99<1s,login:p99<50ms}.
     *
     * @param name the request, preceded by its groups, or a group: {@code details("shop / login", "p99<50ms")}
     * @param objectives such as {@code p99<50ms}
     * @throws IllegalStateException with one line that names the accepted forms
     */
    public DownbeatProtocolBuilder details(String name, String... objectives) {
        List<ServiceLevelObjective> added = Settings.parseAll(objectives);
        return with(draft -> added.forEach(slo -> draft.objectives.add(new ServiceLevelObjective.Named(name, slo))));
    }

    /**
     * Adds objectives for every request, like {@code forAll} in Gatling's assertions. In the system property: {@code
     * downbeat.objectives=*:p99<50ms}.
     *
     * @param objectives such as {@code p99<50ms}
     * @throws IllegalStateException with one line that names the accepted forms
     */
    public DownbeatProtocolBuilder forAll(String... objectives) {
        return details(Settings.EVERY, objectives);
    }

    /**
     * Makes Gatling's own report, console and assertions use response times from the intended start, in whole
     * milliseconds. By default they are unchanged. System property {@code downbeat.gatlingReport}, {@code corrected} or
     * {@code plain}.
     */
    public DownbeatProtocolBuilder correctGatlingReport() {
        return with(draft -> draft.correctsGatlingReport = true);
    }

    /**
     * Keeps Gatling's own paces for loops: a late iteration starts a new schedule, and skipped iterations are unknown.
     * System property {@code downbeat.pace}, {@code catchUp}, {@code skipAndCount} or {@code gatling}.
     */
    public DownbeatProtocolBuilder gatlingPaces() {
        return with(draft -> draft.pace = PaceMode.GATLING);
    }

    /**
     * Ends the JVM started by Gatling's plugins with the exit codes of Downbeat's command line. These are 99 for a
     * missed objective, 98 for an undecided one or an unreliable record, and 1 if no request reached the service. By
     * default a missed objective ends it with 2, like a failed Gatling assertion. Gatling's plugins treat all other
     * codes as a crash. System property {@code downbeat.exitCode}, {@code gatling}, {@code downbeat} or {@code none}.
     */
    public DownbeatProtocolBuilder downbeatExitCodes() {
        return with(draft -> draft.exit = ExitCodePolicy.DOWNBEAT);
    }

    /**
     * Makes paced loops skip iterations that were due while their user was busy, as Gatling's do. They count as never
     * sent, with their wait so far. By default they are made up for, so everything planned is sent. The schedule is
     * unchanged in both cases. System property {@code downbeat.pace}, {@code skipAndCount}.
     */
    public DownbeatProtocolBuilder skipAndCount() {
        return with(draft -> draft.pace = PaceMode.SKIP_AND_COUNT);
    }

    /**
     * Makes an undecided objective end Gatling like a missed one. By default it is reported and the build passes, unless
     * the exit codes are Downbeat's. System property {@code downbeat.undecided}, {@code fails}, {@code passes} or {@code
     * fails-after-3}: three in a row pass, counted in a file beside the results folder.
     */
    public DownbeatProtocolBuilder undecidedFails() {
        return with(draft -> draft.undecided = Optional.of(UndecidedPolicy.FAILS));
    }

    /**
     * Ends with 0 instead of 98 in {@link #downbeatExitCodes}. System property {@code downbeat.acceptUnsound}.
     */
    public DownbeatProtocolBuilder acceptUnsound() {
        return with(draft -> draft.acceptsUnsound = true);
    }

    /**
     * Excludes requests intended to start within this time after the first. They are sent but not counted, because a
     * cold JVM would distort their times. System property {@code downbeat.warmUp}, such as {@code 5s}.
     *
     * @param time zero or more
     */
    public DownbeatProtocolBuilder warmUp(Duration time) {
        if (time.isNegative()) {
            throw new IllegalArgumentException("warmUp must not be negative, but was " + time);
        }
        return with(draft -> draft.warmUpNanos = time.toNanos());
    }

    /**
     * Excludes requests intended to start while Gatling's JVM still loads and compiles code, for 30 s at most. System
     * property {@code downbeat.warmUp}, {@code auto}.
     */
    public DownbeatProtocolBuilder warmUp() {
        return with(draft -> draft.warmUpNanos = Settings.UNTIL_WARM);
    }

    /**
     * Requires confidence: objectives are met or missed only with the whole 95 % confidence interval, and undecided
     * otherwise. System property {@code downbeat.sure}, {@code true}.
     */
    public DownbeatProtocolBuilder sure() {
        return with(draft -> draft.rigour = new RequiredCertainty(true, draft.rigour.isStrict()));
    }

    /**
     * Leaves every objective undecided if there is any doubt, including delays of this process that affect no
     * objective, and a service that is not steady. System property {@code downbeat.strict}, {@code true}.
     */
    public DownbeatProtocolBuilder strict() {
        return with(draft -> draft.rigour = new RequiredCertainty(draft.rigour.isSure(), true));
    }

    /**
     * Saves the results in this folder, which is created if missing. The default is Gatling's results folder. System
     * property {@code downbeat.saveTo}.
     */
    public DownbeatProtocolBuilder saveTo(Path folder) {
        return with(draft -> draft.folder = Optional.of(folder));
    }

    /**
     * Watches the service during the run, so that the report names what slow requests waited for: collections, locks,
     * throttling. System property {@code downbeat.watch}, separated by spaces.
     *
     * @param services such as {@code jvm:4711}, {@code jvm:HOST:PORT}, {@code pid:4711}, {@code cgroup:/shop}, {@code
     *     prometheus:URL?series=NAME} or {@code jdbc:URL}
     * @throws IllegalStateException with one line that names the accepted forms
     */
    public DownbeatProtocolBuilder watch(String... services) {
        List<String> added = Settings.watches("watch", services);
        return with(draft -> draft.watches.addAll(added));
    }

    /**
     * The maximum number of connections to the queues of {@link Downbeat#sqs}; the default is 64. Requests wait for a
     * free one, and the wait is reported separately.
     *
     * @param count from 1 to 65,535
     */
    public DownbeatProtocolBuilder connections(int count) {
        return with(draft -> draft.connections = count);
    }

    /**
     * The timeout for a connect and for a TLS handshake; the default is 10 s.
     *
     * @param timeout above zero
     */
    public DownbeatProtocolBuilder connectTimeout(Duration timeout) {
        return with(draft -> draft.connectTimeout = timeout);
    }

    /**
     * The timeout of Downbeat's own requests, from when the user issued one, including the wait for a connection. The
     * default is 60 s.
     *
     * @param timeout above zero
     */
    public DownbeatProtocolBuilder requestTimeout(Duration timeout) {
        return with(draft -> draft.requestTimeout = timeout);
    }

    /** Whether to verify the server's certificate and host name; the default is true. */
    public DownbeatProtocolBuilder verify(boolean check) {
        return with(draft -> draft.verify = check);
    }

    /** The AWS region for {@link Downbeat#sqs}; the default is that of the queue's URL, or the SDK's default chain. */
    public DownbeatProtocolBuilder region(String name) {
        return with(draft -> draft.region = Optional.of(name));
    }

    /**
     * The endpoint for {@link Downbeat#sqs}, such as {@code http://localhost:9324}; the default is that of the queue's
     * URL or of the region.
     */
    public DownbeatProtocolBuilder endpoint(String url) {
        return with(draft -> draft.endpoint = Optional.of(URI.create(url)));
    }

    /**
     * The HTTP client of the SDK for {@link Downbeat#sqs}: {@code downbeat} (the default), {@code apache}, {@code
     * netty}, {@code url-connection} or {@code crt}.
     */
    public DownbeatProtocolBuilder transport(String client) {
        return with(draft -> draft.transport = client);
    }

    /** The number of retries of the SDK; the default is 0, so that every failure is visible. */
    public DownbeatProtocolBuilder retries(int count) {
        return with(draft -> draft.retries = count);
    }

    /**
     * Lets {@link DownbeatSqs#deliver} continue when it receives messages of others, which it returns to the queue. By
     * default the first of them ends the run.
     */
    public DownbeatProtocolBuilder queueIsMine() {
        return with(draft -> draft.queueIsMine = true);
    }

    /**
     * The SNS topic that delivers the messages of {@link DownbeatSqs#deliver} to the queues, which are subscribed to
     * it. It is accessed in its own region. For a server other than Amazon's the default is the queues' endpoint;
     * {@code AWS_ENDPOINT_URL_SNS} overrides it.
     *
     * @param arn such as {@code arn:aws:sns:eu-west-1:123456789012:orders}
     */
    public DownbeatProtocolBuilder topic(String arn) {
        return with(draft -> draft.topic = Optional.of(arn));
    }

    /** Rejects a value out of range at once. */
    private DownbeatProtocolBuilder with(Consumer<Settings.Draft> change) {
        Consumer<Settings.Draft> all = changes.andThen(change);
        Settings.of(all);
        return new DownbeatProtocolBuilder(all);
    }

    @Override
    public Protocol protocol() {
        return new DownbeatProtocol(changes);
    }
}
