package dev.downbeat.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.downbeat.arrival.Constant;
import dev.downbeat.arrival.Rate;
import dev.downbeat.http.message.HttpRequest;
import dev.downbeat.http.options.HttpOptions;
import dev.downbeat.loopback.LoopbackServer;
import dev.downbeat.loopback.options.LoopbackOptions;
import dev.downbeat.record.Ledger;
import dev.downbeat.run.Progress;
import dev.downbeat.run.RunPlan;
import dev.downbeat.run.RunResult;
import dev.downbeat.run.Workload;
import dev.downbeat.run.engine.LoadRun;
import java.io.IOException;
import java.time.Duration;
import java.util.function.Consumer;

/** A run of a fifth of a second against a real server: whatever this does, the ledger adds up. */
final class TwoHundredRequests {
    static final int REQUESTS = 200;

    private TwoHundredRequests() {}

    static RunPlan.Builder plan() {
        return RunPlan.builder(new Workload.Open(new Constant(Rate.perSecond(1_000))))
                .maxRequests(REQUESTS)
                .timeout(Duration.ofSeconds(40));
    }

    static RunResult run(RunPlan plan, String url, HttpOptions options) throws IOException {
        RunResult result = new LoadRun(plan, new HttpTarget(HttpRequest.get(url), options)).run(Progress.none());
        assertThat(result.ledger().addsUp()).isTrue();
        return result;
    }

    static RunResult run(Consumer<LoopbackOptions.Draft> server, Consumer<HttpOptions.Draft> options)
            throws IOException {
        try (LoopbackServer running = LoopbackServer.start(LoopbackOptions.of(server))) {
            return run(plan().build(), running.uri(), HttpOptions.of(options));
        }
    }

    static Ledger allAnswered() {
        return new Ledger(REQUESTS, REQUESTS, 0, 0, 0, 0, 0);
    }
}
