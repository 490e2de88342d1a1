package builds;

import static io.gatling.javaapi.core.CoreDsl.constantUsersPerSec;
import static io.gatling.javaapi.core.CoreDsl.scenario;
import static io.gatling.javaapi.http.HttpDsl.http;

import dev.downbeat.gatling.Downbeat;
import dev.downbeat.gatling.DownbeatSimulation;
import java.time.Duration;

/** Misses an objective whatever the machine does, since nobody pays; which is no reason not to run the third. */
public class SecondSimulation extends DownbeatSimulation {
    {
        setUp(scenario("second")
                        .exec(http("orders").get("/orders"))
                        .injectOpen(constantUsersPerSec(20).during(Duration.ofSeconds(2))))
                .protocols(
                        http.baseUrl(System.getProperty("target")).disableWarmUp(),
                        Downbeat.protocol().details("payments", "max<1h"));
    }
}
