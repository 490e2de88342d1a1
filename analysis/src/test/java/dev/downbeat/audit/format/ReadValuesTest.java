package dev.downbeat.audit.format;

import static dev.downbeat.audit.format.SampleFiles.SAMPLES;
import static dev.downbeat.audit.format.SampleFiles.SUMMARIES;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.entry;

import dev.downbeat.audit.Audit;
import dev.downbeat.audit.AuditFinding;
import dev.downbeat.audit.AuditResult;
import dev.downbeat.audit.AuditResult.AuditVerdict;
import dev.downbeat.audit.RecoveredPlan.Certainty;
import dev.downbeat.audit.ResultCollector;
import dev.downbeat.audit.Summary;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is read of each format has the values, the units and the users that the tool wrote. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class ReadValuesTest {
    private static ResultCollector read(byte[] bytes) throws IOException {
        return ResultFile.read("file", new ByteArrayInputStream(bytes));
    }

    private static byte[] sample(String name) {
        byte[] sample = SAMPLES.get(name);
        return sample == null ? SUMMARIES.getOrDefault(name, "").getBytes(StandardCharsets.UTF_8) : sample;
    }

    /** JMeter writes the local time of an unknown place, if told to write days and hours. */
    @ParameterizedTest(name = "{0} is {1}")
    @CsvSource({
        "2026/03/01 14:00:00, 14:00:05 to 14:00:07",
        "2026-03-01T14:00:00Z, 14:00:05 to 14:00:07 UTC",
        "2026-03-01T14:00:00+01:00, 14:00:05 to 14:00:07 +01:00"
    })
    void a_time_of_day_is_the_files_own_with_the_zone_it_names(String start, String place) throws IOException {
        StringBuilder jtl = new StringBuilder("timeStamp,elapsed,label,threadName,success,URL\n");
        for (int i = 0; i < 1_000; i++) {
            long millis = i * 10L + (i > 500 ? 2_000 : 0);
            String second = String.format(Locale.ROOT, "%02d.%03d", millis / 1_000, millis % 1_000);
            jtl.append(start.replace(":00:00", ":00:" + second)).append(i == 500 ? ",2000" : ",1");
            jtl.append(",home,Users 1-1,true,https://u:pw@shop/?token=x\n");
        }
        AuditResult audited = Audit.of("file", read(jtl.toString().getBytes(StandardCharsets.UTF_8)), 0.1)
                .get(0);
        assertThat(audited.findings()).anyMatch(one -> one.place().endsWith(" (" + place + ")"));
        assertThat(audited.target()).doesNotContain("pw", "=x");
    }

    /** Count, failures, users, length and the rest in milliseconds, as the file says; 0 where it does not. */
    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '~', textBlock = """
            wrk                  ~  6800 ~ 0 ~ 16 ~ 10010 ~ 25.1 ~ 2010 ~ 20.1 ~ 22
            wrk2                 ~ 19900 ~ 0 ~ 16 ~ 30000 ~  1.1 ~ 12.1 ~ 1.02 ~ 2.02
            ab                   ~  3900 ~ 2 ~  8 ~ 10000 ~ 20   ~   33 ~   20 ~ 25
            hey or oha           ~  3900 ~ 0 ~  0 ~ 10000 ~ 20.5 ~   33 ~   20 ~ 25
            Locust CSV           ~  3900 ~ 2 ~  0 ~     0 ~ 20.5 ~   33 ~   20 ~ 25
            oha (JSON)           ~  3900 ~ 0 ~  0 ~ 10000 ~ 20.5 ~   33 ~   20 ~ 25
            autocannon (JSON)    ~  3900 ~ 0 ~  8 ~ 10020 ~ 20.5 ~   33 ~   20 ~ 25
            Artillery (JSON)     ~  3900 ~ 0 ~  0 ~ 10000 ~ 20.5 ~   33 ~   20 ~ 25
            fortio (JSON)        ~  3900 ~ 0 ~  8 ~ 10000 ~ 20.5 ~   33 ~   20 ~ 25
            k6 summary           ~  3900 ~ 0 ~  0 ~ 10000 ~ 20.5 ~   33 ~   20 ~ 22
            vegeta report (JSON) ~  3900 ~ 0 ~  0 ~ 10000 ~ 20.5 ~   33 ~   20 ~ 25
            """)
    void a_distribution_is_read_in_its_units(
            String name,
            long count,
            long failed,
            long users,
            long length,
            double mean,
            double max,
            double median,
            double p99)
            throws IOException {
        Summary summary = read(sample(name)).summaries().get(0);
        assertThat(summary.count()).isEqualTo(count);
        assertThat(summary.failed()).isEqualTo(failed);
        assertThat(summary.users()).isEqualTo(users);
        assertThat(summary.lengthNanos()).isEqualTo(length * 1_000_000);
        assertThat(summary.mean()).hasValue(Math.round(mean * 1e6));
        assertThat(summary.max()).hasValue(Math.round(max * 1e6));
        assertThat(summary.percentiles().get(50.0)).isEqualTo(Math.round(median * 1e6));
        assertThat(summary.percentiles().floorEntry(99.0).getValue()).isEqualTo(Math.round(p99 * 1e6));
        assertThat(summary.percentiles().lastKey()).as("the maximum is none").isLessThan(100);
        assertThat(summary.isCorrected()).isEqualTo(name.equals("wrk2"));
    }

    @Test
    void every_percentile_of_a_distribution_is_read() throws IOException {
        assertThat(percentiles("wrk")).containsExactly(50.0, 75.0, 90.0, 99.0);
        assertThat(percentiles("wrk2")).containsExactly(50.0, 90.0, 99.0, 99.9);
        assertThat(percentiles("hey or oha")).containsExactly(50.0, 90.0, 99.0);
        assertThat(percentiles("Locust CSV")).containsExactly(50.0, 66.0, 90.0, 95.0, 99.0, 99.9);
        assertThat(percentiles("oha (JSON)")).containsExactly(50.0, 90.0, 99.0, 99.9);
        assertThat(percentiles("autocannon (JSON)")).containsExactly(2.5, 50.0, 97.5, 99.0, 99.9);
        assertThat(percentiles("Artillery (JSON)")).containsExactly(50.0, 95.0, 99.0, 99.9);
        assertThat(percentiles("k6 summary")).containsExactly(50.0, 90.0, 95.0);
        assertThat(percentiles("vegeta report (JSON)")).containsExactly(50.0, 90.0, 95.0, 99.0);
    }

    private static Set<Double> percentiles(String name) throws IOException {
        return read(sample(name)).summaries().get(0).percentiles().keySet();
    }

    private static List<AuditFinding> findings(String text) throws IOException {
        return Audit.of("file", read(text.getBytes(StandardCharsets.UTF_8)), 0.1)
                .get(0)
                .findings();
    }

    private static String changed(String name, String from, String to) {
        String text = new String(sample(name), StandardCharsets.UTF_8);
        assertThat(text).contains(from);
        return text.replace(from, to);
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource({"fortio (JSON), 'ActualDuration'", "autocannon (JSON), 'duration'"})
    void a_length_that_a_file_does_not_have_is_unknown(String name, String member) throws IOException {
        String without = changed(name, "\"" + member + "\":", "\"x\":");
        assertThat(read(without.getBytes(StandardCharsets.UTF_8))
                        .summaries()
                        .get(0)
                        .lengthNanos())
                .isZero();
    }

    /** What a tool leaves out of its distribution is said, and only if it left something out. */
    @ParameterizedTest(name = "{0}: {2}")
    @CsvSource(delimiter = '~', quoteCharacter = '`', textBlock = """
            wrk               ~ timeout 16        ~ timeout 0          ~ timeouts           ~ 16 requests took longer than the timeout
            autocannon (JSON) ~ "timeouts":0      ~ "timeouts":1       ~ timeouts           ~ 1 request took longer than the timeout
            oha (JSON)        ~ deadline":8       ~ deadline":0        ~ in_flight_at_end   ~ 8 requests were in flight at the end
            oha (JSON)        ~ "errorDistribution":{ ~ "errorDistribution":{"refused":2,"reset":1, ~ failures ~ 3 requests got no response
            autocannon (JSON) ~ "errors":0,"timeouts":0,"non2xx":0 ~ "errors":1,"timeouts":0,"non2xx":2 ~ failures ~ 3 requests failed
            k6 summary        ~ "http_reqs":      ~ "dropped_iterations":{"count":4},"http_reqs": ~ dropped_iterations ~ 4 iterations never started
            k6 --out json     ~ "value":3,        ~ "value":0,         ~ dropped_iterations ~ 3 iterations never started
            """)
    void what_no_percentile_includes_is_said(String name, String from, String to, String code, String words)
            throws IOException {
        boolean isSaid = findings(new String(sample(name), StandardCharsets.UTF_8)).stream()
                .anyMatch(finding -> finding.code().equals(code));
        List<AuditFinding> after = findings(changed(name, from, to));
        List<AuditFinding> saying = isSaid ? findings(new String(sample(name), StandardCharsets.UTF_8)) : after;
        assertThat(saying).anySatisfy(finding -> {
            assertThat(finding.code()).isEqualTo(code);
            assertThat(finding.text()).startsWith(words);
        });
        assertThat(after.stream().anyMatch(finding -> finding.code().equals(code)))
                .isNotEqualTo(isSaid);
    }

    /** 200 of 8,002 requests took longer than the timeout; all others at most 13.1 ms. */
    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '~', quoteCharacter = '`', textBlock = """
            wrk               ~ Running 10s test @ http://x/|  2 threads and 64 connections|  Thread Stats   Avg      Stdev     Max   +/- Stdev|    Latency    10.00ms    1.73ms  13.10ms   60.00%|  Latency Distribution|     50%   10.00ms|     90%   12.40ms|     99%   12.90ms|  8002 requests in 10.01s, 1.00MB read|  Socket errors: connect 0, read 0, write 0, timeout 200
            hey or oha        ~ Summary:|  Total:\t10.0 secs|  Slowest:\t0.0131 secs|  Average:\t0.0100 secs|  Requests/sec:\t800.00|Latency distribution:|  50%% in 0.0100 secs|  90%% in 0.0124 secs|  99%% in 0.0129 secs|Details (average, fastest, slowest):|Status code distribution:|  [200]\t7802 responses|Error distribution:|  [150]\tGet http://x/: context deadline exceeded|  [50]\tGet http://x/: EOF
            oha (JSON)        ~ {"summary":{"total":10.0,"slowest":0.0131,"average":0.01},"latencyPercentiles":{"p50":0.01,"p90":0.0124,"p99":0.0129},"statusCodeDistribution":{"200":7802},"errorDistribution":{"timeout":200}}
            autocannon (JSON) ~ {"url":"http://x/","connections":64,"duration":10,"errors":200,"timeouts":200,"non2xx":0,"latency":{"mean":10,"max":13.1,"p50":10,"p90":12.4,"p97_5":12.8,"p99":12.9},"requests":{"total":7802}}
            """)
    void requests_without_a_time_leave_open_what_callers_waited(String name, String text) throws IOException {
        ResultCollector read = read(text.replace('|', '\n').replace("\\t", "\t").getBytes(StandardCharsets.UTF_8));
        AuditResult audited = Audit.of("file", read, 0.1).get(0);
        assertThat(audited.verdict()).as("%s", audited.rows()).isEqualTo(AuditVerdict.CANNOT_TELL);
        assertThat(audited.rows().get(audited.rows().size() - 1).atMostNanos()).isEmpty();
        assertThat(audited.count()).isEqualTo(8_002);
        assertThat(audited.findings())
                .anySatisfy(finding ->
                        assertThat(finding.text()).startsWith("200 requests ").endsWith("no percentile includes them"));
    }

    /** One of many requests fills at most its own connection; all others took at most 13.1 ms. */
    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '~', quoteCharacter = '`', textBlock = """
            wrk, 1 of 1,000,000        ~ ~ Running 10s test @ http://x/|  8 threads and 1000 connections|  Thread Stats   Avg      Stdev     Max   +/- Stdev|    Latency    10.00ms    1.73ms  13.10ms   60.00%|  Latency Distribution|     50%   10.00ms|     90%   12.40ms|     99%   12.90ms|  1000000 requests in 10.01s, 1.00MB read|  Socket errors: connect 0, read 0, write 0, timeout 1
            wrk, 1 of 6,400            ~ ~ Running 10s test @ http://x/|  2 threads and 64 connections|  Thread Stats   Avg      Stdev     Max   +/- Stdev|    Latency   100.00ms    1.73ms 131.00ms   60.00%|  Latency Distribution|     50%  100.00ms|     90%  124.00ms|     99%  129.00ms|  6400 requests in 10.01s, 1.00MB read|  Socket errors: connect 0, read 0, write 0, timeout 1
            wrk, 8 connections, p99    ~ 99 ~ Running 10s test @ http://x/|  1 threads and 8 connections|  Thread Stats   Avg      Stdev     Max   +/- Stdev|    Latency     9.80ms    1.73ms  13.10ms   60.00%|  Latency Distribution|     50%   10.00ms|     75%   11.00ms|     90%   12.40ms|     99%   12.90ms|  8002 requests in 10.01s, 1.00MB read|  Socket errors: connect 0, read 0, write 0, timeout 1
            hey                        ~ 99 ~ Summary:|  Total:\t10.0 secs|  Slowest:\t0.0131 secs|  Average:\t0.0100 secs|  Requests/sec:\t800.00|Latency distribution:|  50%% in 0.0100 secs|  90%% in 0.0124 secs|  99%% in 0.0129 secs|Details (average, fastest, slowest):|Status code distribution:|  [200]\t80000 responses|Error distribution:|  [1]\tGet http://x/: EOF
            oha (JSON)                 ~ 99 ~ {"summary":{"total":10.0,"slowest":0.0131,"average":0.01},"latencyPercentiles":{"p50":0.01,"p90":0.0124,"p99":0.0129},"statusCodeDistribution":{"200":80000},"errorDistribution":{"timeout":1}}
            """)
    void one_request_without_a_time_leaves_open_only_what_it_can_reach(String name, Double open, String text)
            throws IOException {
        ResultCollector read = read(text.replace('|', '\n').replace("\\t", "\t").getBytes(StandardCharsets.UTF_8));
        List<AuditResult.Row> rows = Audit.of("file", read, 0.1).get(0).rows();
        assertThat(rows).allSatisfy(row -> {
            OptionalLong most = open != null && row.percentile() >= open
                    ? OptionalLong.empty()
                    : OptionalLong.of(row.printedNanos() + row.resolutionNanos());
            assertThat(row.atMostNanos()).as("p%s", row.percentile()).isEqualTo(most);
        });
    }

    /** It counts them also for connections that wait for their intended times, and records every response. */
    @Test
    void timeouts_of_wrk2_leave_its_percentiles_as_they_are() throws IOException {
        String text = changed(
                "wrk2",
                "19900 requests",
                "19900 requests in 30.00s, 1.00MB read\n  Socket errors: connect 0, read 0, write 0, timeout 100\nx");
        AuditResult audited = Audit.of("file", read(text.getBytes(StandardCharsets.UTF_8)), 0.1)
                .get(0);
        assertThat(audited.rows())
                .isNotEmpty()
                .allSatisfy(row -> assertThat(row.atMostNanos()).hasValue(row.printedNanos()));
        assertThat(audited.findings())
                .filteredOn(finding -> finding.code().equals("timeouts"))
                .singleElement()
                .satisfies(finding -> assertThat(finding.text()).startsWith("100 timeouts: wrk2 counts one"));
    }

    @Test
    void errors_of_autocannon_without_a_response_are_in_no_percentile() throws IOException {
        assertThat(findings(changed("autocannon (JSON)", "\"errors\":0,\"timeouts\":0", "\"errors\":3,\"timeouts\":2")))
                .extracting(AuditFinding::text)
                .contains("1 request got no response: no percentile includes it");
    }

    /** Those in flight when a run with a given length ends are as long as others. */
    @Test
    void requests_in_flight_at_the_end_are_no_failures_of_oha() throws IOException {
        List<AuditFinding> found = findings(changed(
                "hey or oha",
                "3900 responses\n",
                "3900 responses\n\nError distribution:\n  [8] aborted due to deadline\n"));
        assertThat(found).singleElement().satisfies(finding -> {
            assertThat(finding.code()).isEqualTo("in_flight_at_end");
            assertThat(finding.text()).startsWith("8 requests were in flight at the end");
        });
    }

    /** Its calibration omits the first ten seconds. */
    @Test
    void percentiles_of_wrk2_rest_on_what_it_recorded() throws IOException {
        String text = changed(
                "wrk2",
                "100.000%   12.10ms\n",
                "100.000%   12.10ms\n#[Max     =       12.100, Total count    =         2000]\n");
        AuditResult audited = Audit.of("file", read(text.getBytes(StandardCharsets.UTF_8)), 0.1)
                .get(0);
        assertThat(audited.count()).isEqualTo(19_900);
        assertThat(audited.rows()).filteredOn(row -> row.percentile() == 99.9).noneMatch(AuditResult.Row::isJudged);
        assertThat(audited.findings()).extracting(AuditFinding::text).contains("p99.9 rests on 2 of 2,000 requests");
    }

    @Test
    void wrk_without_percentiles_says_how_to_get_them() throws IOException {
        String bare = new String(sample("wrk"), StandardCharsets.UTF_8).replaceAll("(?m)^ +[0-9]+% .*\\n", "");
        assertThat(read(bare.getBytes(StandardCharsets.UTF_8))
                        .summaries()
                        .get(0)
                        .percentiles())
                .isEmpty();
        assertThat(findings(bare)).extracting(AuditFinding::code).contains("no_percentiles");
    }

    /** The columns after the median are those of the last seconds. */
    @Test
    void a_history_of_Locust_has_the_median_of_the_whole_run_only() throws IOException {
        ResultCollector read = read("""
                Timestamp,User Count,Type,Name,Requests/s,Failures/s,50%,99%,Total Request Count,Total Failure Count,Total Median Response Time,Total Average Response Time,Total Min Response Time,Total Max Response Time,Total Average Content Size
                1700000000,4,GET,/,10,0,20,25,10,0,20,20.5,19,30,1
                1700000000,4,,Aggregated,10,0,20,25,10,0,20,20.5,19,30,1
                1700000010,8,,Aggregated,390,0,N/A,N/A,3900,2,21,20.6,19,33,1
                """.getBytes(StandardCharsets.UTF_8));
        Summary summary = read.summaries().get(0);
        assertThat(summary.count()).isEqualTo(3_900);
        assertThat(summary.failed()).isEqualTo(2);
        assertThat(summary.users()).isEqualTo(8);
        assertThat(summary.lengthNanos()).isEqualTo(10_000_000_000L);
        assertThat(summary.percentiles()).containsOnly(entry(50.0, 21_000_000L));
        assertThat(summary.mean()).hasValue(20_600_000);
        assertThat(summary.max()).hasValue(33_000_000);
        assertThat(Audit.of("file", read, 0.1).get(0).findings())
                .extracting(AuditFinding::code)
                .contains("averaged_percentiles", "rounded");
    }

    /** One request every 21 ms, which takes 20 ms; nobody else sends any. */
    private static String serial(String line) {
        return IntStream.range(0, 40)
                .mapToObj(i -> line.replace("$USER", "1")
                        .replace("$N", String.valueOf(i))
                        .replace("$START", String.valueOf(1_700_000_000_000L + 21L * i))
                        .replace("$END", String.valueOf(1_700_000_000_020L + 21L * i)))
                .collect(Collectors.joining("\n", "", "\n"));
    }

    /** A file that does not say who sent a request shows one in flight; one that does shows its user. */
    @ParameterizedTest(name = "{2}")
    @CsvSource(delimiter = '~', quoteCharacter = '`', textBlock = """
            timeStamp,elapsed,label,threadName,success  ~ $START,20,home,Users 1-$USER,true ~ CERTAIN
            timeStamp,elapsed,label,threadName,success  ~ $START,20,home,,true              ~ LIKELY
            RUN|shop.Load|load|1700000000000| |3.9.5    ~ REQUEST||home|$START|$END|OK|     ~ LIKELY
            {"metric":"x"}                              ~ {"metric":"http_req_duration","type":"Point","data":{"time":"@END","value":20,"tags":{"vu":"$USER"}}} ~ CERTAIN
            {"metric":"x"}                              ~ {"metric":"http_req_duration","type":"Point","data":{"time":"@END","value":20,"tags":{}}} ~ LIKELY
            ``                                          ~ {"attack":"","seq":$N,"timestamp":"@START","latency":20000000,"error":"","url":"http://shop/"} ~ LIKELY
            ``                                          ~ $START000000,200,20000000,0,1,,YQ==,,$N,GET,http://shop/, ~ LIKELY
            ``                                          ~ $START000|200|20000               ~ LIKELY
            ``                                          ~ {"resourceSpans":[{"scopeSpans":[{"spans":[{"startTimeUnixNano":"$START000000","endTimeUnixNano":"$END000000"}]}]}]} ~ LIKELY
            ``                                          ~ [@START] "GET /a HTTP/1.1" 200 - 0 12 20 19 "-" "curl" "id" "shop" "10.0.0.1:80" ~ LIKELY
            ``                                          ~ 10.0.0.1 - - [14/Nov/2023:22:13:20 +0000] "GET /a HTTP/1.1" 200 12 "-" "curl" rt=0.020 msec=@UNIX ~ LIKELY
            """)
    void a_user_is_known_only_where_the_file_names_one(String head, String line, Certainty certainty)
            throws IOException {
        String text = (head.isEmpty() ? "" : head + "\n") + serial(line);
        for (int i = 0; i < 40; i++) {
            text = text.replaceFirst(
                            "@START",
                            Instant.ofEpochMilli(1_700_000_000_000L + 21L * i).toString())
                    .replaceFirst(
                            "@END",
                            Instant.ofEpochMilli(1_700_000_000_020L + 21L * i).toString())
                    .replaceFirst(
                            "@UNIX",
                            BigDecimal.valueOf(1_700_000_000_020L + 21L * i, 3).toString());
        }
        ResultCollector read = read(text.replace('|', '\t').getBytes(StandardCharsets.UTF_8));
        assertThat(read.count()).isEqualTo(40);
        AuditResult audited = Audit.of("file", read, 0.1).get(0);
        assertThat(audited.plan().orElseThrow().certainty()).isEqualTo(certainty);
        assertThat(audited.plan().orElseThrow().users()).contains(1L);
        assertThat(audited.rows().get(0).printedNanos()).isBetween(20_000_000L, 20_100_000L);
        assertThat(audited.lengthNanos()).isBetween(838_900_000L, 839_100_000L);
        assertThat(audited.findings()).extracting(AuditFinding::code).doesNotContain("failures", "cut_off");
    }

    @Test
    void spans_of_Jaeger_name_no_user() throws IOException {
        String spans =
                serial("{\"startTime\":$START000,\"duration\":20000}").strip().replace("\n", ",");
        ResultCollector read = read(("{\"traceID\":\"t\",\"spans\":[" + spans + "]}").getBytes(StandardCharsets.UTF_8));
        assertThat(read.count()).isEqualTo(40);
        assertThat(Audit.of("file", read, 0.1).get(0).plan().orElseThrow().certainty())
                .isEqualTo(Certainty.LIKELY);
    }

    private static String nginx(String times, String status) {
        return "10.0.0.1 - - [14/Nov/2023:22:13:20 +0000] \"GET /a HTTP/1.1\" " + status + " 12 " + times + "\n";
    }

    @Test
    void a_log_of_nginx_without_milliseconds_has_only_the_second_of_the_end() throws IOException {
        String log = nginx("rt=0.020", "200") + nginx("rt=0.020", "502") + nginx("\"0.020\"", "499");
        ResultCollector read = read(log.getBytes(StandardCharsets.UTF_8));
        assertThat(read.count()).isEqualTo(3);
        assertThat(Audit.of("file", read, 0.1).get(0).rows().get(0).printedNanos())
                .isBetween(20_000_000L, 20_100_000L);
        assertThat(findings(log))
                .extracting(AuditFinding::code)
                .contains("whole_seconds", "server_side", "failures")
                .doesNotContain("lines_left_out");
        assertThat(findings(nginx("rt=0.020 msec=1700000000.020", "200")))
                .extracting(AuditFinding::code)
                .doesNotContain("whole_seconds", "failures");
    }

    @Test
    void lines_of_a_log_without_a_duration_are_left_out_unless_they_are_most() throws IOException {
        String line = nginx("rt=0.020", "200");
        assertThat(findings(line + "starting\n"))
                .filteredOn(finding -> finding.code().equals("lines_left_out"))
                .extracting(AuditFinding::place)
                .containsExactly("line 2");
        assertThatThrownBy(() -> findings(line + "starting\n\nstarted\n"))
                .hasMessageEndingWith("only 1 of 3 lines have a time and a duration");
    }

    @Test
    void a_last_line_that_is_cut_off_is_left_out_with_a_note() throws IOException {
        String text = "timeStamp,elapsed,label,threadName,success\n1700000000000,20,home,Users 1-1,true\n"
                + "1700000000021,25,home,Users 1-1,true\n17000000";
        assertThat(read(text.getBytes(StandardCharsets.UTF_8)).count()).isEqualTo(2);
        assertThat(findings(text))
                .filteredOn(finding -> finding.code().equals("cut_off"))
                .extracting(AuditFinding::place)
                .containsExactly("line 4");
        assertThatThrownBy(() -> findings(text + "\n")).hasMessage("file: line 4: cell 2 is missing");
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '~', textBlock = """
            hey (CSV)         ~ 499 ~ 500
            oha (CSV)         ~ 499 ~ 500
            h2load --log-file ~ 399 ~ 400
            h2load --log-file ~ 200 ~ 199
            """)
    void a_status_is_a_failure_from_a_limit_on(String name, String good, String bad) throws IOException {
        String failing = new String(sample(name), StandardCharsets.UTF_8);
        assertThat(findings(failing.replaceAll("\\b500\\b", good)))
                .extracting(AuditFinding::code)
                .doesNotContain("failures");
        assertThat(findings(failing.replaceAll("\\b500\\b", bad)))
                .extracting(AuditFinding::code)
                .contains("failures");
    }

    // ---- histogram logs

    private static String interval(double from, double seconds, long... nanos) {
        Histogram histogram = new Histogram(3);
        LongStream.of(nanos).forEach(histogram::recordValue);
        ByteBuffer packed = ByteBuffer.allocate(histogram.getNeededByteBufferCapacity());
        int size = histogram.encodeIntoCompressedByteBuffer(packed);
        return String.format(
                Locale.ROOT,
                "%.3f,%.3f,%.3f,%s%n",
                from,
                seconds,
                histogram.getMaxValue() / 1e6,
                Base64.getEncoder().encodeToString(Arrays.copyOf(packed.array(), size)));
    }

    private static final String LOG = "#[Histogram log format version 1.3]\n"
            + "\"StartTimestamp\",\"Interval_Length\",\"Interval_Max\",\"Interval_Compressed_Histogram\"\n";

    @Test
    void the_intervals_of_a_histogram_log_are_added_up() throws IOException {
        String log = LOG
                + interval(5, 1, 1_000, 2_000)
                + "Tag=x," + interval(5, 1, 9_000)
                + "\n"
                + interval(6, 1.5, 1_000, 4_000);
        ResultCollector read = read(log.getBytes(StandardCharsets.UTF_8));
        Summary summary = read.summaries().get(0);
        assertThat(summary.count()).isEqualTo(4);
        assertThat(summary.lengthNanos()).isEqualTo(2_500_000_000L);
        assertThat(summary.percentiles().get(50.0)).isEqualTo(1_000);
        assertThat(summary.percentiles().get(99.0)).isBetween(4_000L, 4_003L);
        assertThat(summary.mean().orElseThrow()).isBetween(2_000L, 2_002L);
        assertThat(summary.isCorrected()).isFalse();
        assertThat(findings(log)).extracting(AuditFinding::code).doesNotContain("silent_intervals");
    }

    @Test
    void a_log_says_whether_it_is_corrected() throws IOException {
        String line = interval(0, 1, 1_000);
        assertThat(read((LOG + "# corrected for coordinated omission\n" + line).getBytes(StandardCharsets.UTF_8))
                        .summaries()
                        .get(0)
                        .isCorrected())
                .isTrue();
        assertThat(read((LOG + "# not corrected for coordinated omission\n" + line).getBytes(StandardCharsets.UTF_8))
                        .summaries()
                        .get(0)
                        .isCorrected())
                .isFalse();
    }

    /** At least four fifths of the silence. */
    @ParameterizedTest(name = "a time of {0} ms: {1}")
    @CsvSource({"1590, false", "1600, true", "2000, true"})
    void silent_intervals_before_a_time_as_long_are_a_stall(long millis, boolean isStall) throws IOException {
        String log = LOG
                + interval(5, 1, 1_000)
                + interval(6, 1)
                + interval(7, 1)
                + interval(8, 1, 1_000, millis * 1_000_000)
                + interval(9, 1)
                + interval(10, 1, 1_000);
        List<AuditFinding> silent = findings(log).stream()
                .filter(finding -> finding.code().equals("silent_intervals"))
                .toList();
        assertThat(silent).hasSize(isStall ? 1 : 0).allSatisfy(finding -> {
            assertThat(finding.place()).isEqualTo("from 1.00 s to 3.00 s");
            assertThat(finding.text()).startsWith("nothing was answered for 2.00 s, and the next interval has a time");
        });
    }

    @Test
    void a_line_that_is_no_interval_is_refused() {
        assertThatThrownBy(() -> findings(LOG + "0,1,2\n")).hasMessage("file: line 3: has 3 cells, but needs 4");
        assertThatThrownBy(() -> findings(LOG + "0,1,2,AAAA\n"))
                .hasMessage("file: line 3: its histogram is corrupt or cut off");
        assertThatThrownBy(() -> findings(LOG)).hasMessageContaining("no requests in it that were answered");
    }
}
