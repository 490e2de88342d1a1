package dev.downbeat.audit.format;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import dev.downbeat.audit.Audit;
import dev.downbeat.audit.AuditResult;
import dev.downbeat.audit.ResultCollector;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

/** Shapes of files that were met in public repositories and once were refused. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class ForeignShapesTest {
    private static ResultCollector read(String text) throws IOException {
        return ResultFile.read("file", new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)));
    }

    @Test
    void one_trace_of_Jaeger_without_a_list_around_it_is_read() throws IOException {
        String span =
                "{\"traceID\": \"t\", \"startTime\": 1542666452979000, \"duration\": 390000, \"references\": [%s]}";
        ResultCollector read = read("{\"traceID\": \"t\", \"spans\": [" + span.formatted("") + "]}");
        assertThat(read.tool()).isEqualTo("Jaeger (JSON)");
        assertThat(read.count()).isEqualTo(1);
        assertThat(read("{\"data\": [{\"traceID\": \"t\", \"spans\": [" + span.formatted("") + "]}]}")
                        .count())
                .isEqualTo(1);
        assertThatThrownBy(() -> read("{\"data\": [{\"traceID\": \"t\", \"spans\": ["
                        + span.formatted("{\"refType\": \"CHILD_OF\"}") + "]}]}"))
                .hasMessage("file: each of its spans has a parent: the spans of the callers are needed");
    }

    @Test
    void buckets_of_Nighthawk_end_at_percentiles() throws IOException {
        ResultCollector read = read("{\"DurationHistogram\": {\"Count\": \"17988\", \"Data\": ["
                + "{\"Start\": 0.0005, \"End\": 0.05, \"Percent\": 50, \"Count\": \"8994\"},"
                + "{\"Start\": 0.05, \"End\": 0.07, \"Percent\": 99, \"Count\": \"8820\"},"
                + "{\"Start\": 0.07, \"End\": 0.09, \"Percent\": 100, \"Count\": \"174\"}]},"
                + "\"NumThreads\": 1, \"URL\": \"http://127.0.0.1:10001/\"}");
        AuditResult audited = Audit.of("file", read, 0.1).get(0);
        assertThat(audited.count()).isEqualTo(17_988);
        assertThat(audited.rows())
                .extracting(row -> row.percentile(), row -> row.printedNanos())
                .contains(tuple(99.0, 70_000_000L));
    }
}
