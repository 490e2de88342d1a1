package dev.downbeat.report.view.schema;

import static org.assertj.core.api.Assertions.assertThat;

import dev.downbeat.audit.Audit;
import dev.downbeat.audit.AuditResult;
import dev.downbeat.audit.ResultCollector;
import dev.downbeat.audit.Summary;
import dev.downbeat.exchange.IdleResult;
import dev.downbeat.exchange.IdleResult.Ending;
import dev.downbeat.report.ComparisonGoldenTest;
import dev.downbeat.report.HistorySample;
import dev.downbeat.report.Samples;
import dev.downbeat.report.SchemaCheck;
import dev.downbeat.report.data.SessionReport;
import dev.downbeat.report.render.Renderer;
import dev.downbeat.report.render.View;
import dev.downbeat.report.view.AuditView;
import dev.downbeat.report.view.AuditView.AuditReport;
import dev.downbeat.report.view.ProofView;
import dev.downbeat.report.view.ProofView.ProofReport;
import dev.downbeat.report.view.RunView;
import dev.downbeat.report.view.SessionView;
import dev.downbeat.report.view.compare.ComparisonView;
import dev.downbeat.report.view.compare.HistoryView;
import dev.downbeat.report.view.compare.VariantsView;
import dev.downbeat.report.view.position.IdleView;
import dev.downbeat.report.view.position.IdleView.IdleReport;
import dev.downbeat.testing.ParsedJson;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code -Ddownbeat.schemas=true} writes the files anew: a name that goes needs another number of the schema. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
public class SchemasTest {
    private static final Path FOLDER = Path.of("../docs/schema");

    static List<String> kinds() {
        return List.copyOf(JsonSchemas.all().keySet());
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("kinds")
    void the_shipped_schema_is_that_of_the_records(String kind) throws IOException {
        String schema = Objects.requireNonNull(JsonSchemas.all().get(kind));
        Path file = FOLDER.resolve(kind + ".json");
        if (Boolean.getBoolean("downbeat.schemas")) {
            Files.writeString(file, schema);
        }
        assertThat(Files.readString(file)).isEqualTo(schema);
    }

    /** From Javadoc. A program's author reads the schema, not the sources. */
    @ParameterizedTest(name = "{0}")
    @MethodSource("kinds")
    void every_object_has_a_description(String kind) {
        ParsedJson schema =
                ParsedJson.parse(Objects.requireNonNull(JsonSchemas.all().get(kind)));
        assertThat(schema.has("description")).isTrue();
        if (schema.has("$defs")) {
            for (String name : schema.at("$defs").members().keySet()) {
                assertThat(schema.at("$defs").at(name).has("description"))
                        .as(name)
                        .isTrue();
            }
        }
    }

    @ParameterizedTest(name = "{0}")
    @ValueSource(strings = {"stall", "interrupted", "censored", "refused"})
    void a_run_matches_its_schema(String sample) throws IOException {
        SchemaCheck.hold("run", new RunView(Samples.of(sample)));
    }

    @Test
    void results_read_from_runs_match_their_schema() throws IOException {
        SchemaCheck.hold("comparison", new ComparisonView(ComparisonGoldenTest.someComparison()));
        SchemaCheck.hold("variants", new VariantsView(ComparisonGoldenTest.someVariants()));
        SchemaCheck.hold(
                "session",
                new SessionView(SessionReport.of(Samples.stall().result().intervals(), 5, 1_000_000, 0)));
        SchemaCheck.hold(
                "session",
                new SessionView(SessionReport.of(Samples.stall().result().intervals(), 5, 1_000_000_000_000L, 0)));
        SchemaCheck.hold("idle", new IdleView(idle(Ending.KEPT, Ending.CLOSED)));
        SchemaCheck.hold("idle", new IdleView(idle(Ending.NOT_KEPT)));
        SchemaCheck.hold("audit", audit());
        SchemaCheck.hold("proof", new ProofView(proof(List.of())));
        SchemaCheck.hold(
                "proof", new ProofView(proof(List.of(new ProofReport.Failure("count", "count was 1 instead of 2")))));
    }

    private static IdleReport idle(Ending... endings) {
        List<IdleResult.Probe> probes = Stream.of(endings)
                .map(ending -> new IdleResult.Probe(
                        1_000_000_000L,
                        false,
                        ending,
                        ending == Ending.KEPT ? "" : "closed",
                        7,
                        4_000_000,
                        3_000_000,
                        1_000_000))
                .toList();
        IdleResult result = new IdleResult("http://localhost/", Instant.EPOCH, 2_000_000_000L, probes, true);
        return IdleReport.of(result, List.of("downbeat", "idle"), "0.1.0");
    }

    /** Eight callers that wait for their responses, a freeze of two seconds, and a distribution without requests. */
    public static AuditView audit() {
        ResultCollector frozen = new ResultCollector();
        frozen.tool("JMeter JTL (CSV)");
        for (long user = 0; user < 8; user++) {
            for (long at = 2 * user; at < 10_000; ) {
                long millis = at < 4_000 && at + 20 >= 4_000 ? 2_020 : 20;
                frozen.request(at * 1_000_000, millis * 1_000_000, (int) user, false);
                at += millis;
            }
        }
        ResultCollector distribution = new ResultCollector();
        distribution.tool("wrk");
        distribution.summary(
                new Summary.Draft().count(4_000).percentile(99, 2e6).max(2e9).done());
        List<AuditResult> results = new ArrayList<>(Audit.of("frozen.jtl", frozen, 0.1));
        results.addAll(Audit.of("wrk.txt", distribution, 0.1));
        return new AuditView(new AuditReport(results, List.of("downbeat", "audit", "frozen.jtl", "wrk.txt"), "0.1.0"));
    }

    public static ProofReport proof(List<ProofReport.Failure> failures) {
        return new ProofReport(
                List.of("constant 1,000/s for 10 s"),
                List.of(
                        new ProofReport.Row("count", false, 10_000, 10_000, 7_000, failures.isEmpty()),
                        new ProofReport.Row("p99", true, 2_900_000_000L, 2_880_000_000L, 1_000_000, true)),
                failures,
                "within 3 % and 5 ms",
                List.of(new ProofReport.Fact("timer", "wakes 60 us late (median)")),
                List.of("downbeat", "prove"),
                "0.1.0");
    }

    @Test
    void every_kind_has_every_format() throws IOException {
        for (View view : List.of(
                new RunView(Samples.stall()),
                new ComparisonView(ComparisonGoldenTest.someComparison()),
                new VariantsView(ComparisonGoldenTest.someVariants()),
                new HistoryView(HistorySample.report(30)),
                new SessionView(SessionReport.of(Samples.stall().result().intervals(), 5, 1_000_000, 0)),
                audit(),
                new ProofView(proof(List.of())))) {
            String headline = view.page().head().headline();
            for (Renderer renderer : Renderer.values()) {
                StringBuilder text = new StringBuilder();
                renderer.write(view, text);
                String plain = text.toString()
                        .replaceAll("\u001b\\[[0-9;]*m", "")
                        .replace("\\<", "<")
                        .replace("&lt;", "<")
                        .replace("&quot;", "\"")
                        .replaceAll("[\\s\\u00a0]+", " ");
                assertThat(plain).as(renderer + " of " + headline).contains(headline);
                assertThat(text.toString().getBytes(StandardCharsets.UTF_8).length)
                        .isLessThan(150_000);
            }
        }
    }
}
