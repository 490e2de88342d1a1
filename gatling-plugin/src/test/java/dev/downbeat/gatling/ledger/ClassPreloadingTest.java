package dev.downbeat.gatling.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class ClassPreloadingTest {
    /** In a loader of its own, as in a JVM that has just started. */
    @Test
    void nothing_is_left_to_be_loaded_when_requests_fail_since_no_file_can_be_opened() throws Exception {
        List<URL> entries = new ArrayList<>();
        for (String entry : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
            entries.add(Path.of(entry).toUri().toURL());
        }
        try (URLClassLoader fresh =
                new URLClassLoader(entries.toArray(URL[]::new), ClassLoader.getPlatformClassLoader())) {
            List<String> before = loaded(fresh);
            fresh.loadClass(ClassPreloading.class.getName()).getMethod("play").invoke(null);
            assertThat(before).isEmpty();
            assertThat(loaded(fresh)).containsExactlyElementsOf(classes());
        }
    }

    /** The package's. */
    private static List<String> classes() throws IOException {
        String folder = Journal.class.getPackageName().replace('.', '/');
        for (String entry : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
            Path here = Path.of(entry).resolve(folder);
            if (Files.exists(here.resolve("Journal.class"))) {
                try (Stream<Path> files = Files.list(here)) {
                    return files.map(file -> file.getFileName().toString().replace(".class", ""))
                            .filter(name -> !name.equals("package-info"))
                            .sorted()
                            .toList();
                }
            }
        }
        throw new IOException("where are the classes of " + folder + "?");
    }

    private static List<String> loaded(ClassLoader loader) throws Exception {
        Method found = ClassLoader.class.getDeclaredMethod("findLoadedClass", String.class);
        found.setAccessible(true);
        List<String> loaded = new ArrayList<>();
        for (String name : classes()) {
            if (found.invoke(loader, Journal.class.getPackageName() + "." + name) != null) {
                loaded.add(name);
            }
        }
        return loaded;
    }
}
