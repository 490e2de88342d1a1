package dev.downbeat.cli.command;

import dev.downbeat.cli.console.Interruption;
import dev.downbeat.cli.measurement.option.Refusal;
import dev.downbeat.cli.measurement.option.Size;
import dev.downbeat.cli.terminal.PlanText;
import dev.downbeat.loopback.LoopbackServer;
import dev.downbeat.loopback.LoopbackStats;
import dev.downbeat.loopback.options.LoopbackOptions;
import dev.downbeat.loopback.options.LoopbackOptions.Instances;
import dev.downbeat.loopback.options.Misbehaviour;
import dev.downbeat.time.ServiceLaw;
import dev.downbeat.time.Stall;
import dev.downbeat.verdict.ExitCode;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

@Command(
        name = "serve",
        header = "Starts a test server that delays, stalls and misbehaves.",
        customSynopsis = "downbeat serve [OPTION...]",
        optionListHeading = "%nOptions:%n",
        exitCodeList = {"  0:ended by Ctrl-C", "  1:cannot listen there", "  2:invalid command line"})
public final class ServeCommand extends AnyCommand {
    private static final int DEFAULT_PORT = 8089;

    @Option(names = "--port", paramLabel = "N", description = "TCP port; 0 takes any free one. Default 8089.")
    @Nullable
    Integer port;

    @Option(names = "--unix", paramLabel = "PATH", description = "Listens on a Unix socket instead.")
    @Nullable
    Path unix;

    @Option(names = "--tls", description = "Serves TLS with a generated certificate; callers need -k.")
    boolean tls;

    @Option(
            names = "--delay",
            paramLabel = "LAW",
            description = "Service time: 2ms, exp:2ms, lognormal:2ms,0.5 or bimodal:1ms,50ms,1%%. Default none.")
    ServiceLaw delay = ServiceLaw.NONE;

    @Option(
            names = "--concurrency",
            paramLabel = "N",
            description = "Maximum concurrent requests; others wait. Default 0: no limit.")
    int concurrency;

    @Option(
            names = "--stall",
            paramLabel = "WHEN",
            description = "Stalls: 1s@5s, or 'every 10s for 200ms', from the first request on; repeatable.")
    List<Stall> stalls = new ArrayList<>();

    @Option(names = "--close-after", paramLabel = "N", description = "Closes each connection after N requests.")
    int closeAfter;

    @Option(names = "--without-notice", description = "Closes without 'Connection: close' in the last response.")
    boolean withoutNotice;

    @Option(
            names = "--connect-delay",
            paramLabel = "TIME",
            description = "Delay of a new connection, in its TLS handshake or first request.")
    Duration connectDelay = Duration.ZERO;

    @Option(
            names = "--cold",
            paramLabel = "TIME",
            description =
                    "Behaves like a function: an instance serves one request at a time and takes this long to start."
                            + " The response then has 'X-Cold-Start: true'.")
    Duration cold = Duration.ZERO;

    @Option(names = "--instances", paramLabel = "N", description = "With --cold, maximum instances. Default 1000.")
    int instances = Instances.NONE.most();

    @Option(
            names = "--scale-to-zero",
            paramLabel = "TIME",
            description = "With --cold, idle time after which an instance ends. Default 24h.")
    Duration scaleToZero = Duration.ofHours(24);

    @Option(
            names = "--misbehave",
            paramLabel = "MODE",
            converter = MisbehaviourConverter.class,
            completionCandidates = Misbehaviours.class,
            description =
                    "reset, close-without-answer, garbage, bad-status-line, half-answer, slow-body, headers-never,"
                            + " chunked, no-length or continue-first; refuse-stream, reset-stream, cut-frames and"
                            + " more for HTTP/2; an unknown MODE lists all.")
    Misbehaviour misbehaviour = Misbehaviour.NONE;

    @Option(names = "--body", paramLabel = "SIZE", description = "Bytes per response: 512, 16k, 16Ki. Default 2.")
    Size body = new Size(2);

    @Option(names = "--status", paramLabel = "CODE", description = "Default 200.")
    int status = 200;

    @Override
    public Integer call() throws IOException {
        LoopbackOptions options = options();
        CountDownLatch end = new CountDownLatch(1);
        Interruption interruption = new Interruption();
        interruption.onFirst(end::countDown);
        interruption.watch();
        PrintWriter out = spec.commandLine().getOut();
        try (LoopbackServer server = LoopbackServer.start(options)) {
            out.println("serving " + server.uri() + "   (Ctrl-C stops it)");
            out.flush();
            end.await();
            LoopbackStats stats = server.stats();
            out.println(PlanText.format(
                    "served %,d of %,d requests on %,d connections; closed %,d connections, misbehaved on %,d requests",
                    stats.requestsAnswered(),
                    stats.requestsReceived(),
                    stats.connectionsAccepted(),
                    stats.connectionsClosed(),
                    stats.requestsSpoiled()));
            out.flush();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        } finally {
            interruption.finished();
        }
        return ExitCode.MET;
    }

    LoopbackOptions options() {
        try {
            return LoopbackOptions.of(draft -> {
                draft.tls = tls;
                draft.delay = delay;
                draft.concurrency = concurrency;
                draft.stalls = stalls;
                draft.closeAfter = closeAfter;
                draft.closeNotice = !withoutNotice;
                draft.misbehaviour = misbehaviour;
                draft.connectDelayNanos = connectDelay.toNanos();
                draft.instances = new Instances(instances, cold.toNanos(), scaleToZero.toNanos());
                draft.bodyBytes = body.bytes();
                draft.status = status;
                draft.unixSocket = Optional.ofNullable(unix);
                if (port != null) {
                    draft.port = port;
                } else if (unix == null) {
                    draft.port = DEFAULT_PORT;
                }
            });
        } catch (IllegalArgumentException refused) {
            throw new TypeConversionException(withOwnOptionNames(String.valueOf(refused.getMessage())));
        }
    }

    /** Three of the server's own options have other names here. */
    private static String withOwnOptionNames(String message) {
        return message.replace("close-silently", "--without-notice")
                .replace("unix-socket", "--unix")
                .replace("body-size", "--body");
    }

    static final class Misbehaviours implements Iterable<String> {
        @Override
        public Iterator<String> iterator() {
            return Stream.of(Misbehaviour.values()).map(Misbehaviour::word).iterator();
        }
    }

    /** Parses a kind of misbehaviour. Registered for the enum, its message would be replaced by that of other enums. */
    static final class MisbehaviourConverter implements ITypeConverter<Misbehaviour> {
        @Override
        public Misbehaviour convert(String text) {
            return Refusal.wrap(() -> Misbehaviour.parse(text));
        }
    }
}
