package dev.downbeat.gatling;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.downbeat.gatling.version.EnvironmentCheck;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What docs/gatling.md shows is the text of simulations that compile, and they run. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class DocumentationTest {
    private static final Pattern JAVA = Pattern.compile("```java\n(.*?)```", Pattern.DOTALL);
    private static final Path SOURCES = Path.of("src/test/java/dev/downbeat/gatling");
    private static HttpServer shop;

    @TempDir
    private Path results;

    @BeforeAll
    static void start() throws IOException {
        shop = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        shop.createContext("/orders", exchange -> {
            exchange.getRequestBody().readAllBytes();
            boolean made = exchange.getRequestMethod().equals("POST");
            answer(exchange, made ? 201 : 200, made ? "{\"id\": 7}" : "one tea");
        });
        shop.start();
    }

    @AfterAll
    static void stop() {
        shop.stop(0);
    }

    private static void answer(HttpExchange exchange, int status, String text) throws IOException {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(status, bytes.length == 0 ? -1 : bytes.length);
        exchange.getResponseBody().write(bytes);
        exchange.close();
    }

    private GatlingRun run(Class<?> simulation) throws IOException {
        return GatlingRun.of(
                simulation,
                results,
                Map.of("target", "http://127.0.0.1:" + shop.getAddress().getPort()));
    }

    @Test
    void its_snippets_are_in_the_sources_of_tests() throws IOException {
        String sources = withoutSpace(Files.readString(SOURCES.resolve("OrdersSimulation.java"))
                + Files.readString(SOURCES.resolve("DocumentedSimulations.java")));
        Matcher snippet = JAVA.matcher(Files.readString(Path.of("../docs/gatling.md")));
        int count = 0;
        while (snippet.find()) {
            for (String paragraph : snippet.group(1).split("\n\\s*\n", -1)) {
                assertThat(sources).contains(withoutSpace(paragraph));
            }
            count++;
        }
        assertThat(count).isGreaterThanOrEqualTo(4);
    }

    /** The project is run by builds/check.sh, which only the registries allow. */
    @Test
    void the_page_of_sbt_shows_the_files_of_a_project_that_runs() throws IOException {
        String page = Files.readString(Path.of("../docs/gatling-sbt.md"));
        for (String file : List.of("project/plugins.sbt", "build.sbt")) {
            String text = Files.readString(Path.of("builds/sbt").resolve(file));
            assertThat(page).contains("`" + file + "`:\n\n```scala\n" + text + "```");
        }
        assertThat(Files.readString(Path.of("builds/sbt/build.sbt")))
                .contains("\"" + EnvironmentCheck.version() + "\"");
    }

    /** Nobody can run Gradle here: what its page names is there, at least. */
    @Test
    void the_page_of_Gradle_names_what_this_build_makes() throws IOException {
        String page = Files.readString(Path.of("../docs/gatling-gradle.md"));
        String pom = Files.readString(Path.of("pom.xml"));
        Matcher dependency =
                Pattern.compile("dev[.]downbeat:([a-z-]+):([0-9A-Z.-]+)").matcher(page);
        assertThat(dependency.results().toList()).hasSize(2).allSatisfy(named -> {
            assertThat(pom).contains("<artifactId>" + named.group(1) + "</artifactId>");
            assertThat(Files.readString(
                            Path.of("../pom.xml"))) // what is worked on or, once there is one, the last release
                    .containsAnyOf(
                            "<revision>" + named.group(2) + "</revision>", "<api.baseline>" + named.group(2) + "</");
        });
        assertThat(page)
                .contains("io.gatling.gradle\") version \"" + EnvironmentCheck.version())
                .contains(Corrected.class.getName(), "downbeat.simulation=", "downbeat.objectives");
    }

    private static String withoutSpace(String text) {
        return text.replaceAll("\\s", "");
    }

    @Test
    void the_first_example_runs() throws IOException {
        GatlingRun run = run(OrdersSimulation.class);
        assertThat(run.ledger("answered")).isEqualTo(20);
        assertThat(run.json().at("/objectives/0/text").textValue()).isEqualTo("p99<50ms");
    }

    @Test
    void users_on_the_beat_arrive() throws IOException {
        GatlingRun run = run(DocumentedSimulations.Beat.class);
        assertThat(run.ledger("answered")).isBetween(40L, 100L);
        assertThat(run.ledger("planned")).isEqualTo(run.ledger("answered"));
    }
}
