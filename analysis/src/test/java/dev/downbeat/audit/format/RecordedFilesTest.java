package dev.downbeat.audit.format;

import static org.assertj.core.api.Assertions.assertThat;

import dev.downbeat.audit.Audit;
import dev.downbeat.audit.AuditResult;
import dev.downbeat.audit.AuditResult.AuditVerdict;
import dev.downbeat.audit.AuditResult.Row;
import dev.downbeat.audit.RecoveredPlan;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What tools wrote of a server that was frozen for a time that is known, and of one that was not, as
 * {@code jmh-benchmarks/audit/record.sh} keeps it: the truth lies within the bounds, and without a freeze nothing is hidden.
 */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class RecordedFilesTest {
    /** Summaries of tools that print no p99. */
    private static final Set<String> WITHOUT_P99 = Set.of("k6-summary-freeze.json.gz", "locust-history-freeze.csv.gz");

    /** A file, for how long the server was frozen in it, and what callers waited at p99, in seconds. */
    record Recorded(String file, double frozen, double truth) {}

    static List<Recorded> recorded() throws IOException {
        try (BufferedReader lines =
                new BufferedReader(new InputStreamReader(open("truth.csv"), StandardCharsets.UTF_8))) {
            return lines.lines()
                    .map(line -> line.split(",", -1))
                    .map(cells -> new Recorded(cells[0], Double.parseDouble(cells[1]), Double.parseDouble(cells[2])))
                    .toList();
        }
    }

    private static InputStream open(String name) {
        return Objects.requireNonNull(RecordedFilesTest.class.getResourceAsStream("recorded/" + name), name);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("recorded")
    void the_truth_lies_within_the_bounds(Recorded recorded) throws IOException {
        AuditResult audited;
        try (InputStream in = open(recorded.file())) {
            audited = Audit.of(recorded.file(), ResultFile.read(recorded.file(), in), 0.1)
                    .get(0);
        }
        Optional<Row> p99 = audited.rows().stream()
                .filter(row -> row.percentile() == 99 && row.isJudged())
                .findFirst();
        if (recorded.frozen() == 0) {
            assertThat(audited.verdict()).as("%s", audited.findings()).isNotEqualTo(AuditVerdict.HIDES);
            assertThat(audited.findings()).extracting("code").doesNotContain("omitted_requests", "vertical_rise");
        } else if (WITHOUT_P99.contains(recorded.file())) {
            assertThat(p99).isEmpty();
        } else {
            Row row = p99.orElseThrow();
            double most = row.atMostNanos().isPresent() ? row.atMostNanos().getAsLong() / 1e9 : Double.MAX_VALUE;
            assertThat(recorded.truth()).isBetween(row.atLeastNanos() / 1e9 * 0.97, most * 1.03);
            boolean isPrinted = Math.abs(row.printedNanos() / 1e9 - recorded.truth()) < 0.1 * recorded.truth();
            assertThat(isPrinted || audited.verdict() != AuditVerdict.SOUND)
                    .as("%s %s", row, audited.findings())
                    .isTrue();
        }
    }

    @ParameterizedTest(name = "{0}")
    @ValueSource(strings = {"hey-calm.csv.gz", "hey-freeze.csv.gz", "h2load-freeze.log.gz"})
    void eight_clients_that_wait_for_their_response_are_no_independent_callers(String file) throws IOException {
        try (InputStream in = open(file)) {
            RecoveredPlan plan =
                    Audit.of(file, ResultFile.read(file, in), 0.1).get(0).plan().orElseThrow();
            assertThat(plan.kind()).as(plan.text()).isEqualTo(RecoveredPlan.Kind.CLOSED);
            assertThat(plan.users()).contains(8L);
        }
    }
}
