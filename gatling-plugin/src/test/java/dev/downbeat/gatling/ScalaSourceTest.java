package dev.downbeat.gatling;

import static org.assertj.core.api.Assertions.assertThat;

import dev.downbeat.loopback.LoopbackOptions;
import dev.downbeat.loopback.LoopbackServer;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import scala.tools.nsc.Main;

/** A simulation in Scala, compiled by Scala's own compiler, run by the launcher. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class ScalaSourceTest {
    @Test
    void Downbeats_requests_stand_in_Scalas_chains(@TempDir Path classes, @TempDir Path results) throws Exception {
        assertThat(Main.process(new String[] {
                    "-classpath",
                    System.getProperty("java.class.path"),
                    "-d",
                    classes.toString(),
                    "src/test/resources/scala/OrdersInScala.scala"
                }))
                .isTrue();
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        try (LoopbackServer server = LoopbackServer.start(LoopbackOptions.defaults());
                URLClassLoader compiled =
                        new URLClassLoader(new URL[] {classes.toUri().toURL()}, before)) {
            thread.setContextClassLoader(compiled);
            GatlingRun run = GatlingRun.of(
                    Corrected.class, results, Map.of("downbeat.simulation", "OrdersInScala", "test.url", server.uri()));
            assertThat(run.addsUp()).isTrue();
            assertThat(run.requests())
                    .containsEntry("look for tea", List.of(5L, 5L, 0L))
                    .containsEntry("plain", List.of(5L, 5L, 0L));
        } finally {
            thread.setContextClassLoader(before);
        }
    }
}
