package builds

import dev.downbeat.gatling.DownbeatScalaSimulation
import io.gatling.core.Predef._
import io.gatling.http.Predef._

class FirstSimulation extends DownbeatScalaSimulation {
  setUp(
    scenario("first")
      .exec(http("orders").get("/orders").check(status.is(200)))
      .inject(constantUsersPerSec(20).during(2))
  ).protocols(http.baseUrl(System.getProperty("target")).disableWarmUp)
}
