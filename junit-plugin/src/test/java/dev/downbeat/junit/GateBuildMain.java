package dev.downbeat.junit;

import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.URI;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.testkit.engine.EngineTestKit;

/**
 * One build of a service: its load test in a JVM of its own, as Surefire runs it. {@code
 * jmh-benchmarks/scripts/gate-builds.py} starts many. The property {@code build.service} is the service, {@code
 * downbeat.against} the one to compare with, if any.
 */
final class GateBuildMain {
    private GateBuildMain() {}

    /** Judged by its own times. */
    static class Alone {
        @LoadTest(rate = "100/s", duration = "3s", warmUp = "1s", budget = "11s")
        @Slo("p99<100ms")
        void orders() throws IOException {
            get(URI.create(System.getProperty("build.service", "")));
        }
    }

    /** Judged beside another build, in turns. */
    static class InTurns {
        @LoadTest(rate = "200/s", duration = "8s", budget = "32s", slowerAtMost = 0.05)
        @Slo("p50<1s")
        @Against(serviceUrl = "${build.service}")
        void orders(URI service) throws IOException {
            get(service);
        }
    }

    private static void get(URI service) throws IOException {
        HttpURLConnection connection = (HttpURLConnection) service.toURL().openConnection();
        connection.getInputStream().readAllBytes();
    }

    /** Prints what the build ended with, in a line after those of the load test itself. */
    @SuppressWarnings("SystemOut") // a program of its own
    public static void main(String[] none) {
        Class<?> test = System.getProperty("downbeat.against") == null ? Alone.class : InTurns.class;
        EngineTestKit.engine("junit-jupiter")
                .configurationParameter("junit.jupiter.conditions.deactivate", "*")
                .selectors(selectClass(test))
                .execute()
                .testEvents()
                .finished()
                .map(event -> event.getRequiredPayload(TestExecutionResult.class))
                .forEach(result -> {
                    result.getThrowable().ifPresent(thrown -> System.out.println("[downbeat] " + thrown));
                    System.out.println("ended " + result.getStatus());
                });
        System.exit(0);
    }
}
