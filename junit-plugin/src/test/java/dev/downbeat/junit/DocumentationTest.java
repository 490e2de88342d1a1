package dev.downbeat.junit;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the pages show is the text of code that compiles. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class DocumentationTest {
    private static final Pattern JAVA = Pattern.compile("```java\n(.*?)```", Pattern.DOTALL);
    private static final List<Path> SOURCES = List.of(
            Path.of("src/test/java/dev/downbeat/junit"),
            Path.of("example/src"),
            Path.of("../src-test/acceptance/src/test"),
            Path.of("../integrations/micrometer/src"),
            Path.of("../integrations/netty/src"),
            Path.of("../integrations/opentelemetry/src"));

    @ParameterizedTest(name = "{0} with at least {1} pieces of code")
    @CsvSource({"java.md, 9", "maven.md, 2", "why.md, 1"})
    void code_of_a_page_is_in_the_sources(String page, int least) throws IOException {
        StringBuilder sources = new StringBuilder();
        for (Path folder : SOURCES) {
            try (Stream<Path> files = Files.walk(folder)) {
                for (Path file :
                        files.filter(path -> path.toString().endsWith(".java")).toList()) {
                    sources.append(withoutSpace(Files.readString(file)));
                }
            }
        }
        Matcher snippet = JAVA.matcher(Files.readString(Path.of("../docs").resolve(page)));
        int count = 0;
        while (snippet.find()) {
            for (String paragraph : snippet.group(1).split("\n\\s*\n", -1)) {
                assertThat(sources).contains(withoutSpace(paragraph));
            }
            count++;
        }
        assertThat(count).isGreaterThanOrEqualTo(least);
    }

    private static String withoutSpace(String text) {
        return text.replaceAll("\\s", "");
    }
}
