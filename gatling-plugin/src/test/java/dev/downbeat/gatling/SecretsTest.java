package dev.downbeat.gatling;

import static io.gatling.javaapi.core.CoreDsl.StringBody;
import static io.gatling.javaapi.core.CoreDsl.atOnceUsers;
import static io.gatling.javaapi.core.CoreDsl.scenario;
import static io.gatling.javaapi.http.HttpDsl.http;
import static io.gatling.javaapi.http.HttpDsl.status;
import static org.assertj.core.api.Assertions.assertThat;

import dev.downbeat.loopback.LoopbackServer;
import dev.downbeat.loopback.options.LoopbackOptions;
import dev.downbeat.testing.FreePort;
import dev.downbeat.testing.SecretNames;
import io.gatling.javaapi.http.HttpRequestActionBuilder;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import java.util.zip.ZipInputStream;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What headers, queries and bodies hold is in nothing that we print or save beside Gatling's own log. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class SecretsTest {
    @TempDir
    private Path results;

    /** Answered, refused by a check, and with nobody there; one request is named after its URL. */
    public static class Asking extends DownbeatSimulation {
        private static HttpRequestActionBuilder request(String name, String url) {
            HttpRequestActionBuilder request = http(name).post(url).body(StringBody(SecretNames.VALUE));
            for (String header : SecretNames.all().subList(0, 50)) {
                request = request.header(header, SecretNames.VALUE);
            }
            return request;
        }

        {
            String query = SecretNames.query(SecretNames.all());
            String nobody = System.getProperty("test.nobody", "http://127.0.0.1:1");
            setUp(scenario("asking")
                            .exec(request("found", "/" + query))
                            .exec(request("GET http://h/?page=2&jwt=" + SecretNames.VALUE, "/" + query)
                                    .check(status().is(204)))
                            .exec(request("nobody", nobody + "/" + query))
                            .injectOpen(atOnceUsers(5)))
                    .protocols(Simulations.service());
        }
    }

    @Test
    void nothing_that_we_save_or_print_shows_one() throws IOException {
        try (LoopbackServer server = LoopbackServer.start(LoopbackOptions.defaults())) {
            GatlingRun run = GatlingRun.of(
                    Asking.class,
                    results,
                    Map.of("test.url", server.uri(), "test.nobody", "http://127.0.0.1:" + FreePort.find()));
            assertThat(run.ledger("planned")).as(run.out()).isEqualTo(15);
            assertThat(run.ledger("failed")).isEqualTo(10);
            String ours = run.out().substring(run.out().indexOf("---- Downbeat"));
            assertThat(ours).contains("page=2").doesNotContain(SecretNames.VALUE);
            try (Stream<Path> files = Files.walk(run.folder())) {
                List<Path> saved = files.filter(Files::isRegularFile)
                        .filter(file -> !file.endsWith("simulation.log"))
                        .toList();
                assertThat(saved).hasSizeGreaterThan(4);
                for (Path file : saved) {
                    assertThat(text(file)).as(file.toString()).doesNotContain(SecretNames.VALUE);
                }
            }
        }
    }

    /** The text of a file, or of all in it if it is packed. */
    private static String text(Path file) throws IOException {
        if (!file.toString().endsWith(".downbeat")) {
            return Files.readString(file);
        }
        StringBuilder all = new StringBuilder();
        try (ZipInputStream packed = new ZipInputStream(Files.newInputStream(file))) {
            while (packed.getNextEntry() != null) {
                all.append(new String(packed.readAllBytes(), StandardCharsets.UTF_8));
            }
        }
        assertThat(all).isNotEmpty();
        return all.toString();
    }
}
