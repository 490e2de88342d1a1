package dev.downbeat.http.requests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.downbeat.http.options.HttpOptions;
import dev.downbeat.run.Script;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class HttpTest {
    @Test
    void a_get_with_a_body_is_a_get_on_the_command_line_too() {
        assertThat(Http.get("http://h/").body("x").words()).containsExactly("http://h/", "--method=GET", "--data=***");
        assertThat(Http.post("http://h/").body("x").words())
                .containsExactly("http://h/", "--method=POST", "--data=***");
    }

    @Test
    void the_last_value_of_a_variable_counts(@TempDir Path folder) throws IOException {
        Path file = Files.writeString(folder.resolve("a.http"), "@host = a\nGET http://{{host}}/");
        Http last = Http.file(file).variable("host", "b").variable("host", "c");
        assertThat(((Script) last).mix(1).describe()).endsWith("http://c");
    }

    @Test
    void times_beyond_the_clock_are_longest_times_and_probes_are_whole_seconds() {
        assertThat(HttpOptions.builder()
                        .connectTimeout(Duration.ofSeconds(Long.MAX_VALUE))
                        .build()
                        .connectTimeoutNanos())
                .isEqualTo(Long.MAX_VALUE);
        for (String time : new String[] {"PT10H", "PT1.5S", "PT0S"}) {
            assertThatThrownBy(() -> HttpOptions.builder().tcpProbes(Duration.parse(time)))
                    .hasMessageContaining("whole seconds from 1 to 32767");
        }
    }
}
