package freezes

import dev.downbeat.gatling.DownbeatScalaSimulation
import io.gatling.core.Predef._
import io.gatling.http.Predef._

object Orders {
  def users = scenario("orders")
    .exec(http("orders").get("/orders"))
    .inject(constantUsersPerSec(Integer.getInteger("rate").doubleValue).during(Integer.getInteger("seconds")))

  def service = http.baseUrl(System.getProperty("target")).disableWarmUp

  def assertions = Seq(global.failedRequests.count.is(0), global.responseTime.percentile(90).lt(2000))
}

class ScalaSimulation extends DownbeatScalaSimulation {
  setUp(Orders.users).protocols(Orders.service).assertions(Orders.assertions)
}

class PlainScalaSimulation extends Simulation {
  setUp(Orders.users).protocols(Orders.service).assertions(Orders.assertions)
}
