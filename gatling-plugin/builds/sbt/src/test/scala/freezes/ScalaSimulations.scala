package freezes

import dev.downbeat.gatling.DownbeatScalaSimulation
import io.gatling.core.Predef._
import io.gatling.http.Predef._

/** Two in one JVM: the service of the one that runs first is frozen by the matrix, and then the JVM of the other. */
class ScalaSimulation extends DownbeatScalaSimulation {
  setUp(
    scenario("orders")
      .exec(http("orders").get("/orders"))
      .inject(constantUsersPerSec(Integer.getInteger("rate").doubleValue).during(Integer.getInteger("seconds")))
  ).protocols(http.baseUrl(System.getProperty("target")).disableWarmUp)
}

class ScalaAgainSimulation extends ScalaSimulation
