import dev.downbeat.gatling.{ Downbeat, DownbeatScalaSimulation }
import io.gatling.core.Predef._
import io.gatling.http.Predef._

class OrdersInScala extends DownbeatScalaSimulation {
  private val target = System.getProperty("test.url")

  private val orders = scenario("orders")
    .exec(session => session.set("item", "tea"))
    .exec(http("look for #{item}").get("/orders/#{item}").check(status.is(200)))
    .exec(http("plain").get("/"))

  setUp(orders.inject(atOnceUsers(5)))
    .protocols(
      http.baseUrl(target).disableWarmUp,
      Downbeat.protocol().objectives("errors<1%").protocol())
}
