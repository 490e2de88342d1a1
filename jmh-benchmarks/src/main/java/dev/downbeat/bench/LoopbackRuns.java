package dev.downbeat.bench;

import dev.downbeat.http.HttpTarget;
import dev.downbeat.http.message.HttpRequest;
import dev.downbeat.http.options.HttpOptions;
import dev.downbeat.jmh.iteration.IterationRecording;
import dev.downbeat.run.Progress;
import dev.downbeat.run.RunPlan;
import dev.downbeat.run.RunResult;
import dev.downbeat.run.ThinkTime;
import dev.downbeat.run.Workload;
import dev.downbeat.run.engine.LoadRun;
import java.io.IOException;

/** Whole runs as operations of benchmarks: a closed loop of one client. */
public final class LoopbackRuns {
    private LoopbackRuns() {}

    /**
     * Runs and publishes the recording.
     *
     * @param url of a server on the loopback
     * @param options of the one connection at a time
     * @param requests how many, at least 1
     * @throws IllegalStateException if any of them failed
     */
    public static RunResult closed(String url, HttpOptions options, long requests) throws IOException {
        RunResult result = unpublished(url, options, requests);
        IterationRecording.publish(result.recording());
        return result;
    }

    /**
     * Runs without publishing, to have code compiled.
     *
     * @param url of a server on the loopback
     * @param options of the one connection at a time
     * @param requests how many, at least 1
     * @throws IllegalStateException if any of them failed
     */
    public static RunResult unpublished(String url, HttpOptions options, long requests) throws IOException {
        RunPlan plan = RunPlan.builder(new Workload.Closed(1, ThinkTime.none()))
                .maxRequests(requests)
                .build();
        RunResult result = new LoadRun(plan, new HttpTarget(HttpRequest.get(url), options)).run(Progress.none());
        if (result.ledger().answered() != requests) {
            throw new IllegalStateException("the run broke: " + result.ledger() + " "
                    + result.recording().failures());
        }
        return result;
    }
}
