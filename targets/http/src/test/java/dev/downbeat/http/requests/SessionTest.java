package dev.downbeat.http.requests;

import static org.assertj.core.api.Assertions.assertThat;

import dev.downbeat.arrival.Poisson;
import dev.downbeat.arrival.Rate;
import dev.downbeat.http.HttpTarget;
import dev.downbeat.http.options.HttpOptions;
import dev.downbeat.http.requests.value.DataFile;
import dev.downbeat.record.Ledger;
import dev.downbeat.record.Recording;
import dev.downbeat.run.Progress;
import dev.downbeat.run.RunPlan;
import dev.downbeat.run.RunResult;
import dev.downbeat.run.ThinkTime;
import dev.downbeat.run.Workload;
import dev.downbeat.run.engine.LoadRun;
import dev.downbeat.testing.EndToEnd;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Users of a shop, each with a row of data, a cookie, a token and an order of its own. */
@EndToEnd
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
@Timeout(60)
public class SessionTest {
    private static final String SCRIPT = """
            ### log in
            # @capture token = json /token
            POST %1$s/login

            {{users.name}}

            ### search
            # @think 20ms
            # @expect json /ok = true
            GET %1$s/search?q={{users.word}}
            Authorization: Bearer {{token}}

            ### order
            # @expect 201
            # @capture id = json /order/id
            POST %1$s/orders
            Authorization: Bearer {{token}}

            {"by": "{{users.name}}"}

            ### show
            GET %1$s/orders/{{id}}
            """;
    private static final int SESSIONS = 500;

    private static DataFile users() {
        StringBuilder rows = new StringBuilder("name,word\n");
        for (int i = 0; i < SESSIONS; i++) {
            rows.append("user").append(i).append(",w").append(i).append('\n');
        }
        return DataFile.parse("users", DataFile.Use.ONCE, rows.toString(), "users.csv");
    }

    private static RunResult run(String script) throws IOException {
        RequestSet set = Written.set(script, RequestSet.Order.SESSION, users());
        Workload sessions =
                new Workload.PartlyOpen(new Poisson(Rate.perSecond(100), 4), set.size(), set.think(ThinkTime.none()));
        RunPlan plan = RunPlan.builder(sessions).duration(Duration.ofSeconds(2)).build();
        return new LoadRun(plan, new HttpTarget(set, HttpOptions.of(draft -> draft.connections = 16)))
                .run(Progress.none());
    }

    @Test
    void each_session_goes_on_with_what_it_was_given() throws IOException {
        try (Shop shop = new Shop()) {
            RunResult result = run(SCRIPT.formatted(shop.uri()));
            assertThat(result.recording().failures()).isEmpty();
            assertThat(result.ledger().answered())
                    .isEqualTo(result.ledger().planned())
                    .isGreaterThan(500);
            Map<String, Long> there = shop.answered();
            assertThat(there).containsOnlyKeys("/login 200", "/search 200", "/orders 201", "/orders/{id} 200");
            assertThat(here(result))
                    .isEqualTo(Map.of(
                            "log in", there.get("/login 200"),
                            "search", there.get("/search 200"),
                            "order", there.get("/orders 201"),
                            "show", there.get("/orders/{id} 200")));
            assertThat(shop.users()).hasSize(Math.toIntExact(here(result).getOrDefault("log in", 0L)));
            assertThat(result.recording().named("order").statuses()).containsOnlyKeys("201");
        }
    }

    private static Map<String, Long> here(RunResult result) {
        return Map.of(
                "log in", result.recording().named("log in").ledger().answered(),
                "search", result.recording().named("search").ledger().answered(),
                "order", result.recording().named("order").ledger().answered(),
                "show", result.recording().named("show").ledger().answered());
    }

    @Test
    void a_failed_capture_is_a_failure_and_dependent_requests_are_not_sent() throws IOException {
        try (Shop shop = new Shop()) {
            RunResult result = run(SCRIPT.formatted(shop.uri()).replace("json /order/id", "json /order/number"));
            Recording order = result.recording().named("order");
            Recording show = result.recording().named("show");
            assertThat(order.failures()).containsOnlyKeys("capture failed: id");
            assertThat(order.tallies().failedResponses())
                    .as("the service has answered")
                    .isPositive()
                    .isEqualTo(order.ledger().failed());
            assertThat(show.failures()).containsOnlyKeys("not sent: {{id}} was not captured");
            assertThat(show.ledger().sent()).isZero();
            assertThat(show.unbuilt()).isPositive().isEqualTo(show.ledger().failed());
            assertThat(show.failed().count()).as("response times").isZero();
            assertThat(shop.answered()).doesNotContainKey("/orders/{id} 404");
            assertAddsUp(result);
        }
    }

    @Test
    void an_unexpected_answer_is_a_failure() throws IOException {
        try (Shop shop = new Shop()) {
            RunResult result = run(SCRIPT.formatted(shop.uri()).replace("@expect 201", "@expect 200"));
            assertThat(result.recording().named("order").failures()).containsOnlyKeys("HTTP 201, expected 200");
            RunResult other = run(SCRIPT.formatted(shop.uri()).replace("/ok = true", "/ok = false"));
            assertThat(other.recording().named("search").failures())
                    .containsOnlyKeys("HTTP 200, expected json /ok = false");
            assertAddsUp(result);
            assertAddsUp(other);
        }
    }

    /** What is counted by name is what is counted in all. */
    public static void assertAddsUp(RunResult result) {
        Ledger sum = result.recording().byName().entrySet().stream()
                .filter(name -> !name.getKey().equals(Recording.SESSION))
                .map(name -> name.getValue().ledger())
                .reduce(Ledger.EMPTY, Ledger::plus);
        assertThat(result.ledger().addsUp()).isTrue();
        assertThat(sum).isEqualTo(result.ledger());
    }
}
