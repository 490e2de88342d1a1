package dev.downbeat.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.Optional;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class StaleJarTest {
    @TempDir
    private Path checkout;

    private Path file(String name, long seconds) throws IOException {
        Path file = checkout.resolve(name);
        Files.createDirectories(file.getParent());
        return Files.setLastModifiedTime(Files.writeString(file, ""), FileTime.fromMillis(1_000 * seconds));
    }

    private Optional<String> refusal() throws IOException {
        Path jar = file("jmh-benchmarks/target/benchmarks.jar", 200);
        return new StaleJar(jar.toFile(), name -> !name.contains("Other")).newerSource();
    }

    @Test
    void a_jar_older_than_a_source_of_another_module_is_refused() throws IOException {
        file("jmh-benchmarks/src/main/java/b/Bench.java", 100);
        file("core/src/main/java/c/Core.java", 100);
        file("junit-plugin/src/main/java/j/Other.java", 300); // not in the jar
        file("core/src/test/java/c/CoreTest.java", 300);
        assertThat(refusal()).isEmpty();
        file("core/src/main/java/c/Later.java", 201);
        assertThat(refusal())
                .hasValue("benchmarks.jar is older than core/src/main/java/c/Later.java. Build it first:"
                        + " mvn -q -pl jmh-benchmarks -am -DskipTests package");
    }

    @Test
    void so_is_one_older_than_a_resource_of_a_module_in_a_folder() throws IOException {
        file("targets/http/src/main/resources/h/names.txt", 300);
        assertThat(refusal()).get().asString().contains("targets/http/src/main/resources/h/names.txt");
    }
}
