package dev.downbeat.junit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectMethod;

import com.sun.net.httpserver.HttpServer;
import dev.downbeat.testing.NeverExcused;
import dev.downbeat.testing.NotShown;
import dev.downbeat.testing.Timing;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.zip.ZipEntry;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.extension.ExtensionConfigurationException;
import org.junit.jupiter.api.io.TempDir;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.testkit.engine.EngineTestKit;

/** Builds of a service that are measured in turns: what they answer with is in their addresses. */
@Timing
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class AgainstTest {
    @TempDir
    Path folder;

    static class Shop {
        @LoadTest(rate = "300/s", duration = "2s", warmUp = "0ms", budget = "2s")
        @Against(serviceUrl = "http://127.0.0.1:${shop.port}/60ms")
        @Slo("p50<5s")
        void answers(URI service) throws InterruptedException {
            Thread.sleep(Integer.parseInt(service.getPath().replaceAll("\\D", "")));
        }

        @LoadTest(rate = "60/s")
        @Against(serviceUrl = "http://127.0.0.1/")
        void prints_nothing() {}

        @LoadTest(rate = "60/s", duration = "100ms", warmUp = "0ms", budget = "100ms")
        @Against(serviceUrl = "http://127.0.0.1/", turns = 2)
        void in_two_turns(URI service) {}

        @LoadTest(rate = "60/s", duration = "100ms", warmUp = "0ms", budget = "100ms")
        @Against(serviceUrl = "http://127.0.0.1/", startsWithin = "soon")
        void starts_soon(URI service) {}
    }

    /** What the test says about this build set against another. */
    private String said(String method, String other, Class<?>... parameters) {
        System.setProperty("downbeat.reports", folder.toString());
        System.setProperty("downbeat.baselines", folder.toString());
        if (!other.isEmpty()) {
            System.setProperty("downbeat.against", other);
        }
        System.setProperty("shop.port", "1");
        try {
            return EngineTestKit.engine("junit-jupiter")
                    .selectors(selectMethod(Shop.class, method, parameters))
                    .execute()
                    .testEvents()
                    .finished()
                    .map(event -> event.getRequiredPayload(TestExecutionResult.class))
                    .map(result ->
                            result.getThrowable().map(Throwable::getMessage).orElse("passed"))
                    .findFirst()
                    .orElse("nothing");
        } finally {
            System.clearProperty("downbeat.reports");
            System.clearProperty("downbeat.baselines");
            System.clearProperty("downbeat.against");
            System.clearProperty("shop.port");
        }
    }

    @Test
    void a_build_that_became_three_times_slower_is_red_beside_the_one_before_it() throws IOException {
        try (ServerSocket other = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            assertThat(said("answers", "http://127.0.0.1:" + other.getLocalPort() + "/20ms", URI.class))
                    // of a busy machine's p50, too much may be others'
                    .matches(
                            "(?s)SLOWER than the other build in 5 turns by more than 10 %: p[59]0 .*; Shop[.]answers: .*");
        }
    }

    /** Else it would pass until the build that compares, such as the nightly one. */
    @Test
    @NeverExcused
    void a_mistake_in_the_annotation_is_refused_also_without_another_build() {
        assertThat(said("in_two_turns", "", URI.class))
                .isEqualTo("@LoadTest Shop.in_two_turns: @Against: turns must be from 5 to 100, but were 2");
        assertThat(said("starts_soon", "", URI.class)).startsWith("@Against(startsWithin): ");
        for (String method : List.of("a_word", "a_path", "another_scheme")) {
            Against wrong = written(method);
            assertThatThrownBy(() -> OtherBuild.own(wrong))
                    .isInstanceOf(ExtensionConfigurationException.class)
                    .hasMessage("@Against(serviceUrl = \"" + wrong.serviceUrl()
                            + "\"): it must be an http or https URL with a host");
        }
    }

    @Test
    @NeverExcused
    void wrong_names_are_refused_in_one_line() {
        assertThat(said("answers", "base.jar", URI.class))
                .isEqualTo("-Ddownbeat.against=base.jar: it must be a URL, a jar that exists, or git:BRANCH"
                        + " (an image is started by the build, and its URL given)");
        assertThat(said("answers", "http://127.0.0.1:2/20ms", URI.class))
                .isEqualTo("-Ddownbeat.against=http://127.0.0.1:2/20ms: nothing is listening there");
        assertThat(said("answers", "http://no-such-host.invalid/20ms", URI.class))
                .isEqualTo("-Ddownbeat.against=http://no-such-host.invalid/20ms: its host is unknown");
        assertThat(said("answers", "http://127.0.0.1:99999/20ms", URI.class))
                .isEqualTo("-Ddownbeat.against=http://127.0.0.1:99999/20ms: port out of range:99999");
        assertThat(said("prints_nothing", "http://127.0.0.1:2/"))
                .isEqualTo(
                        "@LoadTest Shop.prints_nothing: @Against needs a parameter of type java.net.URI: the service to call");
        assertThatThrownBy(() -> OtherBuild.own(written("a_missing_property")))
                .isInstanceOf(ExtensionConfigurationException.class)
                .hasMessageContaining("there is no system property 'no.such.port'");
        System.setProperty("no.such.port", "${no.such.port}"); // as Maven passes it if it is not set
        try {
            assertThatThrownBy(() -> OtherBuild.own(written("a_missing_property")))
                    .hasMessageContaining("the build did not set 'no.such.port'");
        } finally {
            System.clearProperty("no.such.port");
        }
        assertThat(said("answers", "http://user:s3cret@127.0.0.1:2/20ms", URI.class))
                .contains("nothing is listening there")
                .doesNotContain("s3cret");
        assertThat(said("answers", "http://user:s3cret@127.0.0.1:2/2 0", URI.class))
                .contains("it is not a URL")
                .doesNotContain("s3cret");
    }

    /** Linux drops what does not fit into the queue of those that were not accepted yet. */
    @Test
    @NeverExcused
    void a_listening_but_silent_server_is_not_called_unreachable() throws IOException {
        if (!OS.LINUX.isCurrentOs()) {
            throw NotShown.because("not Linux", "that a listening but silent server is not called unreachable");
        }
        try (ServerSocket full = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            URI service = URI.create("http://127.0.0.1:" + full.getLocalPort() + "/");
            assertThat(OtherBuild.unreachableReason(service, 5_000)).isEmpty();
            String why = "";
            for (int connection = 0; why.isEmpty() && connection < 100; connection++) {
                why = OtherBuild.unreachableReason(service, 50);
            }
            assertThat(why).isEqualTo("it does not answer");
        }
    }

    /** A service whose first argument is its port. */
    public static final class Service {
        private Service() {}

        /** Runs until it is ended. */
        public static void main(String[] args) throws IOException {
            HttpServer server = HttpServer.create(
                    new InetSocketAddress(InetAddress.getLoopbackAddress(), Integer.parseInt(args[0])), 0);
            server.createContext("/", exchange -> {
                exchange.sendResponseHeaders(204, -1);
                exchange.close();
            });
            server.start();
        }
    }

    @Test
    @NeverExcused
    void a_jar_is_started_waited_for_and_ended() throws IOException {
        Path jar = folder.resolve("base.jar");
        Manifest manifest = new Manifest();
        manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        manifest.getMainAttributes().put(Attributes.Name.MAIN_CLASS, Service.class.getName());
        String file = Service.class.getName().replace('.', '/') + ".class";
        try (OutputStream out = Files.newOutputStream(jar);
                JarOutputStream entries = new JarOutputStream(out, manifest);
                var code = Service.class.getResourceAsStream("/" + file)) {
            entries.putNextEntry(new ZipEntry(file));
            entries.write(code.readAllBytes());
        }
        System.setProperty("downbeat.reports", folder.toString());
        OtherBuild build = OtherBuild.open(jar.toString(), written("a_jar"));
        try {
            assertThat(build.process())
                    .hasValueSatisfying(process -> assertThat(process.isAlive()).isTrue());
        } finally {
            build.close();
            System.clearProperty("downbeat.reports");
        }
        assertThat(build.process())
                .hasValueSatisfying(process -> assertThat(process.isAlive()).isFalse());
    }

    /** The end of its input is what a shell sees when this process is killed. */
    @Test
    @NeverExcused
    void a_jar_ends_with_the_process_that_started_it_however_that_ends() throws Exception {
        if (!OS.LINUX.isCurrentOs() && !OS.MAC.isCurrentOs()) {
            throw NotShown.because("no POSIX shell", "that a jar ends with the process that started it");
        }
        Process started = new ProcessBuilder("sleep", "60").start();
        try {
            Process shell = OtherBuild.guard(started).orElseThrow();
            assertThat(started.isAlive()).isTrue();
            shell.getOutputStream().close();
            assertThat(started.waitFor(20, TimeUnit.SECONDS)).isTrue();
        } finally {
            started.destroyForcibly();
        }
    }

    /** As somebody would write them. */
    @SuppressWarnings("UnusedMethod")
    private static final class Written {
        @Against(serviceUrl = "http://127.0.0.1/", arguments = "{port}")
        void a_jar() {}

        @Against(serviceUrl = "http://127.0.0.1:${no.such.port}/")
        void a_missing_property() {}

        @Against(serviceUrl = "nonsense")
        void a_word() {}

        @Against(serviceUrl = "http:/orders")
        void a_path() {}

        @Against(serviceUrl = "ftp://127.0.0.1/")
        void another_scheme() {}
    }

    static Against written(String method) {
        try {
            return Written.class.getDeclaredMethod(method).getAnnotation(Against.class);
        } catch (NoSuchMethodException impossible) {
            throw new IllegalStateException(impossible);
        }
    }
}
