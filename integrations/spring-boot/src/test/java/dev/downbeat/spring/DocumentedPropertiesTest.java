package dev.downbeat.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Properties;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.springframework.boot.context.properties.bind.BindHandler;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.bind.handler.NoUnboundElementsBindHandler;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;

/** What docs/java.md shows of the starter's properties is understood, all of it. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class DocumentedPropertiesTest {
    private static final Pattern BLOCK = Pattern.compile("```properties\n((?:downbeat\\.recorder\\..*\n)+)```");

    @Test
    void every_property_of_the_page_is_one_of_the_starter() throws IOException {
        Matcher block = BLOCK.matcher(Files.readString(Path.of("../../docs/java.md")));
        assertThat(block.find()).isTrue();
        Properties shown = new Properties();
        shown.load(new StringReader(block.group(1)));
        DownbeatAutoConfiguration.Properties bound = new Binder(new MapConfigurationPropertySource(shown))
                .bind(
                        "downbeat.recorder",
                        Bindable.of(DownbeatAutoConfiguration.Properties.class),
                        new NoUnboundElementsBindHandler(BindHandler.DEFAULT))
                .get();
        assertThat(bound)
                .isEqualTo(new DownbeatAutoConfiguration.Properties(
                        true,
                        "orders",
                        Duration.ofMinutes(1),
                        List.of("p99<50ms", "errors<0.1%"),
                        List.of("/actuator", "/livez", "/readyz")));
    }

    private static DownbeatAutoConfiguration.Properties with(Duration interval, String... leaveOut) {
        return new DownbeatAutoConfiguration.Properties(true, "orders", interval, List.of(), List.of(leaveOut));
    }

    @Test
    void a_prefix_that_is_left_out_ends_where_a_part_of_the_path_does() {
        DownbeatAutoConfiguration.Properties given = with(Duration.ofSeconds(1), "/livez", "/internal/");
        assertThat(List.of("/livez", "/livez/x", "/internal/", "/internal/x")).noneMatch(given::isRecorded);
        assertThat(List.of("/", "/live", "/livezone", "/internal", "/a/livez")).allMatch(given::isRecorded);
    }

    @Test
    void a_measurement_lasts_at_least_a_second() {
        assertThatThrownBy(() -> with(Duration.ofMillis(999)))
                .hasMessage("downbeat.recorder.interval must be at least 1s, but was 999ms");
    }
}
