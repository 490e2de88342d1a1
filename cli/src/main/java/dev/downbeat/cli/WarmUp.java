package dev.downbeat.cli;

import dev.downbeat.arrival.Poisson;
import dev.downbeat.arrival.Rate;
import dev.downbeat.http.HttpOptions;
import dev.downbeat.http.HttpRequest;
import dev.downbeat.http.HttpTarget;
import dev.downbeat.loopback.CertificateKey;
import dev.downbeat.loopback.LoopbackOptions;
import dev.downbeat.loopback.LoopbackServer;
import dev.downbeat.run.LoadRun;
import dev.downbeat.run.Progress;
import dev.downbeat.run.RunPlan;
import dev.downbeat.run.ThinkTime;
import dev.downbeat.run.Workload;
import java.io.IOException;
import java.time.Duration;

/**
 * Lets the JVM load and compile our own code before anything is measured, by short runs against a server in this process.
 * A measurement that begins with the start-up of its instrument is late from its first request on. The user's target
 * sees none of it. {@code -Ddownbeat.selfWarmUp=false} leaves it out, to see what it is worth.
 */
final class WarmUp {
    private static final int CONNECTIONS = 4;
    private static final int PACKET_BYTES = 16 * 1024;

    private WarmUp() {}

    /**
     * Warms up. That it cannot is no reason not to measure: the run says itself if it was late.
     *
     * @param encrypted whether to open packets too, until the ciphers are compiled: before, they take up to a hundred times
     *     as long
     */
    static void run(Interruption interruption, boolean encrypted) {
        if (!Boolean.parseBoolean(System.getProperty("downbeat.selfWarmUp", "true"))) {
            return;
        }
        try (LoopbackServer server = LoopbackServer.start(LoopbackOptions.defaults())) {
            HttpTarget target = new HttpTarget(
                    HttpRequest.get(server.uri()),
                    HttpOptions.builder().connections(CONNECTIONS).build());
            run(new Workload.Closed(CONNECTIONS, ThinkTime.none()), target, 350, interruption);
            run(new Workload.Open(new Poisson(Rate.perSecond(2_000), 1)), target, 250, interruption);
            if (encrypted) {
                encrypted(interruption);
            }
            System.gc(); // now, so that what the warm-up has left is not collected in mid-run
        } catch (IOException impossible) {
            // The run itself will say what it lacks.
        }
    }

    private static void encrypted(Interruption interruption) throws IOException {
        LoopbackOptions options = LoopbackOptions.builder()
                .tls(true)
                .certificateKey(CertificateKey.EC)
                .bodyBytes(PACKET_BYTES)
                .build();
        try (LoopbackServer server = LoopbackServer.start(options)) {
            HttpOptions trusting = HttpOptions.builder()
                    .connections(CONNECTIONS)
                    .trust(server.certificate().orElseThrow())
                    .build();
            HttpTarget target = new HttpTarget(HttpRequest.get(server.uri()), trusting);
            run(new Workload.Closed(CONNECTIONS, ThinkTime.none()), target, 1_000, interruption);
        }
    }

    private static void run(Workload workload, HttpTarget target, long millis, Interruption interruption)
            throws IOException {
        RunPlan plan = RunPlan.builder(workload)
                .duration(Duration.ofMillis(millis))
                .timeout(Duration.ofSeconds(1))
                .build();
        if (!interruption.isReceived()) {
            new LoadRun(plan, target).run(Progress.none());
        }
    }
}
