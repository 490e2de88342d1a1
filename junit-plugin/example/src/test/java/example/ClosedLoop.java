package example;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The loop that many have, which asks again when it was answered. {@code mvn verify -Dit.test=ClosedLoop}. */
class ClosedLoop {
    private final ShopClient client = new ShopClient();

    @Test
    void places_orders() throws Exception {
        for (int i = 0; i < 50; i++) {
            client.order();
        }
        List<Long> nanos = new ArrayList<>();
        long endAt = System.nanoTime() + 20_000_000_000L;
        while (System.nanoTime() - endAt < 0) {
            long startedAt = System.nanoTime();
            client.order();
            nanos.add(System.nanoTime() - startedAt);
        }
        Collections.sort(nanos);
        long p99Millis = nanos.get((int) Math.ceil(0.99 * nanos.size()) - 1) / 1_000_000;
        System.out.println("closed loop: p99 " + p99Millis + " ms, max " + nanos.get(nanos.size() - 1) / 1_000_000
                + " ms, over " + nanos.size() + " requests");
        assertTrue(p99Millis < 100, "p99 was " + p99Millis + " ms");
    }
}
