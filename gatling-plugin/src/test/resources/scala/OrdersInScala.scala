import dev.downbeat.gatling.{ Downbeat, DownbeatScalaSimulation }
import io.gatling.core.Predef._
import io.gatling.http.Predef._
import io.gatling.javaapi.http.HttpDsl

class OrdersInScala extends DownbeatScalaSimulation {
  private val target = System.getProperty("test.url")

  private val look = Downbeat
    .http("look for #{item}")
    .get(session => "/orders/" + session.getString("item"))
    .header("X-Item", "#{item}")
    .check(HttpDsl.status().is(200))

  private val orders = scenario("orders")
    .exec(session => session.set("item", "tea"))
    .exec(look.asScala())
    .exec(http("plain").get("/"))

  setUp(orders.inject(atOnceUsers(5)))
    .protocols(
      http.baseUrl(target).disableWarmUp,
      Downbeat.protocol().baseUrl(target).objectives("errors<1%").protocol())
}
