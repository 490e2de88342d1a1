package dev.downbeat.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class RecordMemberTest {
    private record Span(String target, long maxNanos) {
        Span {
            if (maxNanos < 0) {
                throw new IllegalArgumentException("maxNanos must be at least 0");
            }
        }
    }

    @ParameterizedTest
    @CsvSource({
        "maxNanos, max_ns",
        "peakBacklog, peak_backlog",
        "peakBacklogAtNanos, peak_backlog_at_ns",
        "nanos, nanos",
        "aZoneAtA, a_zone_at_a",
        "p50, p50"
    })
    void a_name_of_Java_is_words_and_its_nanoseconds_a_unit(String name, String key) {
        assertThat(RecordMember.key(name)).isEqualTo(key);
    }

    @Test
    void a_record_is_taken_apart_and_made_again() {
        Span span = new Span("db", 7);
        List<RecordMember> members = RecordMember.of(Span.class);
        assertThat(members).extracting(RecordMember::name).containsExactly("target", "maxNanos");
        assertThat(members).extracting(RecordMember::key).containsExactly("target", "max_ns");
        assertThat(members).extracting(RecordMember::type).containsExactly(String.class, long.class);
        List<Object> values = members.stream().map(member -> member.get(span)).toList();
        assertThat(values).isEqualTo(List.of("db", 7L));
        assertThat(RecordMember.make(Span.class, values)).isEqualTo(span);
    }

    @Test
    void what_a_record_refuses_is_refused_in_its_words() {
        assertThatThrownBy(() -> RecordMember.make(Span.class, List.of("db", -1L)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("maxNanos must be at least 0");
        assertThatThrownBy(() -> RecordMember.of(String.class)).hasMessage("there is no way to read a String");
    }

    @Test
    void text_is_written_in_characters_that_are_safe_in_every_encoding() {
        assertThat(JsonText.of("a\"\\\n\r\t\u001f\u007f\u2028\ud83dé~ !"))
                .isEqualTo("\"a\\\"\\\\\\n\\r\\t\\u001f\\u007f\\u2028\\ud83dé~ !\"");
        assertThat(JsonText.of(List.of(1, 2.5, Double.NaN, Double.NEGATIVE_INFINITY, true)))
                .isEqualTo("[1,2.5,\"NaN\",\"-Infinity\",true]");
        assertThat(JsonText.of(List.of(List.of(), Map.of(), Map.of("a", JsonReader.NULL))))
                .isEqualTo("[[],{},{\"a\":null}]");
    }
}
