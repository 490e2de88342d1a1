package dev.downbeat.gatling;

import static io.gatling.javaapi.core.CoreDsl.constantConcurrentUsers;
import static io.gatling.javaapi.core.CoreDsl.constantUsersPerSec;
import static io.gatling.javaapi.core.CoreDsl.pace;
import static io.gatling.javaapi.core.CoreDsl.scenario;
import static io.gatling.javaapi.http.HttpDsl.http;
import static io.gatling.javaapi.http.HttpDsl.status;

import io.gatling.javaapi.core.ScenarioBuilder;
import io.gatling.javaapi.core.Simulation;
import io.gatling.javaapi.http.HttpProtocolBuilder;
import java.time.Duration;

/** Simulations as their users write them; Gatling makes them by name, so what differs comes as system properties. */
final class Simulations {
    private Simulations() {}

    static HttpProtocolBuilder service() {
        return http.baseUrl(System.getProperty("test.url", "http://127.0.0.1:1"))
                .disableWarmUp();
    }

    static int rate() {
        return Integer.getInteger("test.rate", 100);
    }

    static int seconds() {
        return Integer.getInteger("test.seconds", 2);
    }

    /** Nobody's but Gatling's. */
    public static class OpenPlain extends Simulation {
        ScenarioBuilder scenario = scenario("open").exec(http("get").get("/").check(status().is(200)));

        {
            setUp(scenario.injectOpen(constantUsersPerSec(rate()).during(seconds())))
                    .protocols(service());
        }
    }

    /** The same, but for one word. */
    public static class Open extends DownbeatSimulation {
        ScenarioBuilder scenario = scenario("open").exec(http("get").get("/").check(status().is(200)));

        {
            setUp(scenario.injectOpen(constantUsersPerSec(rate()).during(seconds())))
                    .protocols(service());
        }
    }

    public static class Paced extends DownbeatSimulation {
        ScenarioBuilder scenario = scenario("paced")
                .during(seconds())
                .on(pace(Duration.ofMillis(100)).exec(http("get").get("/")));

        {
            setUp(scenario.injectClosed(constantConcurrentUsers(10).during(1))).protocols(service());
        }
    }

    public static class Closed extends DownbeatSimulation {
        ScenarioBuilder scenario = scenario("closed").exec(http("get").get("/")).pause(Duration.ofMillis(100));

        {
            setUp(scenario.injectClosed(constantConcurrentUsers(10).during(seconds())))
                    .protocols(service());
        }
    }
}
