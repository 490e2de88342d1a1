package dev.downbeat.verdict;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.downbeat.stats.PercentText;
import java.math.BigDecimal;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class ServiceLevelObjectiveTest {
    @ParameterizedTest(name = "{0}")
    @CsvSource({
        "p99<50ms, p99<50ms, p99, < 50 ms",
        "p99.9<=1s, p99.9<=1s, p99.9, <= 1 s",
        "p(99)<50ms, p99<50ms, p99, < 50 ms",
        " p99 < 50 ms , p99<50ms, p99, < 50 ms",
        "p99.00<1h30m, p99<1h30m, p99, < 1h30m",
        "p100<2s, max<2s, max, < 2 s",
        "max<2s, max<2s, max, < 2 s",
        "mean<10ms, mean<10ms, mean, < 10 ms",
        "errors<0.1%, errors<0.1%, errors, < 0.1 %",
        "errors<0.00000000000001%, errors<0.00000000000001%, errors, < 0.00000000000001 %",
        "errors<=0%, errors<=0%, errors, <= 0 %",
        "rate>=99%, rate>=99%, rate, >= 99 %",
        "rate > 99.5 %, rate>99.5%, rate, > 99.5 %",
        "place order: p99<80ms, place order: p99<80ms, place order: p99, < 80 ms",
        "GET http://h/a :errors < 1%, GET http://h/a: errors<1%, GET http://h/a: errors, < 1 %",
    })
    void objectives_are_read(String text, String canonical, String subject, String limit) {
        ServiceLevelObjective slo = ServiceLevelObjective.parse(text);
        assertThat(slo.text()).isEqualTo(canonical);
        assertThat(slo.subject()).isEqualTo(subject);
        assertThat(slo.limit()).isEqualTo(limit);
        assertThat(ServiceLevelObjective.parse(slo.text())).isEqualTo(slo);
    }

    @ParameterizedTest(name = "{0}")
    @ValueSource(
            strings = {
                "",
                "p99",
                ": p99<50ms",
                "place order: 5ms",
                "p99=50ms",
                "p99<<50ms",
                "p99<",
                "p<50ms",
                "p(99<50ms",
                "p99)<50ms",
                "p9.9.9<1s",
                "p99<-1ms",
                "99<50ms",
                "median<5ms",
                "P99<50ms",
                "errors<abc%",
                "errors<%",
                "errors<-1%",
                "rate>=1/s",
                "p99<50ms;p50<1ms",
                "p99<5%"
            })
    void an_invalid_objective_is_refused_in_one_line(String text) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ServiceLevelObjective.parse(text))
                .withMessageContaining("\"" + text + "\"")
                .withMessageMatching("objective.*");
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource({
        "p99<50, 'objective \"p99<50\" needs a unit: write p99<50ms or p99<50s'",
        "mean<=1.5, 'objective \"mean<=1.5\" needs a unit: write mean<=1.5ms or mean<=1.5s'",
        "errors<1, 'objective \"errors<1\" needs a %: write errors<1%'",
        "p99>50ms, 'objective \"p99>50ms\" limits the wrong side: write p99<50ms'",
        "errors>=1%, 'objective \"errors>=1%\" limits the wrong side: write errors<=1%'",
        "rate<99%, 'objective \"rate<99%\" limits the wrong side: write rate>99%'",
        "p99>50, 'objective \"p99>50\" needs a unit: write p99<50ms or p99<50s'",
        "buy: mean>5, 'objective \"buy: mean>5\" needs a unit: write buy: mean<5ms or buy: mean<5s'",
        "place order: p99>80ms, 'objective \"place order: p99>80ms\" limits the wrong side: write place order: p99<80ms'",
        "errors>1, 'objective \"errors>1\" needs a %: write errors<1%'",
        "buy: errors<0, 'objective \"buy: errors<0\" needs a %: write buy: errors<=0%'",
        "errors>0%, 'objective \"errors>0%\" limits the wrong side: write errors<=0%'",
        "rate<100%, 'objective \"rate<100%\" limits the wrong side: write rate>=100%'",
        "p99<0, 'objective \"p99<0\": the limit must be above zero'",
        "p0<1s, 'objective \"p0<1s\": a percentile must be from 1 to 100, but was 0'",
        "p101<1s, 'objective \"p101<1s\": a percentile must be from 1 to 100, but was 101'",
        "p0.99<50ms, 'objective \"p0.99<50ms\": a percentile must be from 1 to 100: write p99<50ms'",
        "buy: p0.999<=1s, 'objective \"buy: p0.999<=1s\": a percentile must be from 1 to 100: write buy: p99.9<=1s'",
        "p(0.5)<1s, 'objective \"p0.5<1s\": a percentile must be from 1 to 100: write p50<1s'",
        "p0.001<1s, 'objective \"p0.001<1s\": a percentile must be from 1 to 100'",
        "p99<0ms, 'objective \"p99<0ms\": the limit must be above zero'",
        "errors<0%, 'objective \"errors<0%\" can never be met: write errors<=0%'",
        "rate > 100%, 'objective \"rate>100%\" can never be met: write rate>=100%'",
        "buy<1%: errors<0%, 'objective \"buy<1%: errors<0%\" can never be met: write buy<1%: errors<=0%'",
        "errors<101%, 'objective \"errors<101%\": a share must be from 0% to 100%, but was 101%'",
        "p99, 'objective must look like p99<50ms, p99.9<=1s, max<2s, mean<10ms, errors<0.1% or rate>=99%, but was \"p99\"'",
    })
    void a_refusal_says_what_to_write(String text, String message) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ServiceLevelObjective.parse(text))
                .withMessage(message);
        Stream.of(message.split(": write "))
                .skip(1)
                .flatMap(forms -> Stream.of(forms.split(" or ")))
                .forEach(form ->
                        assertThat(ServiceLevelObjective.parse(form).text()).isEqualTo(form));
    }

    @Test
    void a_number_longer_than_any_that_is_written_is_refused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ServiceLevelObjective.saved("errors<0." + "0".repeat(1_000_000) + "1%"))
                .withMessageStartingWith("objective must look like ");
    }

    @Test
    void a_saved_objective_that_is_refused_today_is_still_read() {
        assertThat(ServiceLevelObjective.saved("p0.99<50ms").text()).isEqualTo("p0.99<50ms");
    }

    @Test
    void by_default_errors_stay_below_one_per_cent() {
        assertThat(ServiceLevelObjective.defaults())
                .extracting(ServiceLevelObjective::text)
                .containsExactly("errors<1%");
    }

    @Test
    void values_out_of_range_are_refused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() ->
                        new ServiceLevelObjective.Percentile(Double.NaN, new ServiceLevelObjective.Ceiling(false), 1))
                .withMessage("percentile must be above 0 and up to 100, but was NaN");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new ServiceLevelObjective.Mean(new ServiceLevelObjective.Ceiling(false), 0))
                .withMessage("limitNanos must be at least 1, but was 0");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new ServiceLevelObjective.AchievedRate(false, BigDecimal.valueOf(-1)))
                .withMessage("limitPercent must be from 0 to 100, but was -1");
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource({
        "0, 0 %",
        "1, 100 %",
        "0.25, 25 %",
        "0.00125, 0.125 %",
        "0.99998, 99.998 %",
        "0.9999999, 99.99999 %",
        "0.5, 50 %"
    })
    void shares_are_never_rounded_to_all(double share, String text) {
        assertThat(PercentText.of(share)).isEqualTo(text);
    }
}
