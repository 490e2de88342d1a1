package dev.downbeat.audit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.downbeat.audit.AuditResult.AuditVerdict;
import dev.downbeat.audit.AuditResult.Row;
import dev.downbeat.testing.Simulated;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tools and services on paper: what callers who do not wait for each other really waited lies within the bounds. */
@Simulated
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class AuditTruthTest {
    private static final double SECOND = 1e9;
    private static final double LENGTH = 30 * SECOND;

    /**
     * A tool: users that wait for their responses and then think, or a plan of constant rate with a limit in flight.
     *
     * @param isPaced whether each user starts at fixed intervals of {@code think}, if it can
     */
    record Tool(String name, int users, double think, boolean isPaced, boolean isNamed) {}

    /** A service: exponential times, and a freeze. */
    record Service(double mean, double freezeAt, double freeze, Random random) {
        double answer(double at) {
            double begins = at >= freezeAt && at < freezeAt + freeze ? freezeAt + freeze : at;
            double end = begins + mean * (0.5 - 0.5 * Math.log(1 - random.nextDouble()));
            boolean isCaught = begins < freezeAt && end > freezeAt;
            return isCaught ? end + freeze : end;
        }
    }

    record Sent(double at, double end, int user) {}

    private static final List<Tool> TOOLS = List.of(
            new Tool("closed 8", 8, 0, false, true),
            new Tool("closed 8, users unknown", 8, 0, false, false),
            new Tool("thinking 50", 50, 0.2 * SECOND, false, true),
            new Tool("paced 20", 20, 0.1 * SECOND, true, true),
            new Tool("paced 20, users unknown", 20, 0.1 * SECOND, true, false),
            new Tool("closed 2", 2, 0, false, false));

    static Stream<Arguments> cases() {
        return TOOLS.stream().flatMap(tool -> IntStream.range(0, 5).mapToObj(seed -> Arguments.of(tool, seed)));
    }

    private static ResultCollector run(Tool tool, Service service, Random random) {
        List<Sent> sent = new ArrayList<>();
        for (int user = 0; user < tool.users(); user++) {
            double at = tool.think() * random.nextDouble();
            while (at < LENGTH) {
                double end = service.answer(at);
                sent.add(new Sent(at, end, user));
                at = tool.isPaced()
                        ? Math.max(at + tool.think(), end)
                        : end - tool.think() * Math.log(1 - random.nextDouble());
            }
        }
        sent.sort(Comparator.comparingDouble(Sent::end));
        ResultCollector collected = new ResultCollector();
        for (Sent each : sent) {
            collected.request(
                    Math.round(each.at()),
                    Math.round(each.end() - each.at()),
                    tool.isNamed() ? each.user() : -1,
                    false);
        }
        return collected;
    }

    /** Callers at a constant rate; with as many servers as they need, or so few that a queue is worked off slowly. */
    private static double[] truth(double perSecond, Service service, int servers) {
        int count = (int) (perSecond * LENGTH / SECOND);
        double[] waits = new double[count];
        PriorityQueue<Double> free = new PriorityQueue<>();
        for (int i = 0; i < servers; i++) {
            free.add(0.0);
        }
        for (int i = 0; i < count; i++) {
            double at = i * SECOND / perSecond;
            double begins = servers == 0 ? at : Math.max(at, free.remove());
            double end = service.answer(begins);
            waits[i] = end - at;
            if (servers > 0) {
                free.add(end);
            }
        }
        Arrays.sort(waits);
        return waits;
    }

    private static void lies(AuditResult audited, double[] truth) {
        for (Row row : audited.rows()) {
            if (row.isJudged()) {
                // the truth is a sample, too: what differs by chance in its own percentile is no error
                double spread = 3 * Math.sqrt(row.percentile() * (100 - row.percentile()) / truth.length);
                assertThat(row.atLeastNanos())
                        .as("%s at least, of %s", row, audited.stalls())
                        .isLessThanOrEqualTo((long) (at(truth, row.percentile() + spread) * 1.02));
                assertThat(row.atMostNanos().orElseThrow())
                        .as("%s at most, of %s", row, audited.stalls())
                        .isGreaterThanOrEqualTo((long) (at(truth, row.percentile() - spread) * 0.98));
            }
        }
    }

    private static double at(double[] sorted, double percentile) {
        return sorted[(int) Math.max(0, Math.min(sorted.length - 1, Math.ceil(sorted.length * percentile / 100) - 1))];
    }

    @ParameterizedTest(name = "{0}, seed {1}")
    @MethodSource("cases")
    void the_callers_wait_in_a_freeze_is_within_the_bounds(Tool tool, int seed) {
        Random random = new Random(seed);
        Service service = new Service(0.02 * SECOND, 12 * SECOND, 2.5 * SECOND, random);
        AuditResult audited = Audit.of("paper", run(tool, service, random), 0.1).get(0);
        assertThat(audited.verdict())
                .as("%s %s %s", audited.plan(), audited.rows(), audited.stalls())
                .isEqualTo(AuditVerdict.HIDES);
        Row p99 = audited.rows().get(3);
        assertThat(p99.atLeastNanos()).isBetween(1_900_000_000L, 2_500_000_000L);
        double perSecond = audited.plan().orElseThrow().perSecond();
        lies(audited, truth(perSecond, service, 0));
        lies(audited, truth(perSecond, service, 3 + (int) (2.5 * perSecond * 0.02)));
    }

    @ParameterizedTest(name = "{0}, seed {1}")
    @MethodSource("cases")
    void without_a_freeze_nothing_is_found(Tool tool, int seed) {
        Random random = new Random(seed);
        Service service = new Service(0.02 * SECOND, 2 * LENGTH, 0, random);
        AuditResult audited = Audit.of("paper", run(tool, service, random), 0.1).get(0);
        assertThat(audited.verdict())
                .as("%s %s %s", audited.plan(), audited.rows(), audited.stalls())
                .isEqualTo(AuditVerdict.SOUND);
        assertThat(audited.findings()).noneMatch(AuditFinding::isWeighty);
        assertThat(audited.stalls()).isEmpty();
    }

    /** Callers that come to any of the connections, and are treated no better than those who wait there. */
    @Test
    void a_stall_of_seven_connections_in_eight_lies_within_the_bounds() {
        ResultCollector collected = new ResultCollector();
        for (long user = 0; user < 8; user++) {
            for (long at = 2 * user; at < 10_000; ) {
                long millis = user > 0 && at < 4_000 && at + 20 >= 4_000 ? 2_020 : 20;
                collected.request(at * 1_000_000, millis * 1_000_000, (int) user, false);
                at += millis;
            }
        }
        AuditResult audited = Audit.of("paper", collected, 0.1).get(0);
        assertThat(audited.verdict()).isEqualTo(AuditVerdict.HIDES);
        Row p99 = audited.rows().get(3);
        assertThat(1_886_000_000L + 20_000_000L) // of 10 s, 100 ms of seven in eight wait longer
                .isBetween(p99.atLeastNanos(), p99.atMostNanos().orElseThrow());
    }

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(ints = {0, 1, 2})
    void one_user_alone_never_shows_whether_it_was_a_stall_or_a_slow_request(int seed) {
        Random random = new Random(seed);
        Service service = new Service(0.02 * SECOND, 12 * SECOND, 2.5 * SECOND, random);
        AuditResult audited = Audit.of("paper", run(new Tool("one", 1, 0, false, true), service, random), 0.1)
                .get(0);
        assertThat(audited.verdict()).isEqualTo(AuditVerdict.CANNOT_TELL);
        lies(audited, truth(audited.plan().orElseThrow().perSecond(), service, 0));
    }

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(ints = {0, 1, 2, 3, 4})
    void a_tool_that_goes_on_sending_hides_nothing(int seed) {
        Random random = new Random(seed);
        Service service = new Service(0.02 * SECOND, 12 * SECOND, 2.5 * SECOND, random);
        for (boolean isPoisson : new boolean[] {true, false}) {
            List<Sent> sent = new ArrayList<>();
            for (double at = 0;
                    at < LENGTH;
                    at += SECOND / 200 * (isPoisson ? -Math.log(1 - random.nextDouble()) : 1)) {
                sent.add(new Sent(at, service.answer(at), -1));
            }
            sent.sort(Comparator.comparingDouble(Sent::end));
            ResultCollector collected = new ResultCollector();
            sent.forEach(
                    each -> collected.request(Math.round(each.at()), Math.round(each.end() - each.at()), -1, false));
            AuditResult audited = Audit.of("open", collected, 0.1).get(0);
            assertThat(audited.verdict())
                    .as("%s %s %s", audited.plan(), audited.rows(), audited.stalls())
                    .isEqualTo(AuditVerdict.SOUND);
            assertThat(audited.plan().orElseThrow().kind())
                    .isEqualTo(isPoisson ? RecoveredPlan.Kind.POISSON : RecoveredPlan.Kind.CONSTANT);
        }
    }
}
