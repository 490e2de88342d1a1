package dev.downbeat.cli.meet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine.TypeConversionException;

/** Where shards meet, as a user writes it. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class MeetingPlaceTest {
    @ParameterizedTest
    @ValueSource(strings = {"file:/shared/meet", "tcp:load-1:7413", "tcp:[::1]:1", "s3://results/nightly"})
    void a_place_is_written_as_it_is_read(String text) {
        assertThat(MeetingPlace.parse(text, Map.of())).hasToString(text);
    }

    @ParameterizedTest(name = "{0} with index {1}")
    @CsvSource({
        "downbeat-1a2b-0, 0, tcp:downbeat-1a2b-0.downbeat-1a2b:7413",
        "orders-12, 12, tcp:orders-0.orders:7413",
        "orders-1-1, 1, tcp:orders-1-0.orders-1:7413"
    })
    void pods_of_a_job_find_pod_0_by_its_name(String pod, String index, String place) {
        assertThat(MeetingPlace.parse("kubernetes", Map.of("HOSTNAME", pod, "JOB_COMPLETION_INDEX", index)))
                .hasToString(place);
    }

    @ParameterizedTest(name = "{0} with index {1}")
    @CsvSource({"orders-0,", ", 0", "-0, 0", "orders-10, 0", "orders, 0", "worker.example, 2"})
    void outside_a_pod_the_missing_variable_is_named(String pod, String index) {
        Map<String, String> environment = new HashMap<>();
        if (pod != null) {
            environment.put("HOSTNAME", pod);
        }
        if (index != null) {
            environment.put("JOB_COMPLETION_INDEX", index);
        }
        assertThatThrownBy(() -> MeetingPlace.parse("kubernetes", environment))
                .isInstanceOf(TypeConversionException.class)
                .hasMessage(
                        "kubernetes is a meeting place for pods of an Indexed Job, where HOSTNAME is JOB-INDEX; but it was '"
                                + (pod == null ? "" : pod) + "', and JOB_COMPLETION_INDEX '"
                                + (index == null ? "" : index) + "'");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "file:", "tcp:h", "tcp:h:0", "tcp:h:70000", "tcp:h:x", "http://h/", "kubernetes:x"})
    void an_invalid_place_is_refused(String text) {
        assertThatThrownBy(() -> MeetingPlace.parse(text, Map.of())).isInstanceOf(TypeConversionException.class);
    }

    @Test
    void the_refusal_lists_the_accepted_forms() {
        assertThatThrownBy(() -> MeetingPlace.parse("etcd:h", Map.of()))
                .hasMessage("a meeting place must be file:DIR, tcp:HOST:PORT, s3://BUCKET/FOLDER or kubernetes, but was"
                        + " 'etcd:h'");
    }
}
