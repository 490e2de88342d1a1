package example;

import dev.downbeat.junit.LoadTest;
import dev.downbeat.junit.Slo;

class OrdersIT {
    private final ShopClient client = new ShopClient();

    @LoadTest(perSecond = 100, duration = "20s", warmUp = "1s")
    @Slo("p99 < 100ms")
    @Slo("errors < 0.1%")
    void places_orders() throws Exception {
        client.order();
    }
}
