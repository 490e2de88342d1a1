package dev.downbeat.gatling;

import dev.downbeat.gatling.settings.DownbeatProtocol;
import dev.downbeat.gatling.settings.PaceMode;
import dev.downbeat.gatling.settings.Settings;
import dev.downbeat.gatling.version.ExitWord;
import dev.downbeat.verdict.Rigour;
import dev.downbeat.verdict.Slo;
import io.gatling.core.protocol.Protocol;
import io.gatling.javaapi.core.ProtocolBuilder;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * What is asked of a corrected simulation: {@code setUp(...).protocols(http, Downbeat.protocol().objectives("p99<50ms"))}.
 * Immutable: each method returns a new builder. Most settings are also system properties, which go before what is said
 * here: see each method.
 */
public final class DownbeatProtocolBuilder implements ProtocolBuilder {
    private final Settings settings;
    private final boolean asked;

    private DownbeatProtocolBuilder(Settings settings, boolean asked) {
        this.settings = settings;
        this.asked = asked;
    }

    static DownbeatProtocolBuilder defaults() {
        return new DownbeatProtocolBuilder(Settings.defaults(), false);
    }

    /**
     * Adds objectives; {@code errors<1%} if there are none. System property {@code downbeat.objectives}, separated by
     * commas.
     *
     * @param objectives such as {@code p99<50ms}, {@code max<2s}, {@code errors<0.1%}
     * @throws IllegalStateException with one line that says what is accepted
     */
    public DownbeatProtocolBuilder objectives(String... objectives) {
        List<Slo> all = new ArrayList<>(settings.objectives());
        all.removeIf(slo -> !asked && !(slo instanceof Slo.Named));
        all.addAll(Settings.parseAll(objectives));
        return new DownbeatProtocolBuilder(settings.with(draft -> draft.objectives = all), true);
    }

    /**
     * Adds objectives of one request or group, as {@code details} does in Gatling's assertions. In the system property it
     * stands before the objective: {@code downbeat.objectives=p99<1s,login:p99<50ms}.
     *
     * @param name of a request after its groups, or of a group: {@code details("shop / login", "p99<50ms")}
     * @param objectives such as {@code p99<50ms}
     * @throws IllegalStateException with one line that says what is accepted
     */
    public DownbeatProtocolBuilder details(String name, String... objectives) {
        List<Slo> all = new ArrayList<>(settings.objectives());
        Settings.parseAll(objectives).forEach(slo -> all.add(new Slo.Named(name, slo)));
        return with(draft -> draft.objectives = all);
    }

    /**
     * Adds objectives that each request is to meet, as {@code forAll} does in Gatling's assertions. In the system property:
     * {@code downbeat.objectives=*:p99<50ms}.
     *
     * @param objectives such as {@code p99<50ms}
     * @throws IllegalStateException with one line that says what is accepted
     */
    public DownbeatProtocolBuilder forAll(String... objectives) {
        return details(Settings.EVERY, objectives);
    }

    /**
     * Lets Gatling's own report, console and assertions show response times from the intended times, in whole
     * milliseconds; without it they show what they always show. System property {@code downbeat.gatlingReport}, {@code
     * corrected} or {@code plain}.
     */
    public DownbeatProtocolBuilder correctGatlingReport() {
        return with(draft -> draft.correctsGatlingReport = true);
    }

    /**
     * Leaves the paces of loops as Gatling has them: an iteration that is late begins a new beat, and those that were
     * skipped are not known. System property {@code downbeat.pace}, {@code catchUp}, {@code skipAndCount} or
     * {@code gatling}.
     */
    public DownbeatProtocolBuilder gatlingPaces() {
        return with(draft -> draft.pace = PaceMode.GATLING);
    }

    /**
     * Ends the JVM that Gatling's plugins start with the codes of Downbeat's command line: 99 for a missed objective, 98 for
     * one that is undecided or a measurement that is unsound, 1 if no request reached the service. Otherwise a missed
     * objective is what a failed assertion of Gatling's is, 2. To Gatling's plugins each other code is a crash. System
     * property {@code downbeat.exitCode}, {@code gatling}, {@code downbeat} or {@code none}.
     */
    public DownbeatProtocolBuilder downbeatExitCodes() {
        return with(draft -> draft.exit = ExitWord.DOWNBEAT);
    }

    /**
     * Has paced loops skip the iterations that were due while their user was still busy, as Gatling's do, and counts them as
     * never sent, with what they had waited; without it they are made up for, so that all that was planned is sent. The plan is
     * kept in either case. System property {@code downbeat.pace}, {@code skipAndCount}.
     */
    public DownbeatProtocolBuilder skipAndCount() {
        return with(draft -> draft.pace = PaceMode.SKIP_AND_COUNT);
    }

    /**
     * Has an objective that could not be decided end Gatling as a missed one does; without it that is said and the build passes.
     * System property {@code downbeat.undecided}, {@code fails} or {@code passes}.
     */
    public DownbeatProtocolBuilder undecidedFails() {
        return with(draft -> draft.failsUndecided = true);
    }

    /** Takes a measurement in doubt for a sound one in {@link #downbeatExitCodes}. System property {@code downbeat.acceptUnsound}. */
    public DownbeatProtocolBuilder acceptUnsound() {
        return with(draft -> draft.acceptsUnsound = true);
    }

