package freezes

import dev.downbeat.gatling.DownbeatSimulation
import io.gatling.javaapi.core.CoreDsl.constantUsersPerSec
import io.gatling.javaapi.core.CoreDsl.scenario
import io.gatling.javaapi.http.HttpDsl.http

class KotlinSimulation : DownbeatSimulation() {
    init {
        setUp(
            scenario("orders")
                .exec(http("orders").get("/orders"))
                .injectOpen(constantUsersPerSec(Integer.getInteger("rate").toDouble()).during(Integer.getInteger("seconds").toLong())),
        )
            .protocols(http.baseUrl(System.getProperty("target")).disableWarmUp())
    }
}
