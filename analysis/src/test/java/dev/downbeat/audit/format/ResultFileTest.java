package dev.downbeat.audit.format;

import static dev.downbeat.audit.format.SampleFiles.SAMPLES;
import static dev.downbeat.audit.format.SampleFiles.SUMMARIES;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.downbeat.audit.Audit;
import dev.downbeat.audit.AuditFinding;
import dev.downbeat.audit.AuditResult;
import dev.downbeat.audit.RecoveredPlan;
import dev.downbeat.audit.ResultCollector;
import dev.downbeat.testing.Replications;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Each format is recognised by its content and read; whatever else is in a file ends as one line. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class ResultFileTest {
    private static final int MUTATIONS = 5_000;

    static List<String> names() {
        return List.copyOf(SAMPLES.keySet());
    }

    static List<String> summaryNames() {
        return List.copyOf(SUMMARIES.keySet());
    }

    private static ResultCollector read(byte[] bytes) throws IOException {
        return ResultFile.read("file", new ByteArrayInputStream(bytes));
    }

    private static byte[] sample(String name) {
        byte[] sample = SAMPLES.get(name);
        return sample == null ? SUMMARIES.getOrDefault(name, "").getBytes(StandardCharsets.UTF_8) : sample;
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("names")
    void a_file_with_requests_is_read(String name) throws IOException {
        ResultCollector read = read(sample(name));
        assertThat(read.tool()).isEqualTo(name);
        assertThat(read.count()).isEqualTo(3);
        AuditResult audited = Audit.of("file", read, 0.1).get(0);
        assertThat(audited.rows().get(0).printedNanos()).isBetween(24_900_000L, 25_600_000L);
        assertThat(audited.lengthNanos()).isBetween(76_900_000L, 77_600_000L);
        assertThat(audited.rows().get(3).printedNanos()).isBetween(29_900_000L, 30_600_000L);
        assertThat(audited.findings())
                .extracting(AuditFinding::text)
                .contains("1 of 3 requests failed; their times are among the percentiles");
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("summaryNames")
    void a_file_with_a_distribution_is_read(String name) throws IOException {
        ResultCollector read = read(sample(name));
        assertThat(read.tool()).isEqualTo(name);
        AuditResult audited = Audit.of("file", read, 0.1).get(0);
        assertThat(audited.count()).isGreaterThan(3_000);
        assertThat(audited.rows()).isNotEmpty();
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '~', textBlock = """
            <?xml version="1.0"?><testResults version="1.2"> ~ write CSV
            Value Percentile TotalCount 1/(1-Percentile) ~ write its log, .hlog
            Percentage served,Time in ms ~ give what ab prints
            {"log": {"entries": []}} ~ sends its requests
            Requests      [total, rate, throughput]         2400, 300.14, 299.46 ~ vegeta report -type json
            summary =   2400 in 00:00:08 =  300.1/s Avg:    23 Min:    14 Max:    96 Err:     0 (0.00%) ~ the file of its -l
            """)
    void a_format_that_is_not_read_names_what_replaces_it(String head, String instead) {
        assertThatThrownBy(() -> read(head.getBytes(StandardCharsets.UTF_8))).hasMessageContaining(instead);
    }

    @Test
    void wrk_with_a_rise_and_sixteen_connections_cannot_tell() throws IOException {
        AuditResult audited = Audit.of("wrk", read(sample("wrk")), 0.1).get(0);
        assertThat(audited.verdict()).isEqualTo(AuditResult.AuditVerdict.CANNOT_TELL);
        assertThat(audited.findings()).extracting("code").contains("vertical_rise", "timeouts");
    }

    /** It printed the host and the connections, and the audit "plan unknown" and localhost:8080. */
    @Test
    void ab_names_its_target_and_how_many_users_wait() throws IOException {
        String text = new String(sample("ab"), StandardCharsets.UTF_8)
                .replace(
                        "Concurrency Level",
                        "Server Software:        \nServer Hostname:        shop\nServer Port:            8443\n"
                                + "SSL/TLS Protocol:       TLSv1.3\n\nDocument Path:          /a\n\nConcurrency Level");
        AuditResult audited =
                Audit.of("ab", read(text.getBytes(StandardCharsets.UTF_8)), 0.1).get(0);
        assertThat(audited.target()).isEqualTo("https://shop:8443/a");
        RecoveredPlan plan = audited.plan().orElseThrow();
        assertThat(plan.kind()).isEqualTo(RecoveredPlan.Kind.CLOSED);
        assertThat(plan.text()).isEqualTo("8 users, each waits for its response");
        assertThat(plan.perSecond()).isEqualTo(390);
        assertThat(Audit.of("ab", read(sample("ab")), 0.1).get(0).target()).isEmpty();
        assertThat(Audit.of("wrk2", read(sample("wrk2")), 0.1).get(0).plan()).isEmpty();
        RecoveredPlan unknown =
                Audit.of("hey", read(sample("hey or oha")), 0.1).get(0).plan().orElseThrow();
        assertThat(unknown.text()).isEqualTo("each user waits for its response");
        assertThat(unknown.users()).isEmpty();
    }

    @Test
    void wrk2_counts_from_intended_times_and_is_not_corrected_again() throws IOException {
        AuditResult audited = Audit.of("wrk2", read(sample("wrk2")), 0.1).get(0);
        assertThat(audited.verdict()).isEqualTo(AuditResult.AuditVerdict.SOUND);
        assertThat(audited.findings()).extracting("code").contains("already_corrected");
    }

    @Test
    void impossible_values_are_named() throws IOException {
        String strange = Objects.requireNonNull(SUMMARIES.get("Locust CSV")).replace(",25,30,33", ",25,40,33");
        AuditResult audited = Audit.of("locust", read(strange.getBytes(StandardCharsets.UTF_8)), 0.1)
                .get(0);
        assertThat(audited.verdict()).isEqualTo(AuditResult.AuditVerdict.CANNOT_TELL);
        assertThat(audited.findings()).extracting("code").contains("impossible_percentiles");
    }

    @Test
    void a_packed_file_is_read_as_it_is() throws IOException {
        ByteArrayOutputStream packed = new ByteArrayOutputStream();
        try (GZIPOutputStream out = new GZIPOutputStream(packed)) {
            out.write(sample("JMeter JTL (CSV)"));
        }
        assertThat(read(packed.toByteArray()).count()).isEqualTo(3);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("names")
    void a_byte_order_mark_is_skipped(String format) throws IOException {
        ByteArrayOutputStream marked = new ByteArrayOutputStream();
        marked.write(new byte[] {(byte) 0xef, (byte) 0xbb, (byte) 0xbf});
        marked.write(sample(format));
        assertThat(read(marked.toByteArray()).count())
                .isEqualTo(read(sample(format)).count());
    }

    @ParameterizedTest
    @ValueSource(strings = {"NaN", "Infinity", "-Infinity"})
    void what_is_no_number_is_refused_and_not_zero(String cell) {
        String oha = "start,duration,status\n0,0.01,200\n0.1," + cell + ",200\n0.2,0.01,200\n";
        assertThatThrownBy(() -> read(oha.getBytes(StandardCharsets.UTF_8)))
                .hasMessage("file: line 3: '" + cell + "' is no number");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '~', textBlock = """
            hey (CSV)        ~ 0.0210
            oha (CSV)        ~ 0.021000
            JMeter JTL (CSV) ~ 1700000000021
            k6 --out csv     ~ 1700000000046000000
            """)
    void a_start_before_all_time_is_refused(String format, String start) {
        String negative = new String(sample(format), StandardCharsets.UTF_8).replace(start, "-" + start);
        assertThatThrownBy(() -> read(negative.getBytes(StandardCharsets.UTF_8)))
                .isInstanceOf(IOException.class)
                .hasMessageMatching("file: line [0-9]+: '-" + start + "' is not a time");
    }

    @ParameterizedTest
    @ValueSource(strings = {"k6 --out json", "vegeta (JSON)"})
    void json_with_spaces_after_its_colons_is_recognised(String format) throws IOException {
        String spaced = new String(sample(format), StandardCharsets.UTF_8).replace("\":", "\" : ");
        assertThat(read(spaced.getBytes(StandardCharsets.UTF_8)).tool()).isEqualTo(format);
    }

    @Test
    void a_refusal_names_the_line_and_the_reason() {
        String jtl = new String(sample("JMeter JTL (CSV)"), StandardCharsets.UTF_8).replace(",30,home", ",3x,home");
        assertThatThrownBy(() -> read(jtl.getBytes(StandardCharsets.UTF_8)))
                .isInstanceOf(IOException.class)
                .hasMessage("file: line 6: '3x' is no whole number");
        assertThatThrownBy(() -> read(new byte[0])).hasMessage("file: empty file");
        assertThatThrownBy(() -> read("hello\n".getBytes(StandardCharsets.UTF_8)))
                .hasMessage("file: not a result of a supported tool ('downbeat help audit' lists them)");
    }

    @Test
    void binary_results_name_what_replaces_them() {
        byte[] vegeta = "\177\3\1\1\6Result\1\377\200\0\1\14\1\11Timestamp\1\377\202\0\1\7Latency\1\4\0"
                .getBytes(StandardCharsets.ISO_8859_1);
        assertThatThrownBy(() -> read(vegeta))
                .hasMessage(
                        "file: is vegeta's binary format; write it as JSON: vegeta encode results.bin > results.json");
        assertThatThrownBy(() -> read("starting benchmark...\nspawning thread #0: 4 total client(s)\n"
                        .getBytes(StandardCharsets.UTF_8)))
                .hasMessage("file: is the output of h2load; give its --log-file");
        byte[] gatling = "\0\0\0\0\0063.15.1\0".getBytes(StandardCharsets.ISO_8859_1);
        assertThatThrownBy(() -> read(gatling))
                .hasMessage("file: is the binary simulation.log of Gatling 3.12 or later; Downbeat's plugin for Gatling"
                        + " reports the same run from its intended times");
    }

    @Test
    void transactions_without_their_samples_are_refused_as_that() {
        String jtl = new String(sample("JMeter JTL (CSV)"), StandardCharsets.UTF_8)
                .lines()
                .filter(line -> line.startsWith("timeStamp") || line.contains("Number of samples in transaction"))
                .collect(Collectors.joining("\n"));
        assertThatThrownBy(() -> read(jtl.getBytes(StandardCharsets.UTF_8)))
                .hasMessage("file: all of its 1 rows are transactions without their samples: in JMeter, clear 'Generate"
                        + " parent sample' of the Transaction Controller");
    }

    /** Read all the same, or one line: never anything else. */
    @Test
    void mutated_files_are_read_or_refused_in_one_line() {
        List<String> all = new ArrayList<>(names());
        all.addAll(summaryNames());
        int count = Replications.of(MUTATIONS);
        int refused = 0;
        for (int seed = 0; seed < count; seed++) {
            byte[] mutated = mutated(sample(all.get(seed % all.size())), new Random(seed));
            try {
                Audit.of("file", read(mutated), 0.1);
            } catch (IOException malformed) {
                refused++;
                assertThat(malformed.getMessage())
                        .as("seed %d", seed)
                        .startsWith("file: ")
                        .doesNotContain("\n")
                        .hasSizeLessThan(400);
            }
        }
        assertThat(refused).isGreaterThan(count / 20);
    }

    private static byte[] mutated(byte[] sample, Random random) {
        byte[] bytes = sample.clone();
        int changes = 1 + random.nextInt(4);
        for (int i = 0; i < changes && bytes.length > 2; i++) {
            int at = random.nextInt(bytes.length);
            switch (random.nextInt(5)) {
                case 0 -> bytes[at] = (byte) random.nextInt(256);
                case 1 -> bytes = Arrays.copyOf(bytes, at + 1);
                case 2 -> bytes[at] = (byte) "0123456789-.,\"{}[]:<>\n\t".charAt(random.nextInt(23));
                case 3 -> {
                    int length = Math.min(bytes.length - at, 1 + random.nextInt(30));
                    System.arraycopy(bytes, random.nextInt(bytes.length - length + 1), bytes, at, length);
                }
                default -> {
                    byte[] longer = Arrays.copyOf(bytes, bytes.length + 8);
                    System.arraycopy(bytes, at, longer, at + 8, bytes.length - at);
                    Arrays.fill(longer, at, at + 8, (byte) '9');
                    bytes = longer;
                }
            }
        }
        return bytes;
    }
}
