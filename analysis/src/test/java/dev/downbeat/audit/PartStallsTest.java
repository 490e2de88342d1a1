package dev.downbeat.audit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.downbeat.audit.AuditResult.AuditVerdict;
import dev.downbeat.audit.AuditResult.Row;
import dev.downbeat.testing.Replications;
import dev.downbeat.testing.Simulated;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** One of several backends stalls: some users wait, and the others are answered. */
@Simulated
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class PartStallsTest {
    private static final long MS = 1_000_000;
    private static final int FILES = Replications.of(40, 3);

    /** How long a user pauses. */
    enum Pause {
        RANDOM,
        REGULAR,
        UNIFORM;

        double next(double mean, Random random) {
            return switch (this) {
                case RANDOM -> -mean * Math.log(1 - random.nextDouble());
                case REGULAR -> mean;
                case UNIFORM -> 2 * mean * random.nextDouble();
            };
        }
    }

    /** Requests as the tool writes them: by their ends, in whole milliseconds. */
    private static ResultCollector file(
            int users, int stalled, long lengthMillis, long thinkMillis, boolean named, long seed) {
        return file(users, stalled, lengthMillis, thinkMillis, Pause.RANDOM, named, seed);
    }

    private static ResultCollector file(
            int users, int stalled, long lengthMillis, long thinkMillis, Pause pause, boolean named, long seed) {
        Random random = new Random(seed);
        long stallAt = lengthMillis / 2 + random.nextInt(200);
        List<long[]> sent = new ArrayList<>();
        for (int user = 0; user < users; user++) {
            double at = random.nextDouble() * (10 + thinkMillis);
            while (at < lengthMillis) {
                double end = at + 10 - 5 * Math.log(1 - random.nextDouble());
                if (user < stalled && at < stallAt + 1_200 && end > stallAt) {
                    end = stallAt + 1_200 + 15 * random.nextDouble();
                }
                sent.add(new long[] {(long) at, (long) end, user});
                at = end + (thinkMillis == 0 ? 0.1 : pause.next(thinkMillis, random));
            }
        }
        sent.sort(Comparator.comparingLong(one -> one[1]));
        ResultCollector collected = new ResultCollector();
        collected.resolutionNanos(MS);
        for (long[] one : sent) {
            collected.request(one[0] * MS, (one[1] - one[0]) * MS, named ? (int) one[2] : -1, false);
        }
        return collected;
    }

    @ParameterizedTest(name = "{1} of {0} users, {2} ms, think {3} ms, named {4}")
    @CsvSource({
        "8, 4, 6000, 0, true", "8, 4, 6000, 0, false", "8, 2, 6000, 0, true", "8, 2, 6000, 0, false",
        "20, 10, 10000, 100, true", "20, 10, 10000, 100, false", "20, 5, 10000, 100, true", "20, 5, 10000, 100, false",
        "40, 10, 30000, 20, true", "40, 20, 30000, 20, false", "100, 25, 20000, 1000, true",
                "100, 25, 20000, 1000, false"
    })
    void a_stall_of_a_quarter_of_the_users_and_more_is_found(
            int users, int stalled, long lengthMillis, long thinkMillis, boolean named) {
        Map<AuditVerdict, Integer> verdicts = new EnumMap<>(AuditVerdict.class);
        int lies = 0;
        for (int seed = 0; seed < FILES; seed++) {
            AuditResult audited = Audit.of("half", file(users, stalled, lengthMillis, thinkMillis, named, seed), 0.1)
                    .get(0);
            verdicts.merge(audited.verdict(), 1, Integer::sum);
            double share = (double) stalled / users * 1.2 / (lengthMillis / 1e3);
            // callers to any backend: a share * (1 - w / 1.2 s) of them waits longer than w
            long truth = share < 0.02 ? 0 : Math.round(1.2e9 * (1 - 0.01 / share));
            Row p99 = audited.rows().get(3);
            if (truth > 0
                    && (p99.atLeastNanos() > truth * 1.05 + 30 * MS
                            || p99.atMostNanos().orElseThrow() < truth * 0.95)) {
                lies++;
            }
        }
        assertThat(verdicts.getOrDefault(AuditVerdict.SOUND, 0)).isLessThanOrEqualTo(Math.max(1, FILES / 10));
        assertThat(lies).isZero();
    }

    /** Whoever else comes to what serves this user waits, too; or it was one slow request. */
    @ParameterizedTest(name = "think {0} ms, named {1}")
    @CsvSource({
        "0, true",
        "0, false",
        "3, false",
        "10, false",
        "20, true",
        "20, false",
        "50, true",
        "50, false",
        "80, false",
        "100, false"
    })
    void one_user_of_eight_who_is_stuck_is_neither_convicted_nor_acquitted(long thinkMillis, boolean named) {
        Map<AuditVerdict, Integer> verdicts = new EnumMap<>(AuditVerdict.class);
        for (int seed = 0; seed < FILES; seed++) {
            AuditResult audited = Audit.of("one", file(8, 1, 20_000, thinkMillis, named, seed), 0.1)
                    .get(0);
            verdicts.merge(audited.verdict(), 1, Integer::sum);
            long truth = Math.round(1.2e9 * (1 - 0.001 / 0.0075));
            if (named && thinkMillis == 0) {
                assertThat(audited.rows().get(4).atMostNanos().orElseThrow()).isGreaterThan(Math.round(truth * 0.9));
            }
        }
        assertThat(verdicts.getOrDefault(AuditVerdict.SOUND, 0))
                .as("%s", verdicts)
                .isLessThanOrEqualTo(FILES / 20);
        assertThat(verdicts.getOrDefault(AuditVerdict.HIDES, 0)).isZero();
    }

    /** Requests of some users, or of all, that end only when a time is over. */
    private record Stuck(int users, long fromMillis, long untilMillis) {}

    /** A closed loop without pauses. */
    private static ResultCollector loop(int users, long lengthMillis, boolean named, long seed, List<Stuck> times) {
        Random random = new Random(seed);
        List<long[]> sent = new ArrayList<>();
        for (int user = 0; user < users; user++) {
            for (double at = user; at < lengthMillis; ) {
                double end = at + 10 + 10 * random.nextDouble();
                for (Stuck one : times) {
                    if (user < one.users && at < one.untilMillis && end > one.fromMillis) {
                        end = Math.max(end, one.untilMillis + 15 * random.nextDouble());
                    }
                }
                sent.add(new long[] {(long) at, (long) end, user});
                at = end + 0.1;
            }
        }
        sent.sort(Comparator.comparingLong(one -> one[1]));
        ResultCollector collected = new ResultCollector();
        collected.resolutionNanos(MS);
        sent.forEach(one -> collected.request(one[0] * MS, (one[1] - one[0]) * MS, named ? (int) one[2] : -1, false));
        return collected;
    }

    static Stream<Arguments> stallsOfAll() {
        return Stream.of(
                Arguments.of(20, 20_000, List.of(new Stuck(20, 10_000, 11_000), new Stuck(1, 8_800, 11_000))),
                Arguments.of(8, 20_000, List.of(new Stuck(8, 10_000, 11_200), new Stuck(2, 10_000, 12_800))),
                Arguments.of(
                        10,
                        60_000,
                        List.of(
                                new Stuck(10, 12_000, 13_500),
                                new Stuck(2, 15_000, 20_100),
                                new Stuck(1, 10_000, 20_000))),
                Arguments.of(20, 60_000, List.of(new Stuck(20, 11_000, 11_100), new Stuck(5, 10_000, 12_000))),
                Arguments.of(20, 60_000, List.of(new Stuck(20, 11_000, 11_060), new Stuck(10, 10_000, 14_000))),
                Arguments.of(20, 30_000, List.of(new Stuck(20, 12_500, 17_500), new Stuck(5, 10_000, 12_000))));
    }

    /** Whatever else waits, a stall of the whole service is certain and has its own length. */
    @ParameterizedTest(name = "{0} users, {1} ms, {2}")
    @MethodSource("stallsOfAll")
    void longer_requests_of_a_few_displace_no_stall_of_all(int users, long lengthMillis, List<Stuck> times) {
        long length = (times.get(0).untilMillis - times.get(0).fromMillis) * MS;
        for (int seed = 0; seed < FILES; seed++) {
            AuditResult audited = Audit.of("all", loop(users, lengthMillis, seed % 2 == 0, seed, times), 0.1)
                    .get(0);
            assertThat(audited.verdict()).as("%s", audited.stalls()).isEqualTo(AuditVerdict.HIDES);
            assertThat(audited.stalls())
                    .anyMatch(stall -> stall.part().isEmpty()
                            && stall.isCertain()
                            && Math.abs(stall.lengthNanos() - length) < 50 * MS);
        }
    }

    /** Users who send the five requests of a page, at once or some time apart, and pause when all are answered. */
    private static ResultCollector pages(int stalled, long apartMillis, Pause pause, long pauseMillis, long seed) {
        Random random = new Random(seed);
        long stallAt = 10_000 + random.nextInt(200);
        List<long[]> sent = new ArrayList<>();
        for (int user = 0; user < 8; user++) {
            double at = random.nextDouble() * 110;
            while (at < 20_000) {
                double last = at;
                for (int request = 0; request < 5; request++) {
                    double start = at + request * apartMillis;
                    double end = start + 10 - 5 * Math.log(1 - random.nextDouble());
                    if (user < stalled && start < stallAt + 1_200 && end > stallAt) {
                        end = stallAt + 1_200 + 15 * random.nextDouble();
                    }
                    sent.add(new long[] {(long) start, (long) end});
                    last = Math.max(last, end);
                }
                at = last + 0.1 + pause.next(pauseMillis, random);
            }
        }
        sent.sort(Comparator.comparingLong(one -> one[1]));
        ResultCollector collected = new ResultCollector();
        collected.resolutionNanos(MS);
        sent.forEach(one -> collected.request(one[0] * MS, (one[1] - one[0]) * MS, -1, false));
        return collected;
    }

    /** Starts of a page follow each other: that they go on beside a slow request does not show that nobody waits. */
    @ParameterizedTest(name = "{0} ms apart, {1} pauses of {2} ms")
    @CsvSource({
        "4, REGULAR, 20",
        "4, RANDOM, 20",
        "4, UNIFORM, 20",
        "0, REGULAR, 50",
        "0, UNIFORM, 50",
        "20, RANDOM, 50"
    })
    void one_user_of_eight_whose_page_is_stuck_is_not_acquitted(long apartMillis, Pause pause, long pauseMillis) {
        int sound = 0;
        for (int seed = 0; seed < FILES; seed++) {
            sound += verdict(pages(1, apartMillis, pause, pauseMillis, seed)) == AuditVerdict.SOUND ? 1 : 0;
            assertThat(verdict(pages(0, apartMillis, pause, pauseMillis, seed))).isEqualTo(AuditVerdict.SOUND);
        }
        assertThat(sound).isZero();
    }

    /** Others answer nothing for 45 ms of the 1.2 s: that silence does not explain the wait. */
    @Test
    void a_short_silence_beside_a_stuck_page_does_not_acquit_it() {
        assertThat(verdict(pages(1, 0, Pause.UNIFORM, 50, 1_025))).isEqualTo(AuditVerdict.CANNOT_TELL);
    }

    private static AuditVerdict verdict(ResultCollector collected) {
        return Audit.of("pages", collected, 0.1).get(0).verdict();
    }

    /** The tool's clock was set forwards, or its computer slept. */
    @Test
    void a_hole_without_requests_is_named_as_the_reason_why_nothing_is_decided() {
        Random random = new Random(1);
        ResultCollector collected = new ResultCollector();
        collected.resolutionNanos(MS);
        for (int i = 0; i < 4_000; i++) {
            long start = 10L * i + (i < 2_000 ? 0 : 3_600_000);
            collected.request(start * MS, (5 + random.nextInt(11)) * MS, -1, false);
        }
        AuditResult audited = Audit.of("hole", collected, 0.1).get(0);
        assertThat(audited.verdict()).isEqualTo(AuditVerdict.CANNOT_TELL);
        assertThat(audited.findings().get(0).code()).isEqualTo("fewer_starts");
        assertThat(audited.findings().get(0).place()).matches("from 2\\d\\.\\d\\d s to 3,6[12]\\d\\.\\d\\d s");
    }

    /** Where few requests start, single windows without one are ordinary. */
    @ParameterizedTest(name = "{0} of the starts")
    @ValueSource(doubles = {0, 0.3})
    void fewer_starts_are_named_where_they_are(double share) {
        int found = 0;
        for (int seed = 0; seed < FILES; seed++) {
            Random random = new Random(seed);
            ResultCollector collected = new ResultCollector();
            for (double at = 0; at < 100_000; at -= 100 * Math.log(1 - random.nextDouble())) {
                if (at < 50_000 || at > 65_000 || random.nextDouble() < share) {
                    collected.request((long) at * MS, (10 + random.nextInt(10)) * MS, -1, false);
                }
            }
            Optional<CallerBounds.FewStarts> named =
                    CallerBounds.of(collected, List.of(), List.of()).fewStarts();
            if (named.isPresent()) {
                found++;
                assertThat(Math.min(named.get().untilNanos(), 65_000 * MS)
                                - Math.max(named.get().fromNanos(), 50_000 * MS))
                        .as("%s", named)
                        .isGreaterThan(Math.max(
                                (share == 0 ? 14_000 : 5_000) * MS,
                                (named.get().untilNanos() - named.get().fromNanos()) / 2));
            }
        }
        assertThat(found).isGreaterThanOrEqualTo(FILES * 3 / 4);
    }

    /** A stall has a line of its own. */
    @Test
    void a_hole_ends_where_a_stall_begins() {
        ResultCollector collected = new ResultCollector();
        for (int i = 0; i < 10_000; i++) {
            if (i < 5_000 || i >= 6_500) {
                collected.request(10L * i * MS, 10 * MS, -1, false);
            }
        }
        Stalls.FoundStall stall =
                new Stalls.FoundStall(60_000 * MS, 65_000 * MS, 2, 0, 90, 110, true, Optional.empty());
        CallerBounds.FewStarts named = CallerBounds.of(collected, List.of(stall), List.of())
                .fewStarts()
                .orElseThrow();
        assertThat(named.fromNanos()).isBetween(49_500 * MS, 50_500 * MS);
        assertThat(named.untilNanos()).isBetween(59_500 * MS, 60_000 * MS);
    }

    /** Of thousands of slow requests, two end together anywhere, even where few are slow. */
    @Test
    void two_slow_requests_are_no_stall_where_many_are_slow() {
        Random random = new Random(1);
        List<long[]> sent = new ArrayList<>();
        for (int i = 0; i < 50_000; i++) {
            sent.add(new long[] {2L * i, 10});
        }
        for (int i = 0; i < 19_000; i++) {
            sent.add(new long[] {random.nextInt(50_000), 4_000 + random.nextInt(2_000)});
        }
        sent.add(new long[] {80_000, 5_000});
        sent.add(new long[] {80_010, 5_000});
        sent.sort(Comparator.comparingLong(one -> one[0] + one[1]));
        ResultCollector collected = new ResultCollector();
        sent.forEach(one -> collected.request(one[0] * MS, one[1] * MS, -1, false));
        assertThat(Audit.of("many", collected, 0.1).get(0).stalls())
                .noneMatch(stall -> stall.fromNanos() > 70_000 * MS);
    }

    /** A stall of all, from 4 s to 6 s, within one of a part: neither its time nor its starts are subtracted twice. */
    @Test
    void overlapping_stalls_are_outside_of_the_rate_once() {
        ResultCollector collected = new ResultCollector();
        for (int i = 0; i < 1_000; i++) {
            if (i < 400 || i >= 600) {
                collected.request(10L * i * MS, 10 * MS, -1, false);
            }
        }
        Stalls.FoundStall.AffectedUsers half = new Stalls.FoundStall.AffectedUsers(0, 0, List.of(4_000 * MS), 0, false);
        RecoveredPlan plan = RecoveredPlan.of(
                collected,
                List.of(
                        new Stalls.FoundStall(3_000 * MS, 7_000 * MS, 2, 200, 90, 110, true, Optional.of(half)),
                        new Stalls.FoundStall(4_000 * MS, 6_000 * MS, 2, 0, 90, 110, true, Optional.empty())));
        assertThat(plan.perSecond()).isBetween(99.0, 101.0);
    }

    /** Together they look like a constant rate, but for the starts of one of them. */
    @ParameterizedTest(name = "{0} pauses of {1} ms")
    @CsvSource({"REGULAR, 50", "REGULAR, 80", "REGULAR, 100", "UNIFORM, 50", "UNIFORM, 80", "UNIFORM, 100"})
    void one_user_of_eight_who_is_stuck_between_even_pauses_is_not_acquitted(Pause pause, long pauseMillis) {
        int sound = 0;
        for (int seed = 0; seed < FILES; seed++) {
            AuditResult audited = Audit.of("one", file(8, 1, 20_000, pauseMillis, pause, false, seed), 0.1)
                    .get(0);
            sound += audited.verdict() == AuditVerdict.SOUND ? 1 : 0;
            assertThat(audited.findings().get(0).text())
                    .startsWith("one request took ")
                    .contains("If its user waited for it, up to ");
        }
        assertThat(sound).isLessThanOrEqualTo(Math.max(1, FILES / 20));
    }

    /** Nobody waits for the slow request: starts are independent of what is in flight, as far as so many show it. */
    @ParameterizedTest(name = "{0} a second, mean {1} ms")
    @CsvSource({"120, 15", "300, 15", "60, 40", "500, 100"})
    void one_slow_request_of_poisson_arrivals_is_sound(int perSecond, int meanMillis) {
        int sound = 0;
        for (int seed = 0; seed < FILES; seed++) {
            Random random = new Random(seed);
            ResultCollector collected = new ResultCollector();
            collected.resolutionNanos(MS);
            List<long[]> sent = new ArrayList<>();
            for (double at = 0; at < 20_000; at -= 1_000.0 / perSecond * Math.log(1 - random.nextDouble())) {
                double took = meanMillis * (0.6 - 0.4 * Math.log(1 - random.nextDouble()));
                sent.add(new long[] {(long) at, (long) (at + (sent.size() == 10 * perSecond ? 1_200 : took))});
            }
            sent.sort(Comparator.comparingLong(one -> one[1]));
            sent.forEach(one -> collected.request(one[0] * MS, (one[1] - one[0]) * MS, -1, false));
            sound += Audit.of("poisson", collected, 0.1).get(0).verdict() == AuditVerdict.SOUND ? 1 : 0;
        }
        assertThat(sound).isGreaterThanOrEqualTo(FILES * 3 / 4);
    }

    /** A schedule goes on while one request is slow, and nobody else waits; its level in flight is no closed loop. */
    @ParameterizedTest(name = "every {0} ms")
    @ValueSource(ints = {1, 3})
    void one_slow_request_of_a_constant_rate_is_sound(int gapMillis) {
        for (int seed = 0; seed < FILES; seed++) {
            Random random = new Random(seed);
            ResultCollector collected = new ResultCollector();
            int slow = 1_000 + random.nextInt(4_000);
            for (int i = 0; i < 6_000; i++) {
                long millis = Math.round(10 - 5 * Math.log(1 - random.nextDouble()));
                collected.request(
                        (long) i * gapMillis * MS + random.nextInt(2) * MS,
                        (i == slow ? 1_200 : millis) * MS,
                        -1,
                        false);
            }
            assertThat(Audit.of("constant", collected, 0.1).get(0).verdict()).isEqualTo(AuditVerdict.SOUND);
        }
    }

    @ParameterizedTest(name = "{0} users, {1} ms, think {2} ms, named {3}")
    @CsvSource({
        "8, 6000, 0, true",
        "8, 6000, 0, false",
        "20, 10000, 100, true",
        "20, 10000, 100, false",
        "40, 30000, 20, true",
        "40, 30000, 20, false"
    })
    void users_none_of_whom_is_stuck_are_sound(int users, long lengthMillis, long thinkMillis, boolean named) {
        for (int seed = 0; seed < FILES; seed++) {
            AuditResult audited = Audit.of("calm", file(users, 0, lengthMillis, thinkMillis, named, seed), 0.1)
                    .get(0);
            assertThat(audited.stalls()).as("seed %d", seed).isEmpty();
            assertThat(audited.verdict()).as("seed %d", seed).isEqualTo(AuditVerdict.SOUND);
        }
    }

    /** One request in a hundred takes 0.5 to 1.5 s, whoever sends it. */
    @Test
    void requests_that_are_slow_each_for_itself_are_no_stall() {
        int found = 0;
        int possible = 0;
        for (int seed = 0; seed < 5 * FILES; seed++) {
            Random random = new Random(seed);
            List<long[]> sent = new ArrayList<>();
            for (int user = 0; user < 20; user++) {
                for (double at = user; at < 20_000; ) {
                    double took = random.nextInt(100) == 0
                            ? 500 + 1_000 * random.nextDouble()
                            : 10 + 10 * random.nextDouble();
                    sent.add(new long[] {(long) at, (long) (at + took), user});
                    at += took;
                }
            }
            sent.sort(Comparator.comparingLong(one -> one[1]));
            ResultCollector collected = new ResultCollector();
            sent.forEach(one -> collected.request(one[0] * MS, (one[1] - one[0]) * MS, (int) one[2], false));
            AuditResult audited = Audit.of("slow", collected, 0.1).get(0);
            found += audited.stalls().stream().anyMatch(stall -> stall.part().isPresent() && stall.isCertain()) ? 1 : 0;
            possible += audited.stalls().stream().anyMatch(stall -> stall.part().isPresent()) ? 1 : 0;
        }
        assertThat(found).isLessThanOrEqualTo(5 * FILES / 50);
        assertThat(possible).isLessThanOrEqualTo(5 * FILES / 10);
    }
}
