package dev.downbeat.testing;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Golden files of user-visible output. {@code mvn test -Ddownbeat.golden=write} regenerates them; review the diff
 * before committing. Thread-safe.
 */
public final class Golden {
    private static final boolean WRITES = "write".equals(System.getProperty("downbeat.golden"));

    private Golden() {}

    /** Compares a page without its style and script, which are the same in every page and have their own files. */
    public static void checkPage(Class<?> type, String name, String page) throws IOException {
        check(
                type,
                name,
                page.replaceAll("(?s)(<(style|script)>).*?(?=</\\2>)", "$1").replaceAll("sha256-[^']+", "sha256-"));
    }

    /**
     * Compares with a resource in the test's package or in that of the tested type, or writes it.
     *
     * @throws AssertionError if they differ, or the file is missing
     */
    public static void check(Class<?> type, String name, String written) throws IOException {
        if (WRITES) {
            Path file = Path.of(type.getPackageName().replace('.', '/'), name);
            Path shipped = Path.of("src/main/resources").resolve(file);
            Path kept = Files.exists(shipped)
                    ? shipped
                    : Path.of("src/test/resources").resolve(file);
            Files.createDirectories(kept.getParent());
            Files.writeString(kept, written);
            return;
        }
        try (InputStream in = type.getResourceAsStream(name)) {
            assertEquals(
                    in == null ? "no such file" : new String(in.readAllBytes(), StandardCharsets.UTF_8), written, name);
        }
    }
}
