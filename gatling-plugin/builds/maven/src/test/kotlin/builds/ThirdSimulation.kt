package builds

import dev.downbeat.gatling.Downbeat
import dev.downbeat.gatling.DownbeatSimulation
import io.gatling.javaapi.core.CoreDsl.constantUsersPerSec
import io.gatling.javaapi.core.CoreDsl.global
import io.gatling.javaapi.core.CoreDsl.scenario
import io.gatling.javaapi.http.HttpDsl.http
import io.gatling.javaapi.http.HttpDsl.status

class ThirdSimulation : DownbeatSimulation() {
    init {
        setUp(
            scenario("third")
                .exec(http("orders").get("/orders").check(status().shouldBe(200)))
                .injectOpen(constantUsersPerSec(20.0).during(2)),
        )
            .protocols(
                http.baseUrl(System.getProperty("target")).disableWarmUp(),
                Downbeat.protocol().objectives("errors<1%").details("orders", "max<1h"),
            )
            .assertions(global().successfulRequests().percent().shouldBe(100.0))
    }
}
