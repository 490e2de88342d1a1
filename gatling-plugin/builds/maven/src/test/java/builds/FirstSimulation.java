package builds;

import static io.gatling.javaapi.core.CoreDsl.constantUsersPerSec;
import static io.gatling.javaapi.core.CoreDsl.scenario;
import static io.gatling.javaapi.http.HttpDsl.http;
import static io.gatling.javaapi.http.HttpDsl.status;

import dev.downbeat.gatling.DownbeatSimulation;
import java.time.Duration;

/** Nothing but the class that it extends differs from a simulation of Gatling's. */
public class FirstSimulation extends DownbeatSimulation {
    {
        setUp(scenario("first")
                        .exec(http("orders").get("/orders").check(status().is(200)))
                        .injectOpen(constantUsersPerSec(20).during(Duration.ofSeconds(2))))
                .protocols(http.baseUrl(System.getProperty("target")).disableWarmUp());
    }

    @Override
    public void after() {
        System.out.println("builds: after the first");
    }
}
