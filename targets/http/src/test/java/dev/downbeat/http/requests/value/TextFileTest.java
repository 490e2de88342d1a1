package dev.downbeat.http.requests.value;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.downbeat.http.requests.file.CurlLine;
import dev.downbeat.http.requests.file.EnvironmentFiles;
import dev.downbeat.http.requests.file.HarRequests;
import dev.downbeat.http.requests.file.HttpFile;
import dev.downbeat.http.requests.file.HurlFile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Whatever file it is, and whichever editor wrote it. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class TextFileTest {
    private interface Reader {
        Object read(Path file) throws IOException;
    }

    private static final Map<String, Reader> READERS = Map.of(
            "a.http", HttpFile::parse,
            "a.hurl", HurlFile::parse,
            "a.har", HarRequests::parse,
            "curl.txt", CurlLine::parse,
            "a.csv", file -> DataFile.read("d", DataFile.Use.SEQUENTIAL, file).column("a", new SourcePosition("", 0)),
            "http-client.env.json",
                    file -> EnvironmentFiles.read(file.resolveSibling(""), "dev")
                            .get("a"));

    @TempDir
    @SuppressWarnings("NullAway.Init") // set by JUnit
    Path folder;

    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', textBlock = """
            a.http | GET http://h/?a=\u00e9
            a.hurl | GET http://h/?a=\u00e9
            a.har | {"log": {"entries": [{"request": {"method": "GET", "url": "http://h/?a=\u00e9"}}]}}
            curl.txt | curl http://h/?a=\u00e9
            a.csv | a,b~\u00e9,2
            http-client.env.json | {"dev": {"a": "\u00e9"}}
            """)
    void a_byte_order_mark_means_nothing_and_another_encoding_is_refused(String name, String text) throws IOException {
        Path file = folder.resolve(name);
        Reader reader = READERS.getOrDefault(name, path -> "");
        String lines = text.replace("~", "\r\n") + "\r\n";
        Files.writeString(file, "\uFEFF" + lines);
        assertThatCode(() -> assertThat(reader.read(file)).isNotNull()).doesNotThrowAnyException();
        Files.writeString(file, lines, StandardCharsets.ISO_8859_1);
        assertThatThrownBy(() -> reader.read(file)).hasMessage(file + ": not UTF-8 text");
    }
}
