package dev.downbeat.gatling.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import dev.downbeat.exchange.Outcome;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import scala.Option;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class FailureReasonsTest {
    @ParameterizedTest(name = "{0}, {1}")
    @CsvSource(
            delimiter = '|',
            value = {
                "503 | status.find.is(200), but found 503 | HTTP 503",
                "400 | | HTTP 400",
                "404 | jsonPath($.error).find.is(x), but actually found y | jsonPath($.error).find.is(x), but actually found y",
                "399 | found nothing | found nothing",
                "1000 | found nothing | found nothing",
                "| refused: a.example/127.0.0.1:8080 | refused: a.example/127.0.0.1",
                "| of Channel@1f2e3d | of Channel",
                "| | failed"
            })
    void a_reason_is_a_status_or_a_message_without_what_differs_each_time(String code, String message, String reason) {
        assertThat(FailureReasons.of(Option.apply(code), Option.apply(message))).isEqualTo(reason);
    }

    @Test
    void a_reason_has_at_most_a_hundred_characters() {
        Option<String> none = Option.empty();
        assertThat(FailureReasons.of(none, Option.apply("x".repeat(100)))).isEqualTo("x".repeat(100));
        assertThat(FailureReasons.of(none, Option.apply("x".repeat(101)))).isEqualTo("x".repeat(100));
    }

    @Test
    void after_99_reasons_the_others_are_one() {
        FailureReasons reasons = FailureReasons.ofSent();
        Outcome first = reasons.outcome("reason 0");
        IntStream.range(1, 99)
                .forEach(
                        i -> assertThat(reasons.outcome("reason " + i).reason()).isEqualTo("reason " + i));
        assertThat(reasons.outcome("reason 99").reason()).isEqualTo("other reasons");
        assertThat(reasons.outcome("reason 100")).isSameAs(reasons.outcome("reason 99"));
        assertThat(reasons.outcome("reason 0")).isSameAs(first);
    }

    @Test
    void a_limit_of_this_process_is_not_the_services_failure() {
        FailureReasons sent = FailureReasons.ofSent();
        assertThat(sent.outcome("IOException: Too many open files"))
                .isEqualTo(Outcome.ownLimit("IOException: Too many open files"));
        assertThat(sent.outcome("rejected, error=24")).isEqualTo(Outcome.failed("rejected, error=24"));
        assertThat(sent.outcome("connection reset")).isEqualTo(Outcome.failed("connection reset"));
        assertThat(FailureReasons.ofResponses().outcome("HTTP 503")).isEqualTo(Outcome.failedResponse("HTTP 503"));
        assertThat(FailureReasons.ofUnbuilt().outcome("no name")).isEqualTo(Outcome.unbuilt("no name"));
    }
}
