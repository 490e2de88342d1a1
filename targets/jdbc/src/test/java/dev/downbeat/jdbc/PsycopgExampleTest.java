package dev.downbeat.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.downbeat.arrival.Constant;
import dev.downbeat.arrival.Rate;
import dev.downbeat.exec.ExecTarget;
import dev.downbeat.run.Progress;
import dev.downbeat.run.RunPlan;
import dev.downbeat.run.RunResult;
import dev.downbeat.run.Workload;
import dev.downbeat.run.engine.LoadRun;
import dev.downbeat.testing.Python;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The example of {@code exec:} in psycopg: its ledger against the server's own count; without psycopg there is nothing to show. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
@Timeout(60)
class PsycopgExampleTest {
    private static final int REQUESTS = 60;
    private static final Path EXAMPLE = Path.of("..", "exec", "examples", "psycopg_worker.py");

    @TempDir
    private Path folder;

    @Test
    void a_worker_keeps_its_connection_or_opens_one_for_each_request() throws Exception {
        String python = Python.with("psycopg", "PsycopgExampleTest");
        try (Postgres server = new Postgres(folder)) {
            server.execute("create table marks (id int primary key)");
            String command = python + " " + EXAMPLE + " 'host=127.0.0.1 port=" + server.port()
                    + " user=postgres dbname=postgres'";

            RunResult kept = run(command, 0);
            RunResult anew = run(command + " --new", REQUESTS);
            RunResult again = run(command, 0);

            assertThat(kept.ledger().answered()).isEqualTo(REQUESTS);
            assertThat(kept.connections().opened()).isBetween(1L, 2L);
            assertThat(anew.ledger().answered()).isEqualTo(REQUESTS);
            assertThat(anew.connections().opened()).isEqualTo(REQUESTS);
            assertThat(again.recording().failures()).containsExactly(Map.entry("SQLSTATE 23505", (long) REQUESTS));
            assertThat(server.count("select count(*) from marks")).isEqualTo(2 * REQUESTS);
        }
    }

    private static RunResult run(String command, int from) throws Exception {
        RunPlan plan = RunPlan.builder(new Workload.Open(new Constant(Rate.perSecond(50))))
                .maxRequests(REQUESTS)
                .build();
        ExecTarget target = new ExecTarget(
                command,
                ExecTarget.Options.workers(2),
                index -> Map.of("data", "insert into marks values (" + (from + index) + ")"));
        return new LoadRun(plan, target).run(Progress.none());
    }
}
