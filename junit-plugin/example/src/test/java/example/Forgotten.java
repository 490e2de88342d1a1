package example;

import dev.downbeat.junit.Slo;
import org.junit.jupiter.api.Test;

/** Says @Test where @LoadTest is meant: nothing is measured. No test by name: {@code mvn verify -Dit.test=Forgotten}. */
class Forgotten {
    @Test
    @Slo("p99 < 100ms")
    void places_orders() throws Exception {
        new ShopClient().order();
    }
}
