package dev.downbeat.acceptance;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.downbeat.http.Http;
import dev.downbeat.jdbc.Jdbc;
import dev.downbeat.load.Load;
import dev.downbeat.load.Measured;
import dev.downbeat.load.SustainedRate;
import dev.downbeat.sqs.Sqs;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.Optional;
import javax.sql.DataSource;

/** The examples of docs/java.md that need targets, so that they are compiled. {@code DocumentationTest} compares them with the page. */
final class DocumentedScript {
    private DocumentedScript() {}

    static void services(X509Certificate certificate, DataSource dataSource) {
        Load.perSecond(500).run(Http.get("http://localhost:8080/orders").header("Accept", "application/json"));
        Load.perSecond(500)
                .run(Http.post("https://localhost:8443/orders")
                        .body("{}")
                        .expect("201")
                        .trust(certificate));
        Load.perSecond(100)
                .run(Sqs.queue("orders")
                        .endpoint("http://localhost:9324")
                        .body("{}")
                        .send());
        Load.perSecond(500).run(Jdbc.of(dataSource).sql("select count(*) from orders"));
    }

    static Optional<Duration> documented() {
        Http shop = Http.file(Path.of("shop.http"))
                .variable("host", "http://localhost:8089")
                .randomData("skus", Path.of("skus.csv"));
        Measured mix = Load.perSecond(500).objectives("place order: p99<80ms").run(shop);
        Optional<Duration> p99 = mix.response("place order").p(99);
        return p99;
    }

    static void capacity() {
        SustainedRate found = Load.perSecond(100)
                .duration(Duration.ofSeconds(20)) // of each rate
                .objectives("p99<20ms")
                .sweepTo(8_000)
                .budget(Duration.ofMinutes(10))
                .run(Http.get("http://localhost:8080/orders"));

        assertTrue(found.perSecond().orElse(0) >= 800, found.sentence());
    }
}
