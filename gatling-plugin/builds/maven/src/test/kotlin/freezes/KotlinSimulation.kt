package freezes

import dev.downbeat.gatling.DownbeatSimulation
import io.gatling.javaapi.core.CoreDsl.constantUsersPerSec
import io.gatling.javaapi.core.CoreDsl.global
import io.gatling.javaapi.core.CoreDsl.scenario
import io.gatling.javaapi.core.Simulation
import io.gatling.javaapi.http.HttpDsl.http

private fun orders() =
    scenario("orders")
        .exec(http("orders").get("/orders"))
        .injectOpen(constantUsersPerSec(Integer.getInteger("rate").toDouble()).during(Integer.getInteger("seconds").toLong()))

private fun service() = http.baseUrl(System.getProperty("target")).disableWarmUp()

private fun assertions() =
    listOf(global().failedRequests().count().shouldBe(0L), global().responseTime().percentile(90.0).lt(2_000))

class KotlinSimulation : DownbeatSimulation() {
    init {
        setUp(orders()).protocols(service()).assertions(assertions())
    }
}

class PlainKotlinSimulation : Simulation() {
    init {
        setUp(orders()).protocols(service()).assertions(assertions())
    }
}
