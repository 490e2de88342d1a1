package dev.downbeat.cli.job;

import dev.downbeat.arrival.Poisson;
import dev.downbeat.arrival.Rate;
import dev.downbeat.cli.console.Interruption;
import dev.downbeat.cli.measurement.Schedule;
import dev.downbeat.exchange.Target;
import dev.downbeat.http.HttpTarget;
import dev.downbeat.http.message.HttpRequest;
import dev.downbeat.http.options.HttpOptions;
import dev.downbeat.http.tls.TlsProvider;
import dev.downbeat.loopback.LoopbackServer;
import dev.downbeat.loopback.options.CertificateKey;
import dev.downbeat.loopback.options.LoopbackOptions;
import dev.downbeat.run.Progress;
import dev.downbeat.run.RunPlan;
import dev.downbeat.run.ThinkTime;
import dev.downbeat.run.Workload;
import dev.downbeat.run.engine.LoadRun;
import dev.downbeat.selfcheck.MachineProfile;
import java.io.IOException;
import java.lang.reflect.Method;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/**
 * Lets the JVM load and compile Downbeat's code by short runs against an embedded server. Otherwise the first requests
 * would be late. The user's target is not involved. {@code -Ddownbeat.selfWarmUp=false} disables it, to measure its
 * effect.
 */
public final class SelfWarmUp {
    private static final int CONNECTIONS = 4;

    /** Runs of at most this many requests end before compiled code pays off. */
    private static final long SHORT_RUN = 1_000;

    /** This many requests load all code that a request needs. */
    private static final long LOADING_REQUESTS = 100;

    /** How long the JDK's ciphers take to be compiled. */
    private static final long COMPILED_MILLIS = 1_000;

    /** Native ciphers need no compilation, only the code that calls them. */
    private static final long NATIVE_MILLIS = 300;

    private static final int PACKET_BYTES = 16 * 1024;

    /** Short, so that the code that closes an interval is compiled: before, each takes 10 ms of a processor. */
    private static final Duration INTERVAL = Duration.ofMillis(10);

    /** The warm-up requests of this JVM so far, by TLS implementation; the empty name is without TLS. */
    private static final Map<String, Long> WARMED = new ConcurrentHashMap<>();

    private SelfWarmUp() {}

    /**
     * Warms up for long runs. A failure does not prevent the measurement, which detects its own lateness.
     *
     * @param targets what will be measured; their TLS implementations are warmed up until they are compiled, as the JDK's
     *     ciphers are up to a hundred times slower until then
     */
    public static void run(Interruption interruption, List<Target> targets) {
        run(interruption, targets, Long.MAX_VALUE);
    }

    /** Warms up for a plan. One of few requests only needs loaded code: it ends before code is compiled. */
    static void run(Interruption interruption, Target target, RunPlan plan) {
        double perSecond = Schedule.peakPerSecond(plan);
        double byTime = perSecond == 0 ? Double.POSITIVE_INFINITY : perSecond * plan.durationNanos() / 1e9;
        boolean isShort = plan.maxRequests() <= SHORT_RUN || byTime <= SHORT_RUN;
        run(interruption, List.of(target), isShort ? LOADING_REQUESTS : Long.MAX_VALUE);
    }

    private static void run(Interruption interruption, List<Target> targets, long requests) {
        if (targets.stream().allMatch(HttpTarget.class::isInstance)) {
            Compilers.apply();
        }
        if (!Boolean.parseBoolean(System.getProperty("downbeat.selfWarmUp", "true"))) {
            return;
        }
        List<Optional<TlsProvider>> cold = Stream.concat(
                        Stream.of(Optional.<TlsProvider>empty()),
                        targets.stream().map(SelfWarmUp::tls).filter(Optional::isPresent))
                .distinct()
                .filter(engine -> WARMED.getOrDefault(name(engine), 0L) < requests)
                .toList();
        if (cold.isEmpty()) {
            return;
        }
        try {
            for (Optional<TlsProvider> engine : cold) {
                if (engine.isPresent()) {
                    encrypted(engine.get(), requests, interruption);
                } else {
                    plain(requests, interruption);
                }
            }
            if (requests == Long.MAX_VALUE) {
                System.gc(); // collect the warm-up's garbage now rather than during the run
            }
            if (!interruption.isReceived()) {
                cold.forEach(engine -> WARMED.merge(name(engine), requests, Math::max));
            }
        } catch (IOException impossible) {
            // the run itself detects what it lacks
        }
    }

    private static String name(Optional<TlsProvider> engine) {
        return engine.map(TlsProvider::name).orElse("");
    }

