package dev.downbeat.report.view;

import static org.assertj.core.api.Assertions.assertThat;

import dev.downbeat.event.Incident;
import dev.downbeat.report.PageReader;
import dev.downbeat.report.Samples;
import dev.downbeat.report.SchemaCheck;
import dev.downbeat.report.SimulatedRun;
import dev.downbeat.report.data.Diagnosis;
import dev.downbeat.report.data.RunReport;
import dev.downbeat.report.render.Renderer;
import dev.downbeat.report.render.Renderer.TerminalStyle;
import dev.downbeat.report.render.View;
import dev.downbeat.why.Event;
import dev.downbeat.why.EventCause;
import dev.downbeat.why.EventKind;
import dev.downbeat.why.Explanation;
import dev.downbeat.why.WatchResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/** Runs whose service was watched. The files are written anew as those of {@link dev.downbeat.report.GoldenFileTest}. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
@Isolated
class WhyPagesTest {
    private static final long SECOND = 1_000_000_000L;
    private static final List<String> COMMAND = List.of("downbeat", "explain", "run.downbeat", "--jfr", "app.jfr");
    private static final Map<String, Renderer> RENDERERS = new TreeMap<>(
            Map.of("txt", Renderer.TEXT, "md", Renderer.MARKDOWN, "json", Renderer.JSON, "xml", Renderer.JUNIT));

    private static RunReport stalled() {
        return Samples.report(
                new SimulatedRun(500, 20, 200_000_000, 8 * SECOND).result(), "p90<5ms", "p99<50ms", "errors<1%");
    }

    private static Diagnosis why(RunReport report) {
        return Samples.why(report, 8 * SECOND, SimulatedRun.STALL_NANOS);
    }

    private static String text(View view, Renderer renderer) throws IOException {
        StringBuilder text = new StringBuilder();
        renderer.write(view, text);
        return text.toString();
    }

    private static String page(String name, View view) throws IOException {
        String page = text(view, Renderer.HTML);
        String kept = System.getProperty("downbeat.pages");
        if (kept != null) {
            Files.writeString(Path.of(kept, name + ".html"), page);
        }
        return page;
    }

    @Test
    void every_format_is_as_in_its_file() throws IOException {
        RunReport report = stalled();
        for (Map.Entry<String, Renderer> renderer : RENDERERS.entrySet()) {
            Samples.hold(
                    "why." + renderer.getKey(),
                    text(new RunView(Samples.explained(report, why(report))), renderer.getValue()));
            Samples.hold(
                    "explain." + renderer.getKey(),
                    text(new ExplainView(Samples.explained(report, why(report)), COMMAND), renderer.getValue()));
        }
        Samples.hold("why.html", page("why", new RunView(Samples.explained(report, why(report)))));
        Samples.hold("explain.html", page("explain", new ExplainView(Samples.explained(report, why(report)), COMMAND)));
    }

    @Test
    void the_headline_says_what_the_service_did_during_the_incident() {
        RunReport report = stalled();
        assertThat(new RunView(Samples.explained(report, why(report)))
                        .page()
                        .head()
                        .headline())
                .contains("one 1.4")
                .endsWith("; 1 full GC (G1 Full, System.gc()) accounts for 81 % of it.");
    }

    /** Two locks, of which one fell on the incident: chance has as many in the run as a whole. */
    @Test
    void an_incident_has_its_own_cause_in_the_lanes_and_in_the_tables_where_the_tail_as_a_whole_has_none()
            throws IOException {
        RunReport report = stalled();
        Incident incident = report.analysis().events().get(0);
        WatchResult locks = new WatchResult(
                "jvm:4711",
                List.of(
                        new Event(EventKind.LOCK_WAIT, 3 * SECOND, SECOND / 2, "Orders.lock"),
                        new Event(EventKind.LOCK_WAIT, 8 * SECOND, SECOND, "Orders.lock"),
                        new Event(EventKind.SAFEPOINT, SECOND, 9_000_000, "")),
                0,
                20 * SECOND,
                0,
                List.of());
        EventCause lock = new EventCause(EventKind.LOCK_WAIT, List.of(), 1, 1, 0.9, 1, 0.01, "Orders.lock");
        Diagnosis why = new Diagnosis(
                List.of(locks),
                List.of(
                        new Explanation(new Explanation.Tail(99), 1_000_000, 100, List.of(), 1, List.of()),
                        new Explanation(
                                new Explanation.During(incident), 1_000_000, 100, List.of(lock), 0, List.of())));
        StringBuilder screen = new StringBuilder();
        new TerminalStyle(false, false, 80).write(new ExplainView(Samples.explained(report, why), COMMAND), screen);
        assertThat(screen.toString())
                .startsWith("Lock waits (Orders.lock) explain 1 of 1 incident.")
                .contains("1 lock wait (Orders.lock) accounts for")
                .contains("the incident at 8.0 s")
                .doesNotContain("safepoint");
        assertThat(screen.toString().lines().count()).as("%s", screen).isLessThan(24);
        String html = text(new RunView(Samples.explained(report, why)), Renderer.HTML);
        PageReader page = PageReader.of(html);
        assertThat(PageReader.readings(page.pictures().get(0)))
                .anyMatch(words -> words.contains("; explained by lock wait 1.00 s (Orders.lock)"))
                .anyMatch(words -> words.contains("; lock wait 500 ms"));
        assertThat(page.section("heatmap").getTextContent())
                .contains("1 of 1 incident explained", "1 of 2 lock waits, up to 1.00 s at 8.0 s", "1 safepoint");
        assertThat(html).contains("the incident at 8.0 s");
    }

    @Test
    void a_service_that_could_not_be_watched_is_reported_and_nothing_else_changes() throws IOException {
        RunReport report = stalled();
        Diagnosis nothing = new Diagnosis(List.of(WatchResult.nothing("jvm:1", "no JVM has this number")), List.of());
        RunView view = new RunView(Samples.explained(report, nothing));
        assertThat(view.page().head().headline())
                .isEqualTo(new RunView(report).page().head().headline());
        assertThat(text(view, Renderer.TEXT))
                .contains("jvm:1: no JVM has this number")
                .doesNotContain("  why ");
        assertThat(text(new ExplainView(Samples.explained(report, nothing), COMMAND), Renderer.TEXT))
                .startsWith("The service could not be watched.");
        assertThat(PageReader.of(text(view, Renderer.HTML)).sections()).doesNotContain("why", "events");
    }

    @Test
    void where_events_explain_nothing_nothing_is_claimed() throws IOException {
        RunReport report = stalled();
        WatchResult calm = new WatchResult(
                "jvm:4711",
                List.of(new Event(EventKind.COLLECTION_PAUSE, SECOND, 8_000_000, "G1 New")),
                0,
                20 * SECOND,
                0,
                List.of());
        Diagnosis why = new Diagnosis(
                List.of(calm),
                List.of(new Explanation(new Explanation.Tail(99), 1_000_000, 100, List.of(), 1, List.of("a note"))));
        String text =
                text(new RunView(Samples.explained(report, why)), Renderer.TEXT).replaceAll("\\s+", " ");
        assertThat(text)
                .contains("why no watched event explains the tail: 1 GC pause coincided with")
                .contains("note a note");
        PageReader page = PageReader.of(text(new RunView(Samples.explained(report, why)), Renderer.HTML));
        assertThat(page.sections()).contains("heatmap").doesNotContain("why");
        assertThat(page.section("heatmap").getTextContent()).contains("1 GC pause, 8.00 ms at 1.0 s");
    }

    @Test
    void the_JSON_is_as_its_schema_says() throws IOException {
        RunReport report = stalled();
        SchemaCheck.hold("run", new RunView(Samples.explained(report, why(report))));
        SchemaCheck.hold("explanation", new ExplainView(Samples.explained(report, why(report)), COMMAND));
        SchemaCheck.hold("explanation", new ExplainView(Samples.explained(report, Diagnosis.NONE), COMMAND));
    }

    /** All kinds, as many events as a run keeps: most of them fall on a spot that is taken. */
    @Test
    void a_page_with_a_hundred_thousand_events_takes_at_most_4_600_bytes_a_kind() throws IOException {
        RunReport report = Samples.report(new SimulatedRun(500, 60, 200_000_000, 8 * SECOND).result(), "p99<50ms");
        List<Event> events = new ArrayList<>();
        List<EventKind> kinds = List.of(EventKind.values());
        for (int i = 0; i < 100_000; i++) {
            EventKind kind = kinds.get(i % kinds.size());
            events.add(new Event(kind, i * 600_000L * (1 + i % 7) % (60 * SECOND), i % 900_000, "some | detail " + i));
        }
        WatchResult all = new WatchResult("jvm:4711", events, 0, 60 * SECOND, 0, List.of());
        Diagnosis why = new Diagnosis(List.of(all), why(report).explanations());
        String page = page("events", new RunView(Samples.explained(report, why)));
        assertThat(page.length()).isLessThan(4_600 * kinds.size());
        assertThat(PageReader.of(page).section("heatmap").getTextContent())
                .contains("full GCs, up to")
                .contains("of " + (EventKind.values().length - 8) + " more kinds");
        String shown = page.substring(page.indexOf("<main"), page.indexOf("</main>"));
        assertThat(shown).doesNotContain("NaN", "Infinity", "E-", "null");
    }

    @Test
    void events_outside_the_run_are_not_drawn_and_break_no_page() throws IOException {
        RunReport report = stalled();
        WatchResult outside = new WatchResult(
                "jvm:4711",
                List.of(
                        new Event(EventKind.SAFEPOINT, -3 * SECOND, SECOND, ""),
                        new Event(EventKind.SAFEPOINT, 300 * SECOND, SECOND, ""),
                        new Event(EventKind.LOCK_WAIT, -SECOND, 2 * SECOND, "Orders.lock")),
                -5 * SECOND,
                400 * SECOND,
                0,
                List.of());
        String page =
                text(new RunView(Samples.explained(report, new Diagnosis(List.of(outside), List.of()))), Renderer.HTML);
        assertThat(PageReader.of(page).section("heatmap").getTextContent()).contains("2 safepoints", "1 lock wait");
        assertThat(page).contains("d=\"M0 0h").contains("; lock wait 2.00 s");
    }
}
