package example;

import static io.gatling.javaapi.core.CoreDsl.constantUsersPerSec;
import static io.gatling.javaapi.core.CoreDsl.pace;
import static io.gatling.javaapi.core.CoreDsl.rampConcurrentUsers;
import static io.gatling.javaapi.core.CoreDsl.scenario;
import static io.gatling.javaapi.http.HttpDsl.http;
import static io.gatling.javaapi.http.HttpDsl.status;

import dev.downbeat.gatling.Downbeat;
import dev.downbeat.gatling.DownbeatSimulation;
import io.gatling.javaapi.core.ScenarioBuilder;
import io.gatling.javaapi.http.HttpProtocolBuilder;
import java.time.Duration;

/** A simulation as any other, but for {@code extends DownbeatSimulation} and the objectives. */
public class OrdersSimulation extends DownbeatSimulation {
    private static final String TARGET = System.getProperty("target", "http://127.0.0.1:8080");

    private final HttpProtocolBuilder shop = http.baseUrl(TARGET);

    private final ScenarioBuilder browsing =
            scenario("browsing").exec(http("orders").get("/orders").check(status().is(200)));

    private final ScenarioBuilder polling = scenario("polling")
            .during(10)
            .on(pace(Duration.ofMillis(500)).exec(http("state").get("/state").check(status().is(200))));

    private final ScenarioBuilder looking = scenario("looking")
            .exec(http("look").get("/orders/1").check(status().is(200)));

    {
        setUp(
                        browsing.injectOpen(constantUsersPerSec(50).during(10)),
                        polling.injectClosed(rampConcurrentUsers(1).to(10).during(1)),
                        looking.injectOpen(constantUsersPerSec(20).during(10)))
                .protocols(
                        shop,
                        Downbeat.protocol().objectives("p99<250ms", "errors<1%"));
    }
}
