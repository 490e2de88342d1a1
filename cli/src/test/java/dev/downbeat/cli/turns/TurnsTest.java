package dev.downbeat.cli.turns;

import static org.assertj.core.api.Assertions.assertThat;

import dev.downbeat.cli.console.Console;
import dev.downbeat.cli.console.Console.OutputOptions;
import dev.downbeat.cli.console.Interruption;
import dev.downbeat.cli.file.SavedArguments.Origin;
import dev.downbeat.cli.job.Job;
import dev.downbeat.cli.job.MeasurementRun;
import dev.downbeat.cli.measurement.Measurement;
import dev.downbeat.cli.measurement.option.Values;
import dev.downbeat.cli.terminal.Terminal;
import dev.downbeat.compare.Incomparable;
import dev.downbeat.compare.Variants;
import dev.downbeat.exchange.Exchange;
import dev.downbeat.exchange.Target;
import dev.downbeat.http.HttpTarget;
import dev.downbeat.http.message.HttpRequest;
import dev.downbeat.http.options.HttpOptions;
import dev.downbeat.loopback.LoopbackServer;
import dev.downbeat.loopback.options.LoopbackOptions;
import dev.downbeat.report.data.ComparisonReport.VariantsReport;
import dev.downbeat.report.view.compare.VariantsView;
import dev.downbeat.run.RunPlan;
import dev.downbeat.run.ThinkTime;
import dev.downbeat.run.Workload;
import dev.downbeat.verdict.RequiredCertainty;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class TurnsTest {
    private static final String WARM_UP = "downbeat.selfWarmUp";

    private final List<String> order = new ArrayList<>();
    private final Interruption interruption = new Interruption();
    private final StringWriter err = new StringWriter();

    @BeforeAll
    static void without_a_warm_up() {
        System.setProperty(WARM_UP, "false");
    }

    @AfterAll
    static void with_a_warm_up() {
        System.clearProperty(WARM_UP);
    }

    @Test
    void every_second_turn_goes_backwards_and_each_has_every_place_equally_often() throws IOException {
        try (LoopbackServer server = LoopbackServer.start(LoopbackOptions.defaults())) {
            Turns turns = turns(server, -1, "a", "b");
            turns.run();
            assertThat(turns.cutShort()).isEmpty();
            assertThat(order).containsExactly("a", "b", "b", "a", "b", "a", "a", "b");
        }
    }

    /** Unique values are made of them. */
    @Test
    void each_turn_has_indexes_of_its_own_which_are_the_same_for_all_services() throws IOException {
        List<Set<Long>> indexes = indexes(Turns.Services.SEVERAL);
        assertThat(indexes.get(0)).hasSize(40).isEqualTo(indexes.get(1)).contains(0L, 9L);
    }

    @Test
    void one_service_gets_no_index_twice() throws IOException {
        List<Set<Long>> indexes = indexes(Turns.Services.ONE);
        assertThat(indexes.get(0)).hasSize(40).contains(0L, 9L).doesNotContainAnyElementsOf(indexes.get(1));
        assertThat(indexes.get(1)).hasSize(40);
    }

    /** Of four slices of each of two systems. */
    private List<Set<Long>> indexes(Turns.Services services) throws IOException {
        try (LoopbackServer server = LoopbackServer.start(LoopbackOptions.defaults())) {
            RunPlan plan = plan();
            List<Turns.SlicedJob> jobs = new ArrayList<>();
            List<Set<Long>> indexes = List.of(new TreeSet<>(), new TreeSet<>());
            for (Set<Long> seen : indexes) {
                Job job = job(new Indexed(job(server).target(), seen));
                jobs.add(new Turns.SlicedJob("a", job, turn -> plan));
            }
            new Turns(jobs, 4, services, console(), interruption).run();
            return indexes;
        }
    }

    private record Indexed(Target target, Set<Long> seen) implements Target.Wrapper {
        @Override
        public int nameOf(Exchange exchange) {
            seen.add(exchange.index);
            return target.nameOf(exchange);
        }
    }

    @Test
    void an_interruption_leaves_what_was_measured_before() throws IOException {
        try (LoopbackServer server = LoopbackServer.start(LoopbackOptions.defaults())) {
            Turns turns = turns(server, 2, "a", "b", "c");
            List<Variants.MeasuredVariant> measured = turns.run();
            assertThat(turns.cutShort())
                    .contains(new Incomparable(Incomparable.Kind.PARTIAL, "interrupted in turn 3 of 4"));
            assertThat(measured).extracting(Variants.MeasuredVariant::name).containsExactly("a", "b", "c");
            assertThat(order).as("nothing begins afterwards").containsExactly("a", "b", "c", "c", "b", "a", "b");
            assertThat(interruption.exitCode(0)).isEqualTo(130);
            Variants variants = Variants.of(measured, List.of(), RequiredCertainty.PLAIN, List.of());
            assertThat(variants.turns()).isEqualTo(2);
            assertThat(variants.variants()).allSatisfy(variant -> {
                assertThat(variant.total().ledger().addsUp()).isTrue();
                assertThat(variant.total().ledger().planned()).isEqualTo(20);
            });
            assertThat(variants.againstFirst())
                    .allSatisfy(comparison -> assertThat(comparison.doubts()).isNotEmpty());
        }
    }

    @Test
    void an_interruption_before_the_first_turn_leaves_nothing_to_report() throws IOException {
        try (LoopbackServer server = LoopbackServer.start(LoopbackOptions.defaults())) {
            interruption.received(15);
            assertThat(interruption.guard(
                            console(), () -> turns(server, -1, "a", "b").run().size()))
                    .isEqualTo(143);
            assertThat(interruption.guard(
                            console(), () -> new MeasurementRun(console(), interruption).run(job(server))))
                    .isEqualTo(143);
            assertThat(err.toString().lines()).hasSize(2).allMatch(line -> line.endsWith("there was a result"));
        }
    }

    @Test
    void a_later_failure_keeps_earlier_measurements() throws IOException {
        LoopbackServer server = LoopbackServer.start(LoopbackOptions.defaults());
        RunPlan plan = plan();
        Job job = job(server);
        List<Turns.SlicedJob> jobs =
                List.of(new Turns.SlicedJob("a", job, turn -> plan), new Turns.SlicedJob("b", job, turn -> {
                    order.add("b in turn " + turn);
                    if (turn == 1) {
                        server.close();
                    }
                    return plan;
                }));
        Turns turns = new Turns(jobs, 4, Turns.Services.SEVERAL, console(), interruption);
        List<Variants.MeasuredVariant> measured = turns.run();
        assertThat(measured.get(0).slices()).hasSize(1);
        assertThat(measured.get(1).slices()).hasSize(1);
        assertThat(order).as("nothing begins afterwards").containsExactly("b in turn 0", "b in turn 1");
        assertThat(interruption.exitCode(0)).isZero();
        assertThat(report(measured, turns, false).exitCode()).isEqualTo(98);
        assertThat(new VariantsView(report(measured, turns, false)).passes()).isFalse();
        assertThat(report(measured, turns, true).exitCode()).isZero();
        assertThat(err.toString()).contains("ended in turn 2 of 4: b: ");
    }

    @Test
    void a_failure_of_the_second_system_in_its_first_turn_leaves_no_whole_turn() throws IOException {
        LoopbackServer gone = LoopbackServer.start(LoopbackOptions.defaults());
        Job failing = job(gone);
        gone.close();
        try (LoopbackServer server = LoopbackServer.start(LoopbackOptions.defaults())) {
            RunPlan plan = plan();
            List<Turns.SlicedJob> jobs = List.of(
                    new Turns.SlicedJob("a", job(server), turn -> plan),
                    new Turns.SlicedJob("b", failing, turn -> plan));
            Turns turns = new Turns(jobs, 4, Turns.Services.SEVERAL, console(), interruption);
            VariantsReport report = report(turns.run(), turns, false);
            assertThat(report.variants().turns()).isZero();
            assertThat(report.variants().variants())
                    .extracting(Variants.Variant::name)
                    .containsExactly("a");
            assertThat(report.exitCode()).isEqualTo(98);
        }
    }

    private static Map<String, List<String>> with(String varied) {
        Measurement plain = Values.read(Measurement.class, Map.of());
        return Values.arguments(VariedValue.of(plain, VariedValue.parse(varied)));
    }

    @Test
    void a_switch_is_on_or_off_and_a_limit_may_be_none() {
        assertThat(with("keep-alive=off")).containsOnlyKeys("--no-keepalive");
        assertThat(with("keep-alive=on")).isEmpty();
        assertThat(with("tcp-keepalive=on")).containsOnlyKeys("--tcp-keepalive");
        assertThat(with("tcp-keepalive=off")).isEmpty();
        assertThat(with("max-requests=5")).isEqualTo(Map.of("--max-requests", List.of("5")));
        assertThat(with("max-requests=none")).isEmpty();
        assertThat(with("connections=8")).isEqualTo(Map.of("--connections", List.of("8")));
        assertThat(VariedValue.redacted("url=jdbc:postgresql://me:secret@db/shop"))
                .startsWith("url=jdbc:postgresql://")
                .doesNotContain("secret");
        assertThat(VariedValue.parse("url=jdbc:postgresql://me:secret@db/shop?ssl=true")
                        .get(0)
                        .brief())
                .isEqualTo("url=db/shop");
        assertThat(VariedValue.parse("connections=8").get(0).brief()).isEqualTo("connections=8");
    }

    private static VariantsReport report(List<Variants.MeasuredVariant> measured, Turns turns, boolean acceptUnsound) {
        Variants variants = Variants.of(measured, List.of(), RequiredCertainty.PLAIN, List.of());
        return new VariantsReport(
                variants, "", "", turns.cutShort(), false, acceptUnsound, List.of("downbeat"), "0.1.0");
    }

    private Turns turns(LoopbackServer server, int interruptedInTurn, String... names) {
        RunPlan plan = plan();
        List<Turns.SlicedJob> jobs = new ArrayList<>();
        for (String name : names) {
            jobs.add(new Turns.SlicedJob(name, job(server), turn -> {
                if (turn == interruptedInTurn && !interruption.isReceived()) {
                    interruption.received(2);
                }
                order.add(name);
                return plan;
            }));
        }
        return new Turns(jobs, 4, Turns.Services.SEVERAL, console(), interruption);
    }

    private static RunPlan plan() {
        return RunPlan.builder(new Workload.Closed(1, ThinkTime.none()))
                .maxRequests(10)
                .build();
    }

    private static Job job(LoopbackServer server) {
        return job(new HttpTarget(HttpRequest.get(server.uri()), HttpOptions.of(draft -> draft.connections = 1)));
    }

    private static Job job(Target target) {
        return new Job(
                target,
                plan(),
                List.of(),
                false,
                RequiredCertainty.PLAIN,
                new Origin(List.of("downbeat"), Map.of()),
                Optional.empty(),
                Map.of(),
                false);
    }

    private Console console() {
        OutputOptions output = new OutputOptions();
        output.quiet = true;
        PrintWriter writer = new PrintWriter(err, true);
        return new Console(writer, writer, Terminal.detect(), false, false, output, "run", Optional.empty());
    }
}
