package dev.downbeat.gatling;

import static dev.downbeat.gatling.Downbeat.sqs;
import static io.gatling.javaapi.core.CoreDsl.atOnceUsers;
import static io.gatling.javaapi.core.CoreDsl.constantUsersPerSec;
import static io.gatling.javaapi.core.CoreDsl.jsonPath;
import static io.gatling.javaapi.core.CoreDsl.listFeeder;
import static io.gatling.javaapi.core.CoreDsl.scenario;
import static io.gatling.javaapi.http.HttpDsl.http;

import dev.downbeat.load.Arrivals;
import io.gatling.javaapi.core.FeederBuilder;
import io.gatling.javaapi.core.ScenarioBuilder;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** What the documentation shows, so that it compiles and runs. */
@SuppressWarnings("this-escape") // as simulations are
public final class DocumentedSimulations {
    private DocumentedSimulations() {}

    static FeederBuilder<Object> items() {
        return listFeeder(List.<Map<String, Object>>of(Map.of("item", "tea"), Map.of("item", "cake")))
                .circular();
    }

    /** What is asked of requests and groups. */
    public static DownbeatProtocolBuilder byRequest() {
        return Downbeat.protocol()
                .objectives("errors<0.1%")
                .details("shop / login", "p99<20ms")
                .details("shop", "p99.9<1s")
                .forAll("p99<100ms");
    }

    /** Users to the nanosecond. */
    public static class Beat extends DownbeatSimulation {
        ScenarioBuilder orders = scenario("orders").exec(http("orders").get("/orders/1"));

        {
            setUp(Downbeat.inject(
                            orders,
                            Arrivals.perSecond(40)
                                    .during(Duration.ofSeconds(1))
                                    .then(Arrivals.ramp(10, 50, Duration.ofSeconds(1))
                                            .evenly()),
                            7))
                    .protocols(http.baseUrl(System.getProperty("target")).disableWarmUp());
        }
    }

    /** Queues. */
    public static class Queues extends DownbeatSimulation {
        FeederBuilder<Object> items = items();
        ScenarioBuilder orders = scenario("orders")
                .feed(items)
                .exec(sqs("order #{item}")
                        .send("orders")
                        .body("{\"item\": \"#{item}\"}")
                        .attribute("kind", "#{item}")
                        .check(jsonPath("$.MessageId").saveAs("id")))
                .exec(sqs("in order")
                        .send("orders.fifo")
                        .body("after #{id}")
                        .messageGroupId("#{item}")
                        .messageDeduplicationId("#{id}"));
        ScenarioBuilder parcels =
                scenario("parcels").exec(sqs("parcel").deliver("parcels").body("for you"));
        ScenarioBuilder tray = scenario("tray")
                .exec(sqs("put").send("tray").body("cup"))
                .exec(sqs("take")
                        .receive("tray")
                        .check(jsonPath("$.Messages[0].ReceiptHandle").saveAs("handle")))
                .exec(sqs("clear").delete("tray", "#{handle}"));

        {
            setUp(
                            orders.injectOpen(constantUsersPerSec(20).during(1)),
                            parcels.injectOpen(constantUsersPerSec(20).during(1)),
                            tray.injectOpen(atOnceUsers(3)))
                    .protocols(Downbeat.protocol()
                            .endpoint(System.getProperty("test.url", "http://127.0.0.1:9324"))
                            .region("eu-west-1"));
        }
    }
}