    /**
     * Leaves out the requests that are meant to start within this time after the first: they are sent, but a JVM that has
     * just begun answers for itself and not for the service. System property {@code downbeat.warmUp}, such as {@code 5s}.
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
     * Leaves out the requests that are meant to start while Gatling's JVM still loads and compiles what it needs, for 30 s at
     * most. System property {@code downbeat.warmUp}, {@code auto}.
     */
    public DownbeatProtocolBuilder warmUp() {
        return with(draft -> draft.warmUpNanos = Settings.UNTIL_WARM);
    }

    /**
     * Asks that objectives be met or missed with the whole 95 % confidence interval; otherwise they are undecided. System
     * property {@code downbeat.sure}, {@code true}.
     */
    public DownbeatProtocolBuilder sure() {
        return with(draft -> draft.rigour = new Rigour(true, draft.rigour.isStrict()));
    }

    /**
     * Has every doubt leave every objective undecided: delays of our own that matter to no objective, and a service that is
     * not steady. System property {@code downbeat.strict}, {@code true}.
     */
    public DownbeatProtocolBuilder strict() {
        return with(draft -> draft.rigour = new Rigour(draft.rigour.isSure(), true));
    }

    /**
     * Saves the results in a folder, which is made if need be, instead of the folder of Gatling's results. System property
     * {@code downbeat.saveTo}.
     */
    public DownbeatProtocolBuilder saveTo(Path folder) {
        return with(draft -> draft.folder = Optional.of(folder));
    }

    /**
     * Watches the service meanwhile, so that the report says what slow requests waited for: collections, locks, throttling.
     * System property {@code downbeat.watch}, separated by spaces.
     *
     * @param services such as {@code jvm:4711}, {@code jvm:HOST:PORT}, {@code pid:4711}, {@code cgroup:/shop}
     * @throws IllegalStateException with one line that says what is accepted
     */
    public DownbeatProtocolBuilder watch(String... services) {
        List<String> all = new ArrayList<>(settings.watches());
        all.addAll(Settings.watches("watch", services));
        return with(draft -> draft.watches = all);
    }

    /**
     * At most this many connections to the queues of {@link Downbeat#sqs}; 64 unless said otherwise. Who finds none free waits, and the wait is
     * told as such.
     *
     * @param count from 1 to 65,535
     */
    public DownbeatProtocolBuilder connections(int count) {
        return with(draft -> draft.connections = count);
    }

    /**
     * After how long a connect, or a TLS handshake, counts as failed; 10 s unless said otherwise.
     *
     * @param timeout above zero
     */
    public DownbeatProtocolBuilder connectTimeout(Duration timeout) {
        return with(draft -> draft.connectTimeout = timeout);
    }

    /**
     * After how long a request of our own times out, counted from when its user asked for it, the wait for
     * a connection included; 60 s unless said otherwise.
     *
     * @param timeout above zero
     */
    public DownbeatProtocolBuilder requestTimeout(Duration timeout) {
        return with(draft -> draft.requestTimeout = timeout);
    }

    /** Whether to check the server's certificate and name; true unless said otherwise. */
    public DownbeatProtocolBuilder verify(boolean check) {
        return with(draft -> draft.verify = check);
    }

    /** The region of the queues of {@link Downbeat#sqs}; by the queue's URL or the SDK's default chain unless said. */
    public DownbeatProtocolBuilder region(String name) {
        return with(draft -> draft.region = Optional.of(name));
    }

    /**
     * Where the queues of {@link Downbeat#sqs} are, such as {@code http://localhost:9324}; by the queue's URL or the region
     * unless said.
     */
    public DownbeatProtocolBuilder endpoint(String url) {
        return with(draft -> draft.endpoint = Optional.of(URI.create(url)));
    }

    /**
     * Whose HTTP client the SDK uses for the queues of {@link Downbeat#sqs}: {@code downbeat} unless said otherwise, or
     * {@code apache}, {@code netty}, {@code url-connection}, {@code crt}.
     */
    public DownbeatProtocolBuilder transport(String client) {
        return with(draft -> draft.queues = draft.queues.withTransport(client));
    }

    /** How often the SDK tries an operation on a queue again; 0 unless said otherwise, so that each failure is seen. */
    public DownbeatProtocolBuilder retries(int count) {
        return with(draft -> draft.queues = draft.queues.withRetries(count));
    }

    /**
     * Lets {@link DownbeatSqs#deliver} go on where it finds messages of others: they are given back. Without this, the first
     * of them ends it.
     */
    public DownbeatProtocolBuilder queueIsMine() {
        return with(draft -> draft.queues = draft.queues.withMine());
    }

    /**
     * By way of which topic of SNS the messages of {@link DownbeatSqs#deliver} reach their queues, which are subscribed to it. It is
     * looked for in its own region; at a server that is not Amazon's, where the queues are, unless {@code AWS_ENDPOINT_URL_SNS}
     * says otherwise.
     *
     * @param arn such as {@code arn:aws:sns:eu-west-1:123456789012:orders}
     */
    public DownbeatProtocolBuilder topic(String arn) {
        return with(draft -> draft.queues = draft.queues.withTopic(arn));
    }

    private DownbeatProtocolBuilder with(Consumer<Settings.Draft> change) {
        return new DownbeatProtocolBuilder(settings.with(change), asked);
    }

    @Override
    public Protocol protocol() {
        return new DownbeatProtocol(settings);
    }
}
