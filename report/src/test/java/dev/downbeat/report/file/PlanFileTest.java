package dev.downbeat.report.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a measurement of several shards is before it begins. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class PlanFileTest {
    private static final PlanFile PLAN = new PlanFile(
            "0.1.0",
            "7f3a",
            4,
            Optional.of("beef"),
            "GET http://shop/",
            "1,000/s",
            Map.of("target", "a\nb"),
            List.of(),
            "secret");

    private static final PlanFile EARLIER =
            new PlanFile("0.1.0", "7f3a", 1, Optional.empty(), "a", "b", Map.of(), List.of("run", "http://shop/"), "");

    @Test
    void a_plan_is_read_as_it_was_written() throws IOException {
        for (PlanFile plan : List.of(PLAN, EARLIER)) {
            assertThat(PlanFile.parse(plan.text())).isEqualTo(plan);
            assertThat(PlanFile.parse(plan.line())).isEqualTo(plan);
            assertThat(plan.text()).endsWith("\n");
            assertThat(plan.line()).doesNotContain("\n");
        }
        assertThat(PLAN.text()).contains("\"schema\": 2").doesNotContain("command");
        assertThat(EARLIER.text()).contains("\"schema\": 1").doesNotContain("measurement", "token", "seed");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new PlanFile("0", "1", 0, Optional.empty(), "a", "b", Map.of(), List.of(), ""))
                .withMessage("shards must be at least 1, but were 0");
    }

    @ParameterizedTest(name = "{1}: {2}")
    @CsvSource(delimiter = '~', quoteCharacter = '`', textBlock = """
            "kind": "plan"    ~ "kind": "run"     ~ not a plan made with 'downbeat plan'
            "shards": 4       ~ "shards": 0       ~ corrupt: 'shards' must be a number from 1
            "shards": 4       ~ "shards": "4"     ~ corrupt: 'shards' must be a number from 1
            "shards": 4       ~ "shards": 2147483648 ~ corrupt: 'shards' must be a number from 1
            "load": "1,000/s" ~ "load": 7         ~ corrupt: 'load' is missing
            "plan_id"         ~ "plan"            ~ corrupt: 'plan_id' is missing
            "token": "secret" ~ "token": 7        ~ corrupt: 'token' is missing
            "shards": 4       ~ "shards": 4, "command": ["run", 7] ~ corrupt: a word of 'command' is not text
            """)
    void a_plan_that_cannot_be_followed_is_refused(String from, String to, String message) {
        assertThat(PLAN.text()).contains(from);
        assertThatThrownBy(() -> PlanFile.parse(PLAN.text().replace(from, to)))
                .isInstanceOf(IOException.class)
                .hasMessage(message);
    }

    @Test
    void a_plan_of_a_later_schema_or_of_none_is_refused() {
        assertThatThrownBy(() -> PlanFile.parse(PLAN.text().replace("\"schema\": 2", "\"schema\": 3")))
                .isInstanceOf(IOException.class);
        assertThatThrownBy(() -> PlanFile.parse("{")).isInstanceOf(IOException.class);
    }

    @Test
    void a_measurement_of_code_is_named_after_it() {
        assertThat(EntryPoint.text(EntryPoint.LOAD_TEST.measurement("OrdersTest#places_orders")))
                .contains("the load test OrdersTest#places_orders");
        assertThat(EntryPoint.text(EntryPoint.CODE.measurement("Main"))).contains("the code Main");
        assertThat(EntryPoint.text(Map.of("simulation", "no map"))).contains("the simulation ");
        assertThat(EntryPoint.text(Map.of("target", "http://shop/"))).isEmpty();
        assertThat(EntryPoint.command(List.of("mvn", "test"), List.of("gradle", "test")))
                .as("this folder has a pom.xml")
                .startsWith("mvn", "test");
    }
}
