package dev.downbeat.simulate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;

import dev.downbeat.arrival.Rate;
import dev.downbeat.record.Distribution;
import dev.downbeat.run.ThinkTime;
import dev.downbeat.run.Workload;
import dev.downbeat.testing.Replications;
import dev.downbeat.testing.Simulated;
import dev.downbeat.time.ServiceLaw;
import java.util.Arrays;
import java.util.Locale;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Marc Brooker, "Open and closed, omission and collapse", 2023: one server as open users see it and as waiting clients do.
 * The numbers follow from theory (M/M/1, M/H2/1, and the laws themselves), the last row from ten simulations.
 */
@Simulated
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
@Execution(ExecutionMode.CONCURRENT)
class BrookerTest {
    private static final double[] PERCENTILES = {50, 90, 99, 99.9, 99.99};

    @ParameterizedTest(name = "{0}, {1}")
    @CsvSource(delimiter = '|', textBlock = """
            exp:100us                 | 8000/1s       | 1000000 | 0.50000 0.34657 1.15129 2.30259 3.45388 4.60517 | 3 3 3 3 5 12
            exp:100us                 | closed 1      | 1000000 | 0.10000 0.06931 0.23026 0.46052 0.69078 0.92103 | 1 1 1 1 1.5 4
            exp:100us                 | closed 10     | 1000000 | 0.24196 0.1851 0.5322 0.9449 1.3120 1.6535       | 1 1 1 1 2 4
            hyperexp:100us,10ms,0.1%  | 727934/100s   | 4000000 | 4.11318 0.4182 14.1615 45.7975 77.4335 109.070   | 8 8 8 8 8 8
            hyperexp:100us,10ms,0.1%  | closed 1      | 1000000 | 0.10990 0.0694 0.2311 0.4704 0.9325 23.026       | 1 1 1 1 3 12
            hyperexp:100us,10ms,0.1%  | closed 10     | 1000000 | 0.3163 0.1705 0.5155 1.194 22.53 44.8            | 3 1 1 3 5 12
            """)
    void theory_and_simulation_agree(String law, String load, int jobs, String millis, String tolerances) {
        ServiceLaw service = ServiceLaw.parse(law);
        int made = Replications.of(jobs);
        // a slow one in a thousand makes a crowd wait: what they see is not independent
        double widening = Replications.widening(jobs) * (made < jobs && law.startsWith("hyperexp") ? 2 : 1);
        Simulation.Simulated simulated = Cases.run(
                Cases.plan(workload(load, service)).maxRequests(made).build(), service, RetryPolicy.none(), 2);
        Distribution response = simulated.result().recording().response();
        assertThat(simulated.result().ledger().answered()).isEqualTo(made);
        double[] expected = numbers(millis);
        double[] within = numbers(tolerances);
        assertThat(response.meanNanos() / 1e6)
                .as("mean")
                .isCloseTo(expected[0], withinPercentage(within[0] * widening));
        for (int i = 0; i < PERCENTILES.length; i++) {
            assertThat(response.valueAtPercentile(PERCENTILES[i]) / 1e6)
                    .as(String.format(Locale.ROOT, "p%s", PERCENTILES[i]))
                    .isCloseTo(expected[i + 1], withinPercentage(within[i + 1] * widening));
        }
    }

    private static Workload workload(String load, ServiceLaw service) {
        return switch (load) {
            case "closed 1" -> new Workload.Closed(1, ThinkTime.none());
            case "closed 10" ->
                new Workload.Closed(
                        10, new ThinkTime.Exponential(service.equals(Cases.BIMODAL) ? 1_258_400 : 1_145_000, 3));
            case "8000/1s" -> Cases.poisson(Rate.perSecond(8_000), 1);
            default -> Cases.poisson(Cases.BIMODAL_RATE, 1);
        };
    }

    private static double[] numbers(String text) {
        return Arrays.stream(text.strip().split(" +", -1))
                .mapToDouble(Double::parseDouble)
                .toArray();
    }
}
