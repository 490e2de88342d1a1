package dev.downbeat.audit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.downbeat.audit.AuditResult.AuditVerdict;
import dev.downbeat.audit.AuditResult.Row;
import dev.downbeat.testing.Replications;
import dev.downbeat.testing.Simulated;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Files of each kind of trouble, and of none, forty in the nightly build: convictions and acquittals against the truth. */
@Simulated
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class KindsTest {
    private static final long MS = 1_000_000;
    private static final int FILES = Replications.of(40, 8);
    private static final int USERS = 8;
    private static final long LENGTH = 20_000;
    private static final double STALL = 1_200;

    /** Eight users in a closed loop for 20 s, of whom some are stuck for 1.2 s; each of their requests may be an export. */
    private static ResultCollector file(int stuck, boolean exports, boolean labelled, long seed) {
        Random random = new Random(seed);
        double stallAt = 6_000 + random.nextInt(8_000);
        List<long[]> sent = new ArrayList<>();
        for (int user = 0; user < USERS; user++) {
            int turn = random.nextInt(21);
            for (double at = 20 * random.nextDouble(); at < LENGTH; turn++) {
                boolean isExport = exports && turn % 21 == 20;
                double end =
                        at + (isExport ? 900 + 200 * random.nextDouble() : 10 - 10 * Math.log(1 - random.nextDouble()));
                if (user < stuck && at < stallAt + STALL && end > stallAt) {
                    end = Math.max(end, stallAt + STALL + 10 * random.nextDouble());
                }
                sent.add(new long[] {(long) at, (long) end, user, isExport ? 1 : 0});
                at = end + 0.1;
            }
        }
        sent.sort(Comparator.comparingLong(one -> one[1]));
        ResultCollector collected = new ResultCollector();
        collected.resolutionNanos(MS);
        for (long[] one : sent) {
            collected.request(one[0] * MS, (one[1] - one[0]) * MS, (int) one[2], false, labelled ? (int) one[3] : -1);
        }
        return collected;
    }

    private static Map<AuditVerdict, Integer> verdicts(int stuck, boolean exports, boolean labelled) {
        Map<AuditVerdict, Integer> verdicts = new EnumMap<>(AuditVerdict.class);
        for (int seed = 0; seed < FILES; seed++) {
            verdicts.merge(
                    Audit.of("file", file(stuck, exports, labelled, seed), 0.1)
                            .get(0)
                            .verdict(),
                    1,
                    Integer::sum);
        }
        return verdicts;
    }

    @ParameterizedTest(name = "{0} of 8 stuck, exports {1}")
    @CsvSource({"8, false", "4, false", "2, false", "1, false", "8, true", "4, true", "2, true", "1, true"})
    void a_stall_is_not_acquitted(int stuck, boolean exports) {
        Map<AuditVerdict, Integer> verdicts = verdicts(stuck, exports, true);
        assertThat(verdicts.getOrDefault(AuditVerdict.SOUND, 0))
                .as("%s", verdicts)
                .isLessThanOrEqualTo(Math.max(1, FILES / 20));
    }

    /** Without labels, exports in all of eight users at once look like a stall, but for how they end. */
    @Test
    void slow_requests_of_a_kind_that_the_file_does_not_tell_are_no_stall() {
        Map<AuditVerdict, Integer> verdicts = verdicts(0, true, false);
        assertThat(verdicts.getOrDefault(AuditVerdict.HIDES, 0))
                .as("%s", verdicts)
                .isLessThanOrEqualTo(Math.max(1, FILES / 20));
        assertThat(verdicts(8, true, false).getOrDefault(AuditVerdict.HIDES, 0)).isGreaterThanOrEqualTo(FILES * 3 / 4);
    }

    @ParameterizedTest(name = "exports {0}")
    @CsvSource({"false", "true"})
    void where_nothing_stalls_nothing_is_convicted(boolean exports) {
        Map<AuditVerdict, Integer> verdicts = verdicts(0, exports, true);
        assertThat(verdicts.getOrDefault(AuditVerdict.HIDES, 0))
                .as("%s", verdicts)
                .isZero();
        if (!exports) { // whose users send less while they wait for one: the file cannot tell
            assertThat(verdicts.getOrDefault(AuditVerdict.SOUND, 0))
                    .as("%s", verdicts)
                    .isGreaterThanOrEqualTo(FILES * 19 / 20);
        }
    }

    /** A user who starts a request each 10 ms, come what may, and one request that takes 5 s. */
    @Test
    void a_constant_pace_over_a_hole_shows_what_was_not_sent() {
        for (int seed = 0; seed < FILES; seed++) {
            Random random = new Random(seed);
            ResultCollector collected = new ResultCollector();
            long hole = 5_000 + random.nextInt(5_000);
            for (long at = 0; at < 20_000; at += 10) {
                boolean isStuck = at / 10 == hole / 10;
                collected.request(at * MS, isStuck ? 5_000 * MS : MS + random.nextInt(200_000), -1, false);
                at += isStuck ? 4_990 : 0;
            }
            AuditResult audited = Audit.of("pace", collected, 0.1).get(0);
            Row p99 = audited.rows().get(3);
            assertThat(audited.verdict()).isEqualTo(AuditVerdict.HIDES);
            assertThat(p99.atLeastNanos()).as("%s", p99).isBetween(4_700 * MS, 5_000 * MS);
        }
    }

    @Test
    void a_stall_is_reported_in_the_files_time_of_day() {
        ResultCollector collected = new ResultCollector();
        long origin = 1_764_000_185_000L * MS; // 2025-11-24T16:03:05Z
        for (long at = 0; at < 10_000; at += 10) {
            boolean isStuck = at == 3_000;
            collected.request(origin + at * MS, isStuck ? 2_000 * MS : MS, -1, false);
            at += isStuck ? 1_990 : 0;
        }
        assertThat(placeOfStall(collected)).isEqualTo("from 3.00 s to 5.00 s (16:03:08 to 16:03:10 UTC)");
        collected.zone(Optional.of(ZoneOffset.ofHours(2)));
        collected.zone(Optional.of(ZoneOffset.ofHours(3))); // the file's first counts
        assertThat(placeOfStall(collected)).isEqualTo("from 3.00 s to 5.00 s (18:03:08 to 18:03:10 +02:00)");
    }

    private static String placeOfStall(ResultCollector collected) {
        return Audit.of("clock", collected, 0.1).get(0).findings().get(0).place();
    }
}
