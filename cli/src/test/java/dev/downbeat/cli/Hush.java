package dev.downbeat.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.downbeat.testing.SecretNames;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;

/** Values that nobody may see, under 200 names, and what looks for them in all that comes out. */
final class Hush {
    static final String HUSH = SecretNames.VALUE;
    static final int NAMES = SecretNames.COUNT;

    /** So many at a time: the head of a request has a limit. */
    static final int AT_ONCE = 50;

    private Hush() {}

    static List<String> names() {
        return SecretNames.all();
    }

    static String query(List<String> names) {
        return SecretNames.query(names);
    }

    /** Each in one of the ways in which a header can be written. */
    static List<String> headers(List<String> names) {
        List<String> words = new ArrayList<>();
        for (int i = 0; i < names.size(); i++) {
            String header = names.get(i) + ": " + HUSH;
            words.addAll(
                    switch (i % 5) {
                        case 0 -> List.of("-H", header);
                        case 1 -> List.of("-H" + header);
                        case 2 -> List.of("--header=" + header);
                        case 3 -> List.of("--header", header.replace(": ", ":"));
                        default -> List.of("-H=" + header);
                    });
        }
        return words;
    }

    static void assertNothing(Shell said, Path... files) throws IOException {
        assertThat(said.out()).as("stdout").doesNotContain(HUSH);
        assertThat(said.err()).as("stderr").doesNotContain(HUSH);
        for (Path file : files) {
            assertThat(Files.size(file)).isPositive();
            assertThat(Files.readString(file, StandardCharsets.ISO_8859_1))
                    .as(file.toString())
                    .doesNotContain(HUSH);
            if (file.toString().endsWith(".downbeat")) {
                assertNothingIn(file);
            }
        }
    }

    static void assertNothingIn(Path zip) throws IOException {
        try (InputStream in = Files.newInputStream(zip);
                ZipInputStream entries = new ZipInputStream(in)) {
            for (ZipEntry entry = entries.getNextEntry(); entry != null; entry = entries.getNextEntry()) {
                assertThat(new String(entries.readAllBytes(), StandardCharsets.UTF_8))
                        .as(entry.getName())
                        .doesNotContain(HUSH);
            }
        }
    }

    static Shell call(List<String> words, List<String> more) {
        return Shell.call(Stream.concat(words.stream(), more.stream()).toArray(String[]::new));
    }
}
