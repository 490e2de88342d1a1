package dev.downbeat.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.downbeat.exchange.ConnectionCounts;
import dev.downbeat.exchange.Exchange;
import dev.downbeat.exchange.Lane;
import dev.downbeat.exchange.Outcome;
import dev.downbeat.exchange.Target;
import dev.downbeat.exchange.TargetCounts;
import dev.downbeat.record.Distribution;
import dev.downbeat.record.Part;
import dev.downbeat.report.data.PositionReport;
import dev.downbeat.report.render.Page;
import dev.downbeat.report.render.Renderer;
import dev.downbeat.report.render.View;
import dev.downbeat.report.view.position.PositionVariantsView;
import dev.downbeat.report.view.position.PositionView;
import dev.downbeat.run.SerialPlan;
import dev.downbeat.run.SerialResult;
import dev.downbeat.run.engine.SerialRuns;
import dev.downbeat.selfcheck.GeneratorHealth;
import dev.downbeat.selfcheck.MachineProfile;
import dev.downbeat.stats.position.FirstRequestCost;
import dev.downbeat.stats.position.PositionFinding;
import dev.downbeat.testing.ParsedJson;
import dev.downbeat.testing.Replications;
import dev.downbeat.time.NanoClock;
import java.io.IOException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.IntSupplier;
import java.util.stream.LongStream;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class PositionReportTest {
    private static final long MS = 1_000_000;
    private static final MachineProfile MACHINE =
            new MachineProfile(2, -1, "Linux", "6", "amd64", "a JVM", List.of("a GC"), 40, 30, 60_000, "");

    /** How the made-up server ends connections. */
    private enum End {
        WITH_NOTICE,
        WITHOUT_NOTICE
    }

    /** Answers at once and says that it took a while: so no time passes in these tests. */
    private record MadeUp(End end, long seed, IntSupplier life, long handshakeNanos) implements Target {
        @Override
        public String describe() {
            return "a made-up server";
        }

        @Override
        public Lane open(int share, int shares, NanoClock clock, Exchange.Listener listener) {
            return new MadeUpLane(end, new SplittableRandom(seed + share), life, handshakeNanos, listener);
        }
    }

    private static final class MadeUpLane implements Lane {
        private final End end;
        private final SplittableRandom random;
        private final IntSupplier lives;
        private final long dearNanos;
        private final Exchange.Listener listener;
        private int position;
        private int life;
        private long opened;
        private long ended;

        MadeUpLane(End end, SplittableRandom random, IntSupplier lives, long dearNanos, Exchange.Listener listener) {
            this.end = end;
            this.random = random;
            this.lives = lives;
            this.dearNanos = dearNanos;
            this.listener = listener;
        }

        @Override
        public int capacity() {
            return 1;
        }

        @Override
        public void send(Exchange exchange) {
            if (position == 0) {
                opened++;
                life = lives.getAsInt();
                exchange.connectNanos = around(2 * MS);
                exchange.handshakeNanos = around(dearNanos);
            }
            exchange.position = ++position;
            exchange.firstByteAt =
                    exchange.startedAt + exchange.connectNanos + exchange.handshakeNanos + around(4 * MS);
            exchange.completedAt = exchange.firstByteAt + MS / 10;
            if (position > life) { // only without notice: the request meets a connection that is gone
                exchange.outcome = Outcome.failed("closed before the response");
            }
            if ((position == life && end == End.WITH_NOTICE) || position > life) {
                position = 0;
                ended++;
            }
            listener.completed(exchange);
        }

        private long around(long median) {
            return Math.round(median * Math.exp(0.3 * random.nextGaussian()));
        }

        @Override
        public void abandon(Exchange exchange) {}

        @Override
        public void poll(long untilAt) {}

        @Override
        public ConnectionCounts connections() {
            boolean notice = end == End.WITH_NOTICE;
            return new ConnectionCounts(opened, 0, 0, notice ? ended : 0, notice ? 0 : ended, 0, 0, 0);
        }

        @Override
        public void close() {}
    }

    private static PositionReport report(End end, long seed, IntSupplier life) throws IOException {
        return report(end, seed, life, 25 * MS);
    }

    private static PositionReport report(End end, long seed, IntSupplier life, long handshakeNanos) throws IOException {
        SerialPlan plan = new SerialPlan(40, 180, 2, 1, true, Duration.ofSeconds(5), seed);
        SerialResult result = new SerialRuns(plan, new MadeUp(end, seed, life, handshakeNanos)).run();
        return PositionReport.of(result, List.of("downbeat", "position"), "test", MACHINE);
    }

    /** A server with two requests in turn. */
    private record TwoRequests() implements Target {
        @Override
        public String describe() {
            return "a made-up shop";
        }

        @Override
        public List<String> names() {
            return List.of("list", "order");
        }

        @Override
        public Lane open(int share, int shares, NanoClock clock, Exchange.Listener listener) {
            return new MadeUpLane(End.WITH_NOTICE, new SplittableRandom(1), () -> 80, 25 * MS, listener);
        }

        @Override
        public int nameOf(Exchange exchange) {
            return (int) (exchange.index % 2);
        }
    }

    @Test
    void each_request_has_a_row() throws IOException {
        SerialResult result =
                new SerialRuns(new SerialPlan(2, 160, 2, 1, true, Duration.ofSeconds(5), 1), new TwoRequests()).run();
        PositionReport report = PositionReport.of(result, List.of("downbeat", "position"), "test", MACHINE);
        assertThat(report.byName()).containsOnlyKeys("list", "order");
        assertThat(report.byName().values()).extracting(Distribution::count).containsExactly(160L, 160L);
        assertThat(text(report)).contains("list ", "order ");
    }

    private static String text(PositionReport report) throws IOException {
        StringBuilder out = new StringBuilder();
        Renderer.TEXT.write(new PositionView(report), out);
        return out.toString();
    }

    private static String json(PositionReport report) throws IOException {
        StringBuilder out = new StringBuilder();
        Renderer.JSON.write(new PositionView(report), out);
        return out.toString();
    }

    @ParameterizedTest
    @EnumSource(End.class)
    void the_JSON_is_as_its_schema_says(End end) throws IOException {
        SchemaCheck.hold("position", new PositionView(report(end, 1, () -> 80)));
        SchemaCheck.hold(
                "position_variants", new PositionVariantsView(Map.of("c", report(end, 1, () -> 80)), Map.of(), false));
    }

    private static List<String> codes(PositionReport report) {
        return report.findings().stream().map(PositionFinding::code).toList();
    }

    @Test
    void a_close_after_80_requests_is_named_and_explained() throws IOException {
        PositionReport report = report(End.WITH_NOTICE, 1, () -> 80);
        assertThat(report.cost()).isPresent();
        assertThat(report.result().complete()).isTrue();
        assertThat(report.slowPlaces()).containsExactly(1, 81, 161);
        assertThat(report.period()).hasValue(80);
        assertThat(codes(report)).startsWith("closed_with_notice", "first_request_cost");
        String text = text(report).replaceAll("\\s+", " ");
        assertThat(text)
                .contains("80 of 80 connections ended after exactly 80 requests")
                .contains("98.75 % = 1 - 1/80")
                .contains("open the replacement connection in advance, after 70 requests")
                .contains("a larger pool does not help")
                .contains("with notice (`Connection: close`) 80, without notice 0");
    }

    private static Page page(Map<String, PositionReport> reports) {
        return new PositionVariantsView(reports, Map.of(), false).page();
    }

    /** The first connections of both cost the same, and the later ones of one client a tenth. */
    @Test
    void clients_are_compared_by_their_first_connections_and_by_their_later_ones() throws IOException {
        PositionReport always = with(report(End.WITH_NOTICE, 1, () -> 80), health(0, 0));
        PositionReport resuming = with(report(End.WITH_NOTICE, 1, () -> 80), health(0, 0));
        resuming.result()
                .runs()
                .forEach(run -> run.subList(1, run.size()).forEach(request -> {
                    request.completedAt -= request.handshakeNanos * 9 / 10;
                    request.firstByteAt -= request.handshakeNanos * 9 / 10;
                    request.handshakeNanos -= request.handshakeNanos * 9 / 10;
                }));
        Map<String, PositionReport> reports = new LinkedHashMap<>();
        reports.put("always", always);
        reports.put("resuming", PositionReport.of(resuming.result(), List.of("downbeat"), "test", MACHINE));
        assertThat(page(reports).head().headline())
                .matches(
                        "Connections end after 80 requests; a client's first connection costs [0-9.]+ ms to [0-9.]+ ms:"
                                + " no clear difference; a later one [0-9.]+ ms with resuming, [0-9.]+ ms with always[.]");
        StringBuilder text = new StringBuilder();
        Renderer.TEXT.write(new PositionVariantsView(reports, Map.of(), false), text);
        assertThat(text).contains("later +");
    }

    /** A new connection is dear to one and cheap to the other; both are closed after 80. */
    @Test
    void clients_are_drawn_side_by_side_on_the_same_axes_and_the_headline_compares_their_new_connections()
            throws IOException {
        Map<String, PositionReport> reports = new LinkedHashMap<>();
        reports.put("transport=downbeat", with(report(End.WITH_NOTICE, 1, () -> 80), health(0, 0)));
        reports.put("transport=netty", with(report(End.WITH_NOTICE, 2, () -> 80, 90 * MS), health(0, 0)));
        String headline = page(reports).head().headline();
        assertThat(headline)
                .matches("Connections end after 80 requests; a new connection costs 2[0-9.]+ ms with"
                        + " transport=downbeat, [0-9.]+ ms with transport=netty[.]");
        assertThat(headline.split(" ")).hasSizeLessThanOrEqualTo(20);
        StringBuilder html = new StringBuilder();
        Renderer.HTML.write(new PositionVariantsView(reports, Map.of(), false), html);
        assertThat(html).doesNotContain("none found");
        PageReader page = PageReader.of(html.toString());
        assertThat(page.sections()).contains("clients", "curve-1", "curve-2");
        assertThat(page.section("clients").getTextContent())
                .containsPattern("transport=downbeat.*ms2[0-9.]+ ms.*after 80")
                .containsPattern("transport=netty.*ms9[0-9.]+ ms.*after 80");
        assertThat(axis(page, "curve-1")).hasSizeGreaterThan(4).isEqualTo(axis(page, "curve-2"));
        reports.put("transport=netty", reports.get("transport=downbeat"));
        assertThat(page(reports).head().headline()).endsWith(" ms: no clear difference.");
        reports.put(
                "transport=netty", with(report(End.WITH_NOTICE, 2, () -> 80, 150 * MS), health(300 * MS, 300 * MS)));
        assertThat(page(reports).head().headline()).startsWith("These numbers are unsound: ");
        assertThat(page(reports).notes())
                .singleElement()
                .satisfies(note ->
                        assertThat(note.text()).startsWith("transport=netty: Downbeat itself was paused for 300 ms"));
    }

    @Test
    void a_client_that_was_interrupted_is_named() throws IOException {
        PositionReport whole = report(End.WITH_NOTICE, 1, () -> 80);
        Map<String, PositionReport> reports = new LinkedHashMap<>(Map.of("transport=downbeat", whole));
        assertThat(page(reports).head().partial()).isEmpty();
        reports.put("transport=netty", with(whole, health(0, 0), false));
        assertThat(page(reports).head().partial())
                .hasValue("INCOMPLETE: transport=netty: 7,200 of 7,200 requests counted");
    }

    /** The least percentile is not that of a period of one. */
    @Test
    void connections_for_one_request_each_have_no_last_place() throws IOException {
        PositionReport once = report(End.WITH_NOTICE, 1, () -> 1);
        assertThat(once.period()).hasValue(1);
        assertThat(new PositionView(once).page().facts())
                .filteredOn(fact -> fact.label().equals("spectrum"))
                .singleElement()
                .satisfies(fact -> assertThat(fact.text()).startsWith("p50 "));
    }

    /** Its ticks, each with its place. */
    private static List<String> axis(PageReader page, String id) {
        return PageReader.in(page.section(id), "text").stream()
                .filter(text -> text.getTextContent().matches("[0-9.]+( m?s)?"))
                .map(text -> text.getAttribute("x") + " " + text.getAttribute("y") + " " + text.getTextContent())
                .toList();
    }

    @Test
    void the_screen_has_80_columns() throws IOException {
        for (End end : End.values()) {
            assertThat(text(report(end, 2, () -> 80)).lines()).allMatch(line -> line.length() <= 80);
        }
    }

    /** Each of the 40 runs is a client that opens three connections, the first of which has nothing to resume. */
    @Test
    void resumption_is_not_advised_to_clients_that_always_resume() throws IOException {
        PositionReport report = report(End.WITH_NOTICE, 1, () -> 80);
        for (int resumed : new int[] {79, 80}) {
            ConnectionCounts counts = new ConnectionCounts(120, resumed, 0, 80, 0, 0, 40, 0);
            boolean isAdvised = with(report, counts, health(0, 0), true).advice().stream()
                    .anyMatch(advice -> advice.startsWith("resume TLS sessions"));
            assertThat(isAdvised).as("%s resumed", resumed).isEqualTo(resumed == 79);
        }
    }

    /** A handshake through a tunnel includes the time of the proxy, which resumption does not shorten. */
    @Test
    void a_proxys_tunnel_is_named_and_no_resumption_is_advised() throws IOException {
        SerialResult made = report(End.WITH_NOTICE, 1, () -> 80).result();
        SerialResult tunnelled = new SerialResult(
                made.plan(),
                made.target(),
                made.started(),
                made.durationNanos(),
                made.usualRunNanos(),
                made.runs(),
                new ConnectionCounts(120, 0, 0, 80, 0, 0, 40, 0),
                new TargetCounts(Map.of(TargetCounts.TUNNELS, 120L)),
                made.failures(),
                true,
                made.health(),
                made.names());
        PositionReport report = PositionReport.of(tunnelled, List.of("downbeat", "position"), "test", MACHINE);
        assertThat(report.advice()).noneMatch(advice -> advice.startsWith("resume TLS sessions"));
        assertThat(text(report).replaceAll("\\s+", " ")).contains("consisting of proxy tunnel and TLS handshake");
    }

    @Test
    void the_parts_of_the_first_request_add_up() throws IOException {
        FirstRequestCost cost = report(End.WITH_NOTICE, 3, () -> 80).cost().orElseThrow();
        assertThat(cost.partsNanos().values().stream()
                        .mapToLong(Long::longValue)
                        .sum())
                .isEqualTo(cost.costNanos());
        assertThat(cost.partsNanos().get(Part.HANDSHAKE)).isBetween(20 * MS, 30 * MS);
    }

    @Test
    void a_drop_without_notice_is_found_though_it_costs_a_request() throws IOException {
        PositionReport report = report(End.WITHOUT_NOTICE, 4, () -> 80);
        assertThat(codes(report)).contains("closed_without_notice");
        assertThat(report.lives().usual()).isEqualTo(80);
        assertThat(text(report).replaceAll("\\s+", " ")).contains("failed closed before the response 80");
    }

    static LongStream seeds() {
        return LongStream.rangeClosed(1, Replications.of(20, 2));
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void random_closes_are_not_called_periodic(long seed) throws IOException {
        SplittableRandom random = new SplittableRandom(seed);
        IntSupplier drawn = () -> {
            synchronized (random) {
                return random.nextInt(20, 120);
            }
        };
        PositionReport report = report(End.WITH_NOTICE, seed, drawn);
        assertThat(codes(report))
                .contains("closed_irregularly", "first_request_cost")
                .doesNotContain("period", "closed_with_notice", "step_explained");
        assertThat(report.slowPlaces()).containsExactly(1);
    }

    @Test
    void the_JSON_holds_all_of_it() throws IOException {
        PositionReport report = report(End.WITH_NOTICE, 5, () -> 80);
        String json = json(report);
        assertThat(json)
                .contains("\"kind\": \"position\"")
                .contains("\"usual\": 80")
                .contains("\"handshake_ns\": ")
                .contains("\"code\": \"closed_with_notice\"")
                .contains("{ \"place\": 180, \"count\": 40");
        assertThat(ParsedJson.parse(json)).isNotNull();
        StringBuilder variants = new StringBuilder();
        Renderer.JSON.write(new PositionVariantsView(Map.of("transport=netty", report), Map.of(), false), variants);
        assertThat(ParsedJson.parse(variants.toString()).at("variants").items())
                .singleElement()
                .satisfies(variant -> {
                    assertThat(variant.at("variant").text()).isEqualTo("transport=netty");
                    assertThat(variant.at("positions.headline").text())
                            .isEqualTo(new PositionView(report).page().head().headline());
                });
    }

    /** With life 0 each request meets a connection that is gone. */
    @Test
    void runs_without_an_answer_are_neither_sound_nor_too_few() throws IOException {
        PositionReport report = report(End.WITHOUT_NOTICE, 8, () -> 0);
        assertThat(report.answered()).isZero();
        assertThat(report.isSound()).isFalse();
        assertThat(text(report).replaceAll("\\s+", " "))
                .contains("Nothing was measured: no request was answered: closed before the response.")
                .contains("UNSOUND");
    }

    @Test
    void advice_is_given_once() throws IOException {
        String text = text(report(End.WITH_NOTICE, 6, () -> 80)).replaceAll("\\s+", " ");
        assertThat(text.split("replacement", -1)).hasSize(2);
    }

    @Test
    void a_process_that_was_paused_or_was_late_is_not_to_be_trusted() throws IOException {
        PositionReport report = report(End.WITH_NOTICE, 7, () -> 80, 150 * MS);
        assertThat(with(report, health(0, 0)).exitCode(false)).isZero();
        assertThat(with(report, health(30 * MS, 30 * MS)).exitCode(false)).isZero();
        PositionReport still = with(report, health(300 * MS, 300 * MS));
        assertThat(still.exitCode(false)).isEqualTo(98);
        assertThat(text(still).replaceAll("\\s+", " "))
                .contains("These numbers are unsound: Downbeat itself was paused for 300 ms (ending at 1.0 s)");
        PositionReport late = with(report, health(15 * MS, 900 * MS));
        assertThat(late.exitCode(false)).isEqualTo(98);
        assertThat(late.exitCode(true)).isZero();
        for (boolean accepted : List.of(true, false)) {
            StringBuilder xml = new StringBuilder();
            Renderer.JUNIT.write(new PositionView(late, accepted), xml);
            assertThat(xml).contains(" errors=\"" + (accepted ? 0 : 1) + "\"");
        }
        assertThat(json(late))
                .contains("\"sound\": false")
                .containsPattern("\"code\": \"often_late\",\\s+\"doubt\": true");
        assertThat(text(late)).contains("waited for a processor, for 9");
    }

    /** Ten seconds with this longest standstill and this sum of them. */
    private static GeneratorHealth health(long largestNanos, long sumNanos) {
        return new GeneratorHealth(10_000 * MS, 0, largestNanos, 1_000 * MS, sumNanos, 0, 0, 0, 0);
    }

    private static PositionReport with(PositionReport report, GeneratorHealth health) {
        return with(report, health, report.result().complete());
    }

    private static PositionReport with(PositionReport report, GeneratorHealth health, boolean complete) {
        return with(report, report.result().connections(), health, complete);
    }

    private static PositionReport with(
            PositionReport report, ConnectionCounts connections, GeneratorHealth health, boolean complete) {
        SerialResult result = report.result();
        SerialResult other = new SerialResult(
                result.plan(),
                result.target(),
                result.started(),
                result.durationNanos(),
                result.usualRunNanos(),
                result.runs(),
                connections,
                result.counts(),
                result.failures(),
                complete,
                health,
                List.of());
        return PositionReport.of(other, report.command(), report.version(), report.machine());
    }

    @Test
    void one_run_is_too_little_to_tell() throws IOException {
        SerialPlan plan = new SerialPlan(1, 3, 1, 1, true, Duration.ofSeconds(5), 1);
        SerialResult result = new SerialRuns(plan, new MadeUp(End.WITH_NOTICE, 1, () -> 80, 25 * MS)).run();
        PositionReport report = PositionReport.of(result, List.of(), "test", MACHINE);
        assertThat(report.exitCode(false)).isEqualTo(98);
        assertThat(text(report)).contains("too few requests to detect an effect");
    }

    /** As a client reports it that shows responses only; without what the connections cost if they cost nothing. */
    private static PositionReport unseen(PositionReport seen, boolean isFree) {
        seen.result().runs().stream().flatMap(List::stream).forEach(exchange -> {
            exchange.position = 0;
            long nanos = isFree ? exchange.connectNanos + exchange.handshakeNanos : 0;
            exchange.connectNanos = 0;
            exchange.handshakeNanos = 0;
            exchange.firstByteAt -= nanos;
            exchange.completedAt -= nanos;
        });
        return with(seen, health(0, 0));
    }

    /** However many runs there were, they ended with 98. */
    @Test
    void first_requests_of_runs_decide_if_connections_are_not_seen() throws IOException {
        PositionReport dear = unseen(report(End.WITH_NOTICE, 1, () -> 180), false);
        assertThat(new PositionView(dear).page().head().headline()).startsWith("The first request of a run takes ");
        assertThat(dear.exitCode(false)).isZero();
        PositionReport free = unseen(report(End.WITH_NOTICE, 1, () -> 180), true);
        assertThat(new PositionView(free).page().head().headline())
                .isEqualTo("Times do not depend on the position of a request in its run.");
        assertThat(free.exitCode(false)).isZero();
    }

    /** There is a finding, but no request to compare the first ones with. */
    @Test
    void a_finding_does_not_hide_that_the_cost_of_a_connection_is_undecided() throws IOException {
        PositionReport once = with(report(End.WITH_NOTICE, 1, () -> 1), health(0, 0));
        assertThat(once.findings()).isNotEmpty();
        assertThat(once.exitCode(false)).isEqualTo(98);
        for (View view :
                List.of(new PositionView(once), new PositionVariantsView(Map.of("http=1.1", once), Map.of(), false))) {
            assertThat(view.page().answers())
                    .filteredOn(answer -> answer.mark() == Page.Mark.OPEN)
                    .singleElement()
                    .satisfies(answer -> assertThat(answer.summary())
                            .isEqualTo("what a new connection costs: that takes 6 answered first requests and 6"
                                    + " others"));
            StringBuilder xml = new StringBuilder();
            Renderer.JUNIT.write(view, xml);
            assertThat(xml).contains("failures=\"0\" errors=\"1\"");
        }
    }

    /** Only the exit code told of it. */
    @Test
    void a_client_that_could_not_be_measured_is_named_in_every_format() throws IOException {
        PositionReport whole = with(report(End.WITH_NOTICE, 1, () -> 80), health(0, 0));
        PositionVariantsView view =
                new PositionVariantsView(Map.of("http=1.1", whole), Map.of("http=2", "connection refused"), true);
        assertThat(view.passes()).isFalse();
        assertThat(view.page().head().partial()).hasValue("INCOMPLETE: http=2: connection refused");
        for (Renderer renderer :
                List.of(Renderer.TEXT, Renderer.HTML, Renderer.MARKDOWN, Renderer.JSON, Renderer.JUNIT)) {
            StringBuilder page = new StringBuilder();
            renderer.write(view, page);
            assertThat(page).contains("http=2", "connection refused");
            assertThat(renderer != Renderer.JUNIT || page.indexOf("failures=\"0\" errors=\"1\"") > 0)
                    .isTrue();
        }
    }
}
