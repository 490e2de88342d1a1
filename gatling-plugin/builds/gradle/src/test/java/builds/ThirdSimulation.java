package builds;

import static io.gatling.javaapi.core.CoreDsl.constantUsersPerSec;
import static io.gatling.javaapi.core.CoreDsl.global;
import static io.gatling.javaapi.core.CoreDsl.scenario;
import static io.gatling.javaapi.http.HttpDsl.http;

import dev.downbeat.gatling.Downbeat;
import dev.downbeat.gatling.DownbeatSimulation;

/** Meets its objectives; Maven's project has it in Kotlin. */
public class ThirdSimulation extends DownbeatSimulation {
    {
        setUp(scenario("third")
                        .exec(http("orders").get("/orders"))
                        .injectOpen(constantUsersPerSec(20).during(2)))
                .protocols(
                        http.baseUrl(System.getProperty("target")).disableWarmUp(),
                        Downbeat.protocol().objectives("errors<1%").details("orders", "max<1h"))
                .assertions(global().successfulRequests().percent().is(100.0));
    }
}
