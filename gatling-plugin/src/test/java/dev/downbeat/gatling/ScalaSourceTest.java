package dev.downbeat.gatling;

import static org.assertj.core.api.Assertions.assertThat;

import dev.downbeat.loopback.LoopbackServer;
import dev.downbeat.loopback.options.LoopbackOptions;
import java.io.File;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import scala.tools.nsc.Main;

/** Simulations in Scala, compiled by Scala's own compiler. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class ScalaSourceTest {
    @TempDir
    private static Path classes;

    @TempDir
    private Path folder;

    @BeforeAll
    static void compile() {
        assertThat(Main.process(new String[] {
                    "-classpath",
                    System.getProperty("java.class.path"),
                    "-d",
                    classes.toString(),
                    "src/test/resources/scala/OrdersInScala.scala",
                    "src/test/resources/scala/OrdersAsTheyAre.scala"
                }))
                .isTrue();
    }

    @Test
    void Downbeats_requests_stand_in_Scalas_chains() throws Exception {
        try (LoopbackServer server = LoopbackServer.start(LoopbackOptions.defaults())) {
            OtherGatling gatling =
                    new OtherGatling("ours", classes + File.pathSeparator + System.getProperty("java.class.path"));
            int code = gatling.run("OrdersInScala", folder, "-Dtest.url=" + server.uri());
            String out = Files.readString(folder.resolve("out"));
            GatlingRun run = new GatlingRun(code, GatlingRun.only(folder.resolve("results")), out);
            assertThat(run.exitCode()).as(out).isZero();
            assertThat(run.addsUp()).isTrue();
            assertThat(run.requests())
                    .containsEntry("look for tea", List.of(5L, 5L, 0L))
                    .containsEntry("plain", List.of(5L, 5L, 0L));
        }
    }

    @Test
    void one_as_it_is_is_run_by_the_launcher() throws Exception {
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        try (LoopbackServer server = LoopbackServer.start(LoopbackOptions.defaults());
                URLClassLoader compiled =
                        new URLClassLoader(new URL[] {classes.toUri().toURL()}, before)) {
            thread.setContextClassLoader(compiled);
            GatlingRun run = GatlingRun.of(
                    Corrected.class,
                    folder,
                    Map.of("downbeat.simulation", "OrdersAsTheyAre", "test.url", server.uri()));
            assertThat(run.addsUp()).isTrue();
            assertThat(run.requests()).containsEntry("plain", List.of(5L, 5L, 0L));
        } finally {
            thread.setContextClassLoader(before);
        }
    }
}
