package dev.downbeat.testing;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Golden files: what users read, kept beside the tests. {@code mvn test -Ddownbeat.golden=write} writes them anew; read the
 * difference before you commit it. Thread-safe.
 */
public final class Golden {
    private static final boolean WRITES = "write".equals(System.getProperty("downbeat.golden"));

    private Golden() {}

    /** Of a page without its style and script, which are the same in every page and have files of their own. */
    public static void checkPage(Class<?> beside, String name, String page) throws IOException {
        check(
                beside,
                name,
                page.replaceAll("(?s)(<(style|script)>).*?(?=</\\2>)", "$1").replaceAll("sha256-[^']+", "sha256-"));
    }

    /**
     * Compares with a resource that lies beside a test, or in the same package of what is tested, or writes it.
     *
     * @throws AssertionError if they differ, or there is no such file
     */
    public static void check(Class<?> beside, String name, String written) throws IOException {
        if (WRITES) {
            Path file = Path.of(beside.getPackageName().replace('.', '/'), name);
            Path shipped = Path.of("src/main/resources").resolve(file);
            Path kept = Files.exists(shipped)
                    ? shipped
                    : Path.of("src/test/resources").resolve(file);
            Files.createDirectories(kept.getParent());
            Files.writeString(kept, written);
            return;
        }
        try (InputStream in = beside.getResourceAsStream(name)) {
            assertEquals(
                    in == null ? "no such file" : new String(in.readAllBytes(), StandardCharsets.UTF_8), written, name);
        }
    }
}
