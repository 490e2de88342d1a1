package dev.downbeat.gatling;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.sun.net.httpserver.HttpServer;
import dev.downbeat.loopback.LoopbackServer;
import dev.downbeat.loopback.options.LoopbackOptions;
import dev.downbeat.report.data.RunReport;
import dev.downbeat.report.file.EntryPoint;
import dev.downbeat.report.file.RunFile;
import dev.downbeat.time.ServiceLaw;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramLogReader;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Every request of every kind of simulation has one place in the ledger. One JVM runs them all, one after the other. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class LedgerTest {
    private static LoopbackServer server;

    @TempDir
    private Path results;

    @BeforeAll
    static void start() throws IOException {
        server = LoopbackServer.start(LoopbackOptions.defaults());
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    private GatlingRun run(Class<?> simulation, String... properties) throws IOException {
        Map<String, String> all = new HashMap<>(Map.of("test.url", server.uri()));
        for (int i = 0; i < properties.length; i += 2) {
            all.put(properties[i], properties[i + 1]);
        }
        return GatlingRun.of(simulation, results, all);
    }

    @Test
    void scenarios_one_after_the_other_and_side_by_side() throws IOException {
        GatlingRun run = run(Simulations.Stairs.class);
        assertThat(run.exitCode()).isZero();
        assertThat(run.addsUp()).isTrue();
        assertThat(run.ledger("planned")).isEqualTo(run.ledger("answered"));
        assertThat(run.gatling().count()).as("Gatling's own count").isEqualTo(run.ledger("answered"));
        Map<String, List<Long>> requests = run.requests();
        assertThat(requests.keySet())
                .containsExactly("after reset", "group / first", "group / inner", "of-value", "post");
        assertThat(requests.getOrDefault("group / inner", List.of()))
                .isEqualTo(requests.getOrDefault("group / first", List.of()).stream()
                        .map(count -> 2 * count)
                        .toList());
        assertThat(requests.values().stream().mapToLong(counts -> counts.get(0)).sum())
                .isEqualTo(run.ledger("planned"));
        assertThat(run.out()).contains("response times by request", "group / inner");
        RunReport saved = RunFile.read(run.folder().resolve("downbeat.downbeat"));
        assertThat(saved.result().ledger().planned()).isEqualTo(run.ledger("planned"));
        assertThat(EntryPoint.text(saved.measurement()))
                .contains("the simulation " + Simulations.Stairs.class.getName());
        assertThat(saved.command())
                .startsWith("mvn", "gatling:test", "-Dgatling.simulationClass=" + Simulations.Stairs.class.getName());
    }

    @Test
    void requests_held_by_a_throttle_were_wanted_when_their_users_came() throws IOException {
        GatlingRun run = run(Simulations.Throttled.class, "test.rate", "60", "test.seconds", "2");
        assertThat(run.addsUp()).isTrue();
        assertThat(run.ledger("answered")).isEqualTo(120);
        JsonNode json = run.json();
        // half of the rate for 2 s: the last waits for 2 s
        assertThat(json.at("/response/max_ns").longValue()).isGreaterThan(1_300_000_000L);
        assertThat(json.at("/backlog_wait/max_ns").longValue()).isGreaterThan(1_300_000_000L);
        assertThat(json.at("/backlog/peak").longValue()).isGreaterThan(40);
        assertThat(json.at("/service/p50_ns").longValue())
                .isLessThan(json.at("/response/p50_ns").longValue() / 4);
    }

    @Test
    void users_who_were_due_on_event_loops_that_are_busy_to_the_end_were_planned() throws IOException {
        GatlingRun run = run(Simulations.BusyLoops.class, "test.rate", "50", "test.seconds", "2");
        assertThat(run.addsUp()).isTrue();
        long untilTheEnd =
                50 * run.json().at("/duration_ns").longValue() / 1_000_000_000; // a busy machine is late to end it
        assertThat(run.ledger("never_sent")).isBetween(40L, Math.max(60, untilTheEnd + 5));
        assertThat(run.ledger("planned")).isEqualTo(run.ledger("never_sent"));
    }

    @Test
    void an_empty_feeder_breaks_the_run_with_its_reason() throws IOException {
        Map<String, String> properties = Map.of("test.url", server.uri(), "test.rate", "40", "test.seconds", "3");
        try {
            GatlingRun.of(Simulations.FeederThatEnds.class, results, properties);
        } catch (Exception crashed) {
            assertThat(crashed).hasMessageContaining("feeder is now empty");
        }
        GatlingRun run = new GatlingRun(1, GatlingRun.only(results), "");
        JsonNode json = run.json();
        assertThat(run.addsUp()).isTrue();
        long untilTheEnd = 40 * json.at("/duration_ns").longValue() / 1_000_000_000; // a busy machine is late to end it
        assertThat(run.ledger("planned")).isBetween(40L, Math.max(45, untilTheEnd + 5));
        assertThat(json.at("/ending").textValue()).isEqualTo("broken");
        assertThat(Files.readString(run.folder().resolve("downbeat.html")))
                .contains("BROKEN after ")
                .doesNotContain("after the load ended");
        assertThat(json.at("/failure").textValue()).contains("feeder is now empty");
        assertThat(json.at("/verdict/measurement").textValue()).isEqualTo("unsound");
    }

    @Test
    void a_closed_population_is_called_closed() throws IOException {
        GatlingRun run = run(Simulations.Closed.class, "test.users", "5");
        assertThat(run.addsUp()).isTrue();
        assertThat(run.ledger("planned")).isEqualTo(run.gatling().count());
        assertThat(run.json().at("/plan/workload").textValue()).isEqualTo("closed");
        assertThat(run.out()).contains("closed loop: 5 virtual users wait for each response");
    }

    /** Gatling logs them and counts nothing. A chain that an earlier run shares counts them once too. */
    @Test
    void a_request_whose_name_has_no_value_has_failed_unsent() throws IOException {
        for (String name : List.of("first", "second")) {
            GatlingRun run =
                    GatlingRun.of(Simulations.Unnamed.class, results.resolve(name), Map.of("test.url", server.uri()));
            assertThat(run.addsUp()).isTrue();
            assertThat(run.requests())
                    .isEqualTo(Map.of(
                            "one", List.of(10L, 10L, 0L),
                            "two", List.of(10L, 10L, 0L),
                            "(name has no value)", List.of(25L, 0L, 25L)));
            assertThat(run.ledger("planned")).isEqualTo(45);
            assertThat(run.ledger("unconnected")).as("unsent").isEqualTo(25);
            assertThat(run.out()).contains("No attribute named 'missing' is defined", "could not be built");
            assertThat(run.gatling().count()).as("Gatling's own count").isEqualTo(20);
        }
    }

    @Test
    void a_name_that_throws_has_no_value_and_its_user_goes_on() throws IOException {
        GatlingRun run = run(Simulations.NamedByAFunctionThatThrows.class);
        assertThat(run.addsUp()).isTrue();
        assertThat(run.requests())
                .isEqualTo(Map.of(
                        "before", List.of(2L, 2L, 0L),
                        "after", List.of(2L, 2L, 0L),
                        "(name has no value)", List.of(2L, 0L, 2L)));
        assertThat(run.out()).contains("No attribute named id is defined");
    }

    @Test
    void after_a_pause_that_throws_its_user_goes_on() throws IOException {
        GatlingRun run = run(Simulations.PausedByAFunctionThatThrows.class);
        assertThat(run.requests()).isEqualTo(Map.of("after", List.of(2L, 2L, 0L)));
    }

    @Test
    void the_name_of_a_request_that_was_sent_is_not_asked_for_again() throws IOException {
        GatlingRun run = run(Simulations.NamedOnce.class);
        assertThat(run.addsUp()).isTrue();
        List<Long> failed = List.of(1L, 0L, 1L);
        assertThat(run.requests()).isEqualTo(Map.of("a", failed, "b", failed, "c", failed, "d", failed));
    }

    @Test
    void silent_and_cached_requests_of_users_who_failed_are_not_counted() throws IOException {
        HttpServer cached = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        cached.createContext("/", exchange -> {
            exchange.getResponseHeaders().add("Cache-Control", "max-age=60");
            exchange.sendResponseHeaders(200, -1);
            exchange.close();
        });
        cached.start();
        try {
            String url = "http://127.0.0.1:" + cached.getAddress().getPort();
            GatlingRun run = run(Simulations.Uncounted.class, "test.url", url);
            assertThat(run.addsUp()).isTrue();
            assertThat(run.requests()).isEqualTo(Map.of("teapot", List.of(2L, 0L, 2L), "page", List.of(2L, 2L, 0L)));
            assertThat(run.gatling().count()).as("Gatling's own count").isEqualTo(4);
        } finally {
            cached.stop(0);
        }
    }

    @Test
    void requests_that_fail_and_requests_that_cannot_be_built() throws IOException {
        GatlingRun run = run(Simulations.Failing.class);
        assertThat(run.addsUp()).isTrue();
        assertThat(run.ledger("planned")).isEqualTo(30);
        assertThat(run.ledger("failed")).isEqualTo(20);
        assertThat(run.ledger("answered")).isEqualTo(10);
        assertThat(run.json().at("/errors").size()).isEqualTo(2);
        assertThat(run.requests())
                .containsEntry("fine", List.of(10L, 10L, 0L))
                .containsEntry("no such key", List.of(10L, 0L, 10L))
                .containsEntry("teapot", List.of(10L, 0L, 10L));
        assertThat(run.ledger("unconnected")).as("unsent").isEqualTo(10);
        assertThat(run.rows().getOrDefault("no such key", List.of()).subList(6, 13))
                .as("times of requests that were not built")
                .containsOnly("");
        assertThat(run.out()).contains("10 of these unsent: could not be built").doesNotContain("p50 0 ns");
        for (String fate : List.of("planned", "answered", "failed")) {
            assertThat(run.page(fate)).isEqualTo(run.ledger(fate));
        }
    }

    @Test
    void requests_and_groups_have_times_and_objectives_of_their_own() throws IOException {
        GatlingRun run = run(Simulations.Grouped.class, "test.seconds", "1", "test.rate", "20");
        assertThat(run.addsUp()).isTrue();
        assertThat(run.requests())
                .containsEntry("shop / login", List.of(20L, 20L, 0L))
                .containsEntry("shop / order", List.of(20L, 0L, 20L));
        List<String> order = run.rows().getOrDefault("shop / order", List.of());
        assertThat(order.subList(6, 10)).as("times of the answered").containsOnly("");
        assertThat(List.of(order.get(10), order.get(12)))
                .as("median and maximum of the failed")
                .allMatch(nanos -> Long.parseLong(nanos) > 10_000);
        assertThat(run.json().at("/verdict/service").textValue()).isEqualTo("missed");
        assertThat(run.out().replaceAll("\\s+", " "))
                .contains(
                        "shop / login: max<1ns and nobody: p50<1s were missed",
                        "shop / login: max < 1 ns",
                        "nobody: p50 < 1 s: no request has this name");
        String page = Files.readString(run.folder().resolve("downbeat.html"));
        assertThat(page).contains("(group) shop", "max &lt; 1 ns MISSED, max &lt; 1h met");
        assertThat(logged(run, "request:(group)%20shop")).isEqualTo(20);
        assertThat(logged(run, "request-failed:(group)%20shop")).isEqualTo(20);
    }

    private static long logged(GatlingRun run, String tag) throws IOException {
        long count = 0;
        try (InputStream log = Files.newInputStream(run.folder().resolve("downbeat.hlog"));
                HistogramLogReader reader = new HistogramLogReader(log)) {
            while (reader.hasNext()) {
                if (reader.nextIntervalHistogram() instanceof Histogram next && tag.equals(next.getTag())) {
                    count += next.getTotalCount();
                }
            }
        }
        return count;
    }

    @Test
    void over_HTTP_2_a_page_and_its_resource_have_a_place_each() throws IOException {
        try (LoopbackServer secret = LoopbackServer.start(LoopbackOptions.of(draft -> draft.tls = true))) {
            GatlingRun run = run(Simulations.OverHttp2.class, "test.url", secret.uri());
            assertThat(run.addsUp()).isTrue();
            assertThat(run.requests()).isEqualTo(Map.of("page", List.of(5L, 5L, 0L), "picture", List.of(5L, 5L, 0L)));
            assertThat(secret.stats().connectionsAccepted()).isEqualTo(5);
        }
    }

    /** Each answer takes two and a half beats. */
    @Test
    void a_pace_that_is_late_catches_up_or_skips_and_counts() throws IOException {
        try (LoopbackServer slow =
                LoopbackServer.start(LoopbackOptions.of(draft -> draft.delay = new ServiceLaw.Constant(250_000_000)))) {
            GatlingRun run = run(
                    Simulations.Paced.class,
                    "test.url",
                    slow.uri(),
                    "test.users",
                    "2",
                    "downbeat.pace",
                    "skipAndCount");
            assertThat(run.addsUp()).isTrue();
            assertThat(run.ledger("planned")).isEqualTo(2 * 20);
            assertThat(run.ledger("answered")).isBetween(2L, 2 * 9L);
            long skipped = run.requests()
                    .getOrDefault("(skipped by pace)", List.of(0L))
                    .get(0);
            assertThat(skipped).isGreaterThan(2 * 20 / 3);
            assertThat(run.ledger("never_sent"))
                    .as("with those that nobody came to")
                    .isGreaterThanOrEqualTo(skipped);
            assertThat(run.gatling().count()).isEqualTo(run.ledger("answered"));
            assertThat(run.out()).contains("Gatling's pace");
            List<Long> sent = run.byGatlingsPace();
            assertThat(sent.get(0)).isEqualTo(run.ledger("planned") - run.ledger("never_sent"));
            assertThat(sent.get(1)).isEqualTo(run.ledger("answered"));
        }
    }

    @Test
    void a_pace_keeps_the_schedule_of_its_loop_in_a_block_that_a_failure_ends() throws IOException {
        try (LoopbackServer slow =
                LoopbackServer.start(LoopbackOptions.of(draft -> draft.delay = new ServiceLaw.Constant(250_000_000)))) {
            GatlingRun run = run(Simulations.PacedInTry.class, "test.url", slow.uri());
            assertThat(run.addsUp()).isTrue();
            assertThat(run.ledger("planned")).isEqualTo(20);
        }
    }

    /** The beat at the very end is outside; so is one for which a loop has time left only since it was entered late. */
    @Test
    void a_loop_of_a_given_time_has_as_many_beats_as_fit_into_it() throws IOException {
        GatlingRun run = run(Simulations.PacedAfterWork.class, "test.users", "3", "test.seconds", "2");
        assertThat(run.addsUp()).isTrue();
        assertThat(run.ledger("planned")).isEqualTo(3 * 20);
        assertThat(run.gatling().count()).isEqualTo(run.ledger("answered"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"catchUp", "gatling"})
    void a_paced_loop_that_its_user_has_left_plans_no_further_iterations(String others) throws IOException {
        GatlingRun run = run(Simulations.PacedAtFirst.class, "downbeat.pace", others);
        assertThat(run.addsUp()).isTrue();
        assertThat(run.requests()).containsOnlyKeys("poll", "work", "fail");
        assertThat(run.ledger("never_sent")).isZero();
        assertThat(run.json().at("/plan/workload").textValue()).isEqualTo("closed");
    }

    @Test
    void a_pace_of_zero_is_none() throws IOException {
        GatlingRun run = run(Simulations.Paced.class, "test.pace", "0", "test.users", "2", "test.seconds", "1");
        assertThat(run.addsUp()).isTrue();
        assertThat(run.json().at("/plan/workload").textValue()).isEqualTo("closed");
        assertThat(run.json().at("/response/p50_ns").longValue())
                .isLessThan(run.json().at("/service/p50_ns").longValue() * 2 + 1_000_000);
    }

    /** Its loop is over when it begins, but it was planned. Gatling counts from sending, as ever. */
    @Test
    void a_late_last_iteration_of_a_timed_loop_is_late_for_us_and_not_for_Gatling() throws IOException {
        GatlingRun run = run(Simulations.PacedHeldUp.class);
        assertThat(run.ledger("answered")).isEqualTo(12);
        long maxNanos = run.json().at("/response/max_ns").longValue();
        assertThat(maxNanos).isGreaterThan(1_200_000_000L);
        assertThat(run.gatling().max() * 1_000_000L).isLessThan(maxNanos / 2);
    }

    @Test
    void a_pace_that_an_earlier_simulation_shares_is_Gatlings_if_it_is_to_be() throws IOException {
        Map<String, String> ours = Map.of("test.url", server.uri());
        Map<String, String> gatlings = Map.of("test.url", server.uri(), "downbeat.pace", "gatling");
        GatlingRun first = GatlingRun.of(Simulations.PacedByAll.class, results.resolve("first"), ours);
        GatlingRun second = GatlingRun.of(Simulations.PacedByAll.class, results.resolve("second"), gatlings);
        assertThat(first.json().at("/plan/workload").textValue()).isEqualTo("partly-open");
        assertThat(second.json().at("/plan/workload").textValue()).isEqualTo("closed");
    }

    @Test
    void settings_of_one_scenario_only_are_refused_and_leave_no_results_of_an_earlier_run() throws IOException {
        Path old = Files.createFile(results.resolve("downbeat.html"));
        Path foreign = Files.createFile(results.resolve("index.html"));
        assertThatThrownBy(() -> run(Simulations.OnAScenario.class, "downbeat.saveTo", results.toString()))
                .hasMessage("Downbeat.protocol() is for the whole run, but is set on scenario open only:"
                        + " give it to setUp(...).protocols(...)");
        assertThat(old).doesNotExist();
        assertThat(foreign).exists();
    }

    @Test
    void a_folder_that_cannot_have_the_results_is_refused_before_the_run() throws IOException {
        Path file = Files.createFile(results.resolve("file"));
        assertThatThrownBy(() -> run(Simulations.SideBySide.class, "downbeat.saveTo", file.toString()))
                .hasMessage("results cannot be saved to " + file + " (saveTo): it is not a writable folder");
    }

    @Test
    void populations_that_begin_together_have_one_start() throws IOException {
        GatlingRun run = run(Simulations.SideBySide.class);
        assertThat(run.addsUp()).isTrue();
        Set<Long> intended = new HashSet<>();
        run.json()
                .at("/exemplars")
                .forEach(each -> intended.add(each.at("/intended_ns").longValue()));
        assertThat(intended).containsExactly(0L);
        assertThat(run.json().at("/rates/intended_over_ns").longValue()).isGreaterThan(1_000_000);
        assertThat(run.out()).doesNotContain("1,000,000,000/s", "over 1 ns");
    }

    @Test
    void no_server_listens() throws IOException {
        GatlingRun run = run(Simulations.Open.class, "test.url", "http://127.0.0.1:1", "test.seconds", "1");
        assertThat(run.addsUp()).isTrue();
        assertThat(run.ledger("failed")).isEqualTo(50);
        assertThat(run.ledger("unconnected")).isEqualTo(50);
        assertThat(run.json().at("/verdict/service").textValue()).isEqualTo("missed");
    }

    @Test
    void a_warm_up_is_sent_and_not_counted() throws IOException {
        GatlingRun run = run(Simulations.Open.class, "test.seconds", "2", "downbeat.warmUp", "1s");
        assertThat(run.addsUp()).isTrue();
        assertThat(run.ledger("answered")).isEqualTo(50);
        assertThat(run.gatling().count()).isEqualTo(100);
        assertThat(run.out()).contains("warm up 1 s", "the first 1 s are left out: 50 requests");
    }

    @Test
    void a_first_request_that_a_pause_moves_behind_the_warm_up_is_counted() throws IOException {
        GatlingRun run = run(Simulations.PauseFirst.class, "downbeat.warmUp", "500ms");
        assertThat(run.addsUp()).isTrue();
        assertThat(run.ledger("answered")).isEqualTo(20);
        assertThat(run.out()).contains("the first 500 ms are left out: 0 requests");
    }

    @Test
    void a_warm_up_longer_than_the_run_is_named() throws IOException {
        String why = "all requests were intended within the warm-up of 30 s";
        GatlingRun run = run(
                Simulations.Open.class,
                "test.seconds",
                "1",
                "downbeat.warmUp",
                "30s",
                "downbeat.objectives",
                "*:p50<1h");
        assertThat(run.json().at("/failure").textValue()).isEqualTo(why);
        assertThat(run.out())
                .contains("nothing was measured: " + why, "*: p50 < 1h: nothing was sent")
                .doesNotContain("no request reached the service");
    }

    @Test
    void a_pause_is_no_wait() throws IOException {
        GatlingRun run = run(Simulations.PauseFirst.class);
        assertThat(run.ledger("answered")).isEqualTo(20);
        assertThat(run.json().at("/response/p50_ns").longValue()).isLessThan(300_000_000L);
        assertThat(run.json().at("/exemplars/0/intended_ns").longValue()).isGreaterThanOrEqualTo(700_000_000L);
    }

    @Test
    void the_launcher_corrects_a_simulation_as_it_is() throws IOException {
        GatlingRun run = run(
                Corrected.class,
                "downbeat.simulation",
                Simulations.OpenPlain.class.getName(),
                "downbeat.objectives",
                "errors<1%,max<1ns",
                "downbeat.gatlingReport",
                "corrected",
                "test.seconds",
                "1");
        assertThat(run.ledger("answered")).isEqualTo(50);
        assertThat(run.json().at("/objectives/1/status").textValue()).isEqualTo("missed");
        assertThat(run.out()).contains("shows these times too", "SERVICE      MISSED");
        long maxMillis = Math.round(run.json().at("/response/max_ns").longValue() / 1e6);
        assertThat(Math.abs(run.gatling().max() - maxMillis)).isLessThanOrEqualTo(2);
    }

    @Test
    void the_launcher_corrects_a_simulation_of_Scalas_base_class() throws IOException {
        GatlingRun run =
                run(Corrected.class, "downbeat.simulation", Simulations.InScala.class.getName(), "test.seconds", "1");
        assertThat(run.exitCode()).isZero();
        assertThat(run.addsUp()).isTrue();
        assertThat(run.ledger("answered")).isEqualTo(50);
        assertThat(run.json().at("/plan/target").textValue()).contains("InScala");
        assertThat(run.json().at("/plan/timeout_from").textValue()).isEqualTo("sent");
        assertThat(run.json().at("/plan/timeout_ns").longValue()).isEqualTo(60_000_000_000L); // gatling.conf's
    }
}
