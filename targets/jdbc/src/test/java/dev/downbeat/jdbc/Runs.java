package dev.downbeat.jdbc;

import dev.downbeat.arrival.Constant;
import dev.downbeat.arrival.Rate;
import dev.downbeat.exchange.Target;
import dev.downbeat.run.Progress;
import dev.downbeat.run.RunPlan;
import dev.downbeat.run.RunResult;
import dev.downbeat.run.Workload;
import dev.downbeat.run.engine.LoadRun;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** Runs as short as their question allows. */
final class Runs {
    private static final int COUNT = 100;

    private Runs() {}

    static RunPlan.Builder plan(int perSecond, Duration duration) {
        return RunPlan.builder(new Workload.Open(new Constant(Rate.perSecond(perSecond))))
                .duration(duration)
                .timeout(Duration.ofSeconds(20));
    }

    static RunResult of(Target target, RunPlan.Builder plan) throws IOException {
        return new LoadRun(plan.build(), target).run(Progress.none());
    }

    /** With a freeze of 1.5 s from the end of the first interval on, however long the target took to open. */
    static RunResult frozen(RealServer server, Target target, RunPlan.Builder plan) throws Exception {
        List<CompletableFuture<Long>> freezes = new ArrayList<>();
        RunResult result = new LoadRun(plan.build(), target).run(interval -> {
            if (freezes.isEmpty()) {
                freezes.add(server.freeze(Duration.ZERO, Duration.ofMillis(1_500)));
            }
        });
        freezes.get(0).get();
        return result;
    }

    /** A hundred requests in a quarter of a second. */
    static RunResult of(Target target) throws IOException {
        return of(target, plan(COUNT * 4, Duration.ofMillis(250)));
    }

    static JdbcOptions options(int connections) {
        return JdbcOptions.USUAL.withConnections(connections);
    }

    static JdbcOptions noKeepAlive(int connections) {
        JdbcOptions usual = JdbcOptions.USUAL;
        return new JdbcOptions(
                connections,
                false,
                usual.maxRequests(),
                false,
                Optional.empty(),
                List.of(),
                Optional.empty(),
                usual.connectTimeout(),
                0,
                false);
    }

    static JdbcOptions hikari(int callers, String pool) {
        JdbcOptions usual = JdbcOptions.USUAL;
        return new JdbcOptions(
                callers,
                true,
                usual.maxRequests(),
                false,
                Optional.empty(),
                List.of(),
                Optional.of(pool),
                usual.connectTimeout(),
                0,
                false);
    }

    /** The index of each request, for each of its parameters. */
    static ParameterValues indices(List<String> parameters) {
        return index -> parameters.stream().map(one -> Long.toString(index)).toArray();
    }

    static JdbcTarget target(String url, String sql, JdbcOptions options) {
        return JdbcTarget.of(url, SqlScript.parse(sql), options, Runs::indices, 1);
    }
}
