package builds

import dev.downbeat.gatling.{ Downbeat, DownbeatScalaSimulation }
import io.gatling.core.Predef._
import io.gatling.http.Predef._

class SecondSimulation extends DownbeatScalaSimulation {
  setUp(
    scenario("second")
      .exec(http("orders").get("/orders").check(status.is(200)))
      .inject(constantUsersPerSec(20).during(2))
  ).protocols(http.baseUrl(System.getProperty("target")).disableWarmUp, Downbeat.protocol().details("payments", "max<1h").protocol())
}