    private static void plain(long requests, Interruption interruption) throws IOException {
        try (LoopbackServer server = LoopbackServer.start(LoopbackOptions.defaults())) {
            HttpTarget target = new HttpTarget(
                    HttpRequest.get(server.uri()), HttpOptions.of(draft -> draft.connections = CONNECTIONS));
            run(new Workload.Closed(CONNECTIONS, ThinkTime.none()), target, 350, requests, interruption);
            if (requests == Long.MAX_VALUE) {
                run(new Workload.Open(new Poisson(Rate.perSecond(2_000), 1)), target, 250, requests, interruption);
            }
        }
    }

    /** The TLS implementation of a target; empty without TLS. */
    static Optional<TlsProvider> tls(Target target) {
        return target instanceof HttpTarget http ? http.tls() : Optional.empty();
    }

    private static void encrypted(TlsProvider provider, long requests, Interruption interruption) throws IOException {
        LoopbackOptions options = LoopbackOptions.of(draft -> {
            draft.tls = true;
            draft.certificateKey = CertificateKey.EC;
            draft.bodyBytes = PACKET_BYTES;
        });
        try (LoopbackServer server = LoopbackServer.start(options)) {
            HttpOptions trusting = HttpOptions.of(draft -> {
                draft.connections = CONNECTIONS;
                draft.tls.trust(server.certificate().orElseThrow());
                draft.tls.provider = provider;
            });
            HttpTarget target = new HttpTarget(HttpRequest.get(server.uri()), trusting);
            long millis = provider.isNative() ? NATIVE_MILLIS : COMPILED_MILLIS;
            run(new Workload.Closed(CONNECTIONS, ThinkTime.none()), target, millis, requests, interruption);
        }
    }

    private static void run(Workload workload, HttpTarget target, long millis, long requests, Interruption interruption)
            throws IOException {
        RunPlan plan = RunPlan.builder(workload)
                .duration(Duration.ofMillis(millis))
                .maxRequests(requests)
                .interval(INTERVAL)
                .timeout(Duration.ofSeconds(1))
                .build();
        if (!interruption.isReceived()) {
            new LoadRun(plan, target).run(Progress.none());
        }
    }

    /**
     * Chooses the JVM's compilers. The fast one (C1) compiles everything except the ciphers, which only C2 compiles to the
     * processor's cipher instructions. Then no code is recompiled during a run, and encryption is not a hundred times
     * slower. For HTTP only: a database's driver is so much code that C2 pays. docs/engine.md has the measurements.
     *
     * <p>Set from within the JVM, so that it holds however Downbeat is started and whatever a saved plan targets. It needs
     * the access granted by the manifest of Downbeat's jar; without it, the JVM's defaults apply.
     */
    static final class Compilers {
        private static final String DIRECTIVES = """
                [
                  { match: ["com/sun/crypto/provider/*.*", "sun/security/*.*", "javax/crypto/*.*"], c2: { Exclude: false } },
                  { match: "*.*", c2: { Exclude: true } }
                ]
                """;

        private Compilers() {}

        /** Applies the choice to all code compiled from now on. {@code -Ddownbeat.compilers=jvm} disables it. */
        static void apply() {
            if (System.getProperty("downbeat.compilers", "ours").equals("jvm") || isForOneCompiler()) {
                return;
            }
            try {
                Path file = Files.createTempFile("downbeat", ".directives");
                try {
                    Files.writeString(file, DIRECTIVES, StandardCharsets.US_ASCII);
                    runDiagnosticCommand("Compiler.directives_add " + file);
                } finally {
                    Files.delete(file);
                }
            } catch (IOException | ReflectiveOperationException | RuntimeException failed) {
                // it works without, only less steadily
            }
        }

        /** Whether the user or the launcher has chosen already. */
        static boolean isForOneCompiler() {
            return MachineProfile.flags().stream()
                    .anyMatch(flag -> flag.startsWith("-XX:TieredStopAtLevel") || flag.equals("-Xint"));
        }

        /** Runs a command of jcmd within this process. */
        private static void runDiagnosticCommand(String command) throws ReflectiveOperationException {
            Class.forName("com.sun.management.internal.PlatformMBeanProviderImpl"); // loads the library
            Class<?> type = Class.forName("com.sun.management.internal.DiagnosticCommandImpl");
            Method get = type.getDeclaredMethod("getDiagnosticCommandMBean");
            get.setAccessible(true);
            Method execute = type.getDeclaredMethod("executeDiagnosticCommand", String.class);
            execute.setAccessible(true);
            execute.invoke(get.invoke(null), command);
        }
    }
}
