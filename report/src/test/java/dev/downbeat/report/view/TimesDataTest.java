package dev.downbeat.report.view;

import static org.assertj.core.api.Assertions.assertThat;

import dev.downbeat.record.Distribution;
import dev.downbeat.report.render.RecordJson;
import dev.downbeat.stats.Percentiles;
import dev.downbeat.testing.ParsedJson;
import java.io.IOException;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class TimesDataTest {
    @Test
    void the_times_are_those_at_the_percentiles_of_json() throws IOException {
        StringBuilder json = new StringBuilder();
        RecordJson.write(TimesData.of(Distribution.of(LongStream.of(1))), json);
        assertThat(ParsedJson.parse(json.toString()).members().keySet())
                .containsExactlyElementsOf(Stream.of(
                                Stream.of("count", "min_ns", "mean_ns"),
                                Percentiles.of(Percentiles.Place.JSON).stream()
                                        .map(percentile ->
                                                Percentiles.name(percentile).replace('.', '_') + "_ns"),
                                Stream.of("unavailable"))
                        .flatMap(names -> names)
                        .toList());
    }
}
