package dev.downbeat.gatling;

import static dev.downbeat.gatling.Downbeat.http;
import static io.gatling.javaapi.core.CoreDsl.atOnceUsers;
import static io.gatling.javaapi.core.CoreDsl.bodyString;
import static io.gatling.javaapi.core.CoreDsl.constantUsersPerSec;
import static io.gatling.javaapi.core.CoreDsl.exec;
import static io.gatling.javaapi.core.CoreDsl.holdFor;
import static io.gatling.javaapi.core.CoreDsl.listFeeder;
import static io.gatling.javaapi.core.CoreDsl.reachRps;
import static io.gatling.javaapi.core.CoreDsl.regex;
import static io.gatling.javaapi.core.CoreDsl.scenario;
import static io.gatling.javaapi.core.CoreDsl.substring;
import static io.gatling.javaapi.http.HttpDsl.header;
import static io.gatling.javaapi.http.HttpDsl.status;

import io.gatling.javaapi.core.ScenarioBuilder;
import io.gatling.javaapi.core.Simulation;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** Simulations that send over Downbeat's own connections. */
final class OwnSimulations {
    private OwnSimulations() {}

    static DownbeatProtocolBuilder service() {
        return Downbeat.protocol().baseUrl(System.getProperty("test.url", "http://127.0.0.1:1"));
    }

    static int seconds() {
        return Integer.getInteger("test.seconds", 2);
    }

    static ScenarioBuilder oneGet() {
        return scenario("own").exec(http("get").get("/").check(status().is(200)));
    }

    public static class Open extends DownbeatSimulation {
        {
            setUp(oneGet().injectOpen(constantUsersPerSec(Simulations.rate()).during(seconds())))
                    .protocols(service().connections(4));
        }
    }

    /** On one connection, which many requests share. */
    public static class OverHttp2 extends DownbeatSimulation {
        {
            setUp(oneGet().injectOpen(constantUsersPerSec(Simulations.rate()).during(seconds())))
                    .protocols(service().connections(1).http2());
        }
    }

    /** Ends while requests are out, and others wait for a connection. */
    public static class CutOff extends DownbeatSimulation {
        {
            setUp(oneGet().injectOpen(constantUsersPerSec(50).during(10)))
                    .protocols(service().connections(4))
                    .maxDuration(2);
        }
    }

    /** A chain that hands on what it was told, a check that fails in a group, and a request that cannot be built. */
    public static class Orders extends DownbeatSimulation {
        ScenarioBuilder scenario = scenario("orders")
                .feed(listFeeder(List.<Map<String, Object>>of(Map.of("item", "tea"), Map.of("item", "cake")))
                        .circular())
                .exec(http("order #{item}")
                        .post("/orders")
                        .header("X-Item", "#{item}")
                        .body(session -> "one " + session.getString("item"))
                        .check(
                                status().in(200, 201),
                                regex("id=(\\d+)").saveAs("id"),
                                substring("one #{item}").exists(),
                                header("X-Item").isEL("#{item}")))
                .group("look")
                .on(exec(http("look").get("/orders/#{id}").check(bodyString().isEL("seen /orders/#{id}")))
                        .exec(http("wrong")
                                .get("/orders/#{id}")
                                .check(bodyString().is("something else"))))
                .doIf(session -> session.isFailed())
                .then(exec(http("after failure").get(session -> "/orders/" + session.getString("id"))))
                .exec(http("unbuilt").get("/#{missing}"))
                .exitBlockOnFail()
                .on(exec(http("teapot").get("/teapot"))
                        .exec(http("never reached").get("/orders")));

        {
            setUp(scenario.injectOpen(atOnceUsers(10))).protocols(service());
        }
    }

    /** Gives up soon. */
    public static class Impatient extends DownbeatSimulation {
        {
            setUp(oneGet().injectOpen(atOnceUsers(5)))
                    .protocols(service().connections(2).requestTimeout(Duration.ofMillis(300)));
        }
    }

    public static class Throttled extends DownbeatSimulation {
        {
            setUp(oneGet().injectOpen(constantUsersPerSec(60).during(1)))
                    .protocols(service())
                    .throttle(reachRps(30).in(0), holdFor(60));
        }
    }

    /** Settings for one scenario only. */
    public static class OnAScenario extends DownbeatSimulation {
        {
            setUp(oneGet().injectOpen(atOnceUsers(1)).protocols(service()));
        }
    }

    /** Own requests that nobody corrects. */
    public static class WithoutDownbeat extends Simulation {
        {
            setUp(oneGet().injectOpen(atOnceUsers(1)));
        }
    }
}
