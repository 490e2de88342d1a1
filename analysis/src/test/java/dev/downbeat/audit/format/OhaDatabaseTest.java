package dev.downbeat.audit.format;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.downbeat.audit.ResultCollector;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class OhaDatabaseTest {
    private static ResultCollector read(String text) throws IOException {
        return ResultFile.read("oha.db", new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)));
    }

    @Test
    void a_database_is_refused_with_the_command_that_exports_it() {
        assertThatThrownBy(() -> read("SQLite format 3\0\20\0\1\1\0"))
                .isInstanceOf(IOException.class)
                .hasMessage("oha.db: is an SQLite database; if oha wrote it, export it: sqlite3 -header -csv oha.db"
                        + " 'SELECT start,duration,status FROM oha' > oha.csv");
    }

    @Test
    void output_of_the_suggested_command_is_readable() throws IOException {
        ResultCollector requests = read("start,duration,status\r\n0.000123,0.0213,200\r\n2.1e-05,1.5,503\r\n");
        assertThat(requests.tool()).isEqualTo("oha (CSV)");
        assertThat(requests.count()).isEqualTo(2);
    }
}
