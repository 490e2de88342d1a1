import dev.downbeat.gatling.DownbeatScalaSimulation
import io.gatling.core.Predef._
import io.gatling.http.Predef._

class OpenInScala extends DownbeatScalaSimulation {
  setUp(
    scenario("open")
      .exec(http("get").get("/"))
      .inject(constantUsersPerSec(Integer.getInteger("test.rate").doubleValue).during(Integer.getInteger("test.seconds")))
  ).protocols(http.baseUrl(System.getProperty("test.url")).disableWarmUp)
}
