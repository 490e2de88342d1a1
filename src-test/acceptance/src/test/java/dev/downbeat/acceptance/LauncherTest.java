package dev.downbeat.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.DataInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The launcher script of a checkout. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class LauncherTest {
    private static final Duration BOUND = Duration.ofSeconds(30);

    private static final String OPTIONS = "cli/src/main/resources/dev/downbeat/cli/jvm.options";

    @TempDir
    private Path folder;

    private Path checkout;

    /** JUnit warns of links that lead out of its temporary folder. */
    @AfterEach
    void remove_the_links() throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path link : files.filter(Files::isSymbolicLink).toList()) {
                Files.delete(link);
            }
        }
    }

    /**
     * Copies the launcher and the jar into a checkout in which nothing is newer than the jar and Maven only prints that it was
     * called. A real build would write into the folders under test.
     */
    @BeforeEach
    void make_a_checkout() throws IOException {
        checkout = Files.createDirectories(folder.resolve("checkout"));
        Files.copy(Checkout.launcher(), launcher(), StandardCopyOption.COPY_ATTRIBUTES);
        for (String part : List.of("core", "targets", "cli/target", "bin")) {
            Files.createDirectories(checkout.resolve(part));
        }
        Files.createDirectories(checkout.resolve(OPTIONS).getParent());
        Files.copy(Checkout.root().resolve(OPTIONS), checkout.resolve(OPTIONS));
        Path jar = Files.copy(Checkout.jar(), checkout.resolve("cli/target/downbeat.jar"));
        Path mvn = Files.writeString(checkout.resolve("bin/mvn"), "#!/bin/sh\necho mvn was called: \"$@\"\nexit 1\n");
        assertThat(mvn.toFile().setExecutable(true)).isTrue();
        touch(
                checkout.resolve("pom.xml"),
                FileTime.from(Files.getLastModifiedTime(jar).toInstant().minusSeconds(10)));
    }

    private static void touch(Path file, FileTime time) throws IOException {
        Files.createDirectories(file.getParent());
        Files.writeString(file, "");
        Files.setLastModifiedTime(file, time);
    }

    private Path launcher() {
        return checkout.resolve("downbeat");
    }

    private Cli.Ending start(String... command) {
        List<String> words =
                new ArrayList<>(List.of("env", "PATH=" + checkout.resolve("bin") + ":" + System.getenv("PATH")));
        words.addAll(List.of(command));
        try (Cli cli = Cli.startCommand(words, folder)) {
            return cli.end(BOUND);
        }
    }

    private Cli.Ending version(Path command) {
        return start(command.toString(), "--version");
    }

    private static void assertVersion(Cli.Ending ending) {
        assertThat(ending.out()).as(ending.err()).matches("downbeat [0-9][^\\n]*\\n");
        assertThat(ending.err()).isEmpty();
        assertThat(ending.code()).isZero();
    }

    @Test
    void it_runs_from_another_folder() {
        assertVersion(version(launcher()));
    }

    @Test
    void it_runs_through_a_symbolic_link() throws IOException {
        assertVersion(version(Files.createSymbolicLink(folder.resolve("db"), launcher())));
    }

    @Test
    void it_runs_through_a_relative_link_to_a_link() throws IOException {
        Path links = Files.createDirectories(folder.resolve("links"));
        Files.createSymbolicLink(links.resolve("first"), launcher());
        Files.createSymbolicLink(folder.resolve("second"), Path.of("links", "first"));
        assertVersion(version(Path.of("./second")));
    }

    @Test
    void it_runs_in_a_folder_with_a_space_and_through_a_link_in_one() throws IOException {
        Path spaced = Files.createDirectories(folder.resolve("my tools"));
        assertVersion(version(Files.createSymbolicLink(spaced.resolve("down beat"), launcher())));
        checkout = Files.move(checkout, spaced.resolve("the checkout"));
        assertVersion(version(launcher()));
    }

    @Test
    void it_passes_arguments_with_spaces_on_as_they_are() {
        Cli.Ending ending = start(launcher().toString(), "report", "/no/such/a b");
        assertThat(ending.err()).contains("/no/such/a b");
        assertThat(ending.code()).isEqualTo(2);
    }

    @Test
    void a_JAVA_HOME_without_Java_gives_one_clear_line() {
        Cli.Ending ending = start("env", "JAVA_HOME=/no/such/jdk", launcher().toString(), "--version");
        assertThat(ending.errLines()).hasSize(1);
        assertThat(ending.err())
                .startsWith("downbeat: ")
                .contains("/no/such/jdk")
                .contains("JAVA_HOME");
        assertThat(ending.out()).isEmpty();
        assertThat(ending.code()).isEqualTo(1);
    }

    @ParameterizedTest(name = "{0}")
    @ValueSource(
            strings = {
                "pom.xml",
                "core/pom.xml",
                "core/src/main/java/dev/downbeat/run/engine/LoadRun.java",
                "core/src/main/java/dev/downbeat/exchange/Target.java",
                "targets/http/src/main/java/dev/downbeat/http/HttpTarget.java",
                "cli/src/main/java/dev/downbeat/cli/DownbeatMain.java"
            })
    void a_source_that_is_newer_than_the_jar_is_built_first(String source) throws IOException {
        touch(checkout.resolve(source), FileTime.from(Instant.now().plusSeconds(10)));
        Cli.Ending ending = version(launcher());
        assertThat(ending.err())
                .contains("building once")
                .contains("the build failed")
                .contains("mvn was called");
        assertThat(ending.err()).contains("-Ddownbeat.alone");
        assertThat(ending.code()).isEqualTo(1);
    }

    @ParameterizedTest(name = "{0}")
    @ValueSource(strings = {"sqs:orders", "jdbc:demo", "s3://bucket/run.downbeat", "-os3://bucket/run.downbeat"})
    void an_argument_that_needs_an_optional_jar_builds_all_of_them(String word) {
        Cli.Ending ending = start(launcher().toString(), "run", word);
        assertThat(ending.err())
                .contains("building once")
                .contains("mvn was called")
                .doesNotContain("downbeat.alone");
        assertThat(ending.code()).isEqualTo(1);
    }

    @Test
    void a_plan_that_names_a_queue_builds_them_too() throws IOException {
        Path plan = Files.writeString(folder.resolve("plan.json"), "{\"target\": \"sqs:orders\"}");
        assertThat(start(launcher().toString(), "run", plan.toString()).err()).contains("mvn was called");
    }

    @Test
    void existing_jars_are_rebuilt_together_or_reused() throws IOException {
        for (String name : List.of(
                "downbeat-sqs.jar",
                "downbeat-s3.jar",
                "downbeat-crt.jar",
                "downbeat-sqs-demo.jar",
                "downbeat-jdbc.jar",
                "downbeat-boringssl.jar")) {
            Files.createFile(checkout.resolve("cli/target").resolve(name));
        }
        assertThat(start(launcher().toString(), "report", "s3://no").err()).doesNotContain("mvn was called");
        touch(checkout.resolve("pom.xml"), FileTime.from(Instant.now().plusSeconds(10)));
        assertThat(version(launcher()).err()).contains("mvn was called").doesNotContain("downbeat.alone");
    }

    @Test
    void a_class_archive_of_another_JVM_is_ignored_silently() throws IOException {
        Path archive = checkout.resolve("cli/target/downbeat-" + System.getProperty("java.version") + ".jsa");
        Files.writeString(archive, "of another JVM");
        Files.setLastModifiedTime(archive, FileTime.from(Instant.now().plusSeconds(10)));
        assertVersion(version(launcher()));
    }

    @Test
    void nothing_is_built_for_what_is_not_in_the_jar() throws IOException {
        touch(
                checkout.resolve("core/target/classes/Newer.class"),
                FileTime.from(Instant.now().plusSeconds(10)));
        touch(
                checkout.resolve("core/src/test/java/NewerTest.java"),
                FileTime.from(Instant.now().plusSeconds(10)));
        assertVersion(version(launcher()));
    }

    /** JVM class archives do not link classes of Java 5, as which picocli is compiled. */
    @Test
    void every_class_of_the_jar_is_new_enough_for_an_archive() throws IOException {
        int classes = 0;
        try (JarFile jar = new JarFile(Checkout.jar().toFile())) {
            for (JarEntry entry : Collections.list(jar.entries())) {
                if (entry.getName().endsWith(".class")) {
                    try (DataInputStream in = new DataInputStream(jar.getInputStream(entry))) {
                        in.skipNBytes(6); // magic number and minor version
                        assertThat(in.readUnsignedShort()).as(entry.getName()).isGreaterThanOrEqualTo(50);
                    }
                    classes++;
                }
            }
        }
        assertThat(classes).isGreaterThan(1_000);
    }
}
