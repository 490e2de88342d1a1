package dev.downbeat.gatling;

import static io.gatling.javaapi.core.CoreDsl.constantUsersPerSec;
import static io.gatling.javaapi.http.HttpDsl.http;

import io.gatling.javaapi.core.CoreDsl;
import io.gatling.javaapi.core.ScenarioBuilder;
import io.gatling.javaapi.http.HttpProtocolBuilder;

/** The documentation's first. */
@SuppressWarnings("this-escape") // as simulations are
public class OrdersSimulation extends DownbeatSimulation { // was: extends Simulation
    HttpProtocolBuilder shop = http.baseUrl(System.getProperty("target", "http://127.0.0.1:8080"));
    ScenarioBuilder orders = CoreDsl.scenario("orders").exec(http("orders").get("/orders/1"));

    {
        setUp(orders.injectOpen(constantUsersPerSec(20).during(1)))
                .protocols(shop, Downbeat.protocol().objectives("p99<50ms", "errors<0.1%"));
    }
}
