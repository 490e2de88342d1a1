package dev.downbeat.acceptance;

import dev.downbeat.http.requests.HttpScript;
import dev.downbeat.http.requests.file.HttpFile;
import dev.downbeat.http.requests.value.DataFile;
import dev.downbeat.load.Load;
import dev.downbeat.load.Measured;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;

/** The code of docs/java.md that is about files of requests, so that it compiles; {@code DocumentationTest} compares. */
final class DocumentedScript {
    private DocumentedScript() {}

    static Duration documented() throws IOException {
        HttpScript shop = HttpScript.of(HttpFile.parse(Path.of("shop.http")))
                .variable("host", "http://localhost:8089")
                .data(DataFile.read("skus", DataFile.Use.RANDOM, Path.of("skus.csv")));
        Measured mix = Load.perSecond(500).objectives("place order: p99<80ms").run(shop);
        Duration p99 = mix.response("place order").p(99);
        return p99;
    }
}
