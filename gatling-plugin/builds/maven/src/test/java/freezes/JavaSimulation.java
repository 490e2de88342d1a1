package freezes;

import static io.gatling.javaapi.core.CoreDsl.constantUsersPerSec;
import static io.gatling.javaapi.core.CoreDsl.global;
import static io.gatling.javaapi.core.CoreDsl.scenario;
import static io.gatling.javaapi.http.HttpDsl.http;

import dev.downbeat.gatling.DownbeatSimulation;

/** The same as {@link PlainJavaSimulation}, but for the class that it extends. */
public class JavaSimulation extends DownbeatSimulation {
    {
        setUp(scenario("orders")
                        .exec(http("orders").get("/orders"))
                        .injectOpen(constantUsersPerSec(Integer.getInteger("rate"))
                                .during(Integer.getInteger("seconds"))))
                .protocols(http.baseUrl(System.getProperty("target")).disableWarmUp())
                .assertions(
                        global().failedRequests().count().is(0L),
                        global().responseTime().percentile(90).lt(2_000));
    }
}
