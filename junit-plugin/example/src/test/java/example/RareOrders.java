package example;

import dev.downbeat.junit.LoadTest;
import dev.downbeat.junit.Slo;

/** Promises more than its few requests can show. No test by name: {@code mvn verify -Dit.test=RareOrders}. */
class RareOrders {
    private final ShopClient client = new ShopClient();

    @LoadTest(perSecond = 20, duration = "2s", warmUp = "0s", budget = "2s")
    @Slo("p99.9 < 1s")
    void places_rare_orders() throws Exception {
        client.order();
    }
}
