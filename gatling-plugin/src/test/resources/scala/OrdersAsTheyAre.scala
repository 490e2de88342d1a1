import io.gatling.core.Predef._
import io.gatling.http.Predef._

class OrdersAsTheyAre extends Simulation {
  setUp(scenario("orders").exec(http("plain").get("/")).inject(atOnceUsers(5)))
    .protocols(http.baseUrl(System.getProperty("test.url")).disableWarmUp)
}
