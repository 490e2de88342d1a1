package dev.downbeat.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.downbeat.loopback.LoopbackServer;
import dev.downbeat.loopback.options.LoopbackOptions;
import dev.downbeat.testing.FreePort;
import dev.downbeat.testing.NotShown;
import dev.downbeat.testing.ParsedJson;
import dev.downbeat.time.ServiceLaw;
import dev.downbeat.time.Stall;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.openqa.selenium.By;
import org.openqa.selenium.WebDriverException;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.interactions.Actions;

/**
 * The page of a run against a service that stalls, in a real browser. Without Chromium and its driver the build lists these
 * tests as NOT SHOWN.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class ReportInBrowserTest {
    private static final String STRICT = "sandbox; default-src 'none'; img-src 'self'; style-src 'self';";
    private static final int RESPONSE = 0xc2410c;
    private static final int SERVICE = 0x0369a1;
    private static final int DARK_PAPER = 0x0f1419;

    @TempDir
    private static Path folder;

    private Optional<Browser> started = Optional.empty();
    private Path page = Path.of("none");
    private ParsedJson saved = ParsedJson.parse("{}");
    private String unfolded = "";
    private boolean staysUnfolded;
    private String icon = "";
    private final List<String> live = new ArrayList<>();
    private boolean isOneDocument;
    private String over = "";
    private String savedPage = "";
    private final List<Boolean> asks = new ArrayList<>();

    @BeforeAll
    void run_and_open() throws IOException {
        if (!Browser.isInstalled()) {
            throw NotShown.because(
                    "no browser", "the report in a browser; install chromium and chromium-driver to have it tested");
        }
        page = folder.resolve("report.html");
        Path json = folder.resolve("report.json");
        started = Optional.of(Browser.start(folder.resolve("profile"), FreePort.find()));
        // the first page after the browser's start may take longer than the run
        started.orElseThrow().driver().get("data:text/html,<svg></svg>");
        for (int runs = 0; runs < 5 && !isSeenRunning(); runs++) { // on a busy machine the browser may miss a run
            live.clear();
            run(json);
        }
        assertThat(isSeenRunning()).as("a live page with charts among %s", live).isTrue();
        assertThat(live).as("the counts so far").anyMatch(text -> text.matches("(?s).*So far: done [1-9].*"));
        isOneDocument =
                Boolean.TRUE.equals(awaitFinalPage().driver().executeScript("return window.notReloaded === true"));
        staysUnfolded = (boolean) started.orElseThrow()
                .driver()
                .executeScript("return document.getElementById(arguments[0]).open", unfolded);
        icon = (String) started.orElseThrow()
                .driver()
                .executeScript("return document.querySelector('link[rel=icon]').getAttribute('href')");
        over = started.orElseThrow().driver().findElement(By.id("over")).getText();
        asks.add(asksBeforeReload());
        savedPage = savedByButton();
        asks.add(asksBeforeReload());
        saved = ParsedJson.parse(Files.readString(json));
        live.add(text(started.orElseThrow()));
    }

    private void run(Path json) throws IOException {
        int port = FreePort.find();
        try (LoopbackServer server = LoopbackServer.start(LoopbackOptions.of(draft -> {
                    draft.delay = ServiceLaw.parse("2ms");
                    draft.stalls = List.of(new Stall(1_000_000_000, 1_000_000_000, 0));
                }));
                Cli run = Cli.start(("run -q " + server.uri() + " -R 400 -d 4s -c 8 --slo p90<10ms --live-page :" + port
                                + " -o " + page + " -o " + json + " -o " + folder.resolve("a.downbeat"))
                        .split(" "))) {
            collectLivePages(run, port);
            if (isSeenRunning()) {
                unfolded = (String) started.orElseThrow()
                        .driver()
                        .executeAsyncScript("const done = arguments[0]; window.notReloaded = true; const look = () => {"
                                + "const folded = document.querySelector('main > details');"
                                + "if (folded) { folded.open = true; done(folded.id); } else { setTimeout(look, 50); } };"
                                + "look();");
            }
            run.end(Duration.ofMinutes(1));
        }
    }

    private boolean isSeenRunning() {
        return live.stream().anyMatch(text -> text.contains("RUNNING") && text.contains("Times by percentile"));
    }

    /** Collects what the browser shows until it is a page with charts, which from then on updates itself. */
    private void collectLivePages(Cli run, int port) {
        Browser browser = started.orElseThrow();
        while (run.isRunning() && !isSeenRunning()) {
            try {
                new Socket(InetAddress.getLoopbackAddress(), port).close();
                browser.driver().get("http://127.0.0.1:" + port + "/");
                live.add(text(browser));
            } catch (IOException | WebDriverException notYet) {
                LockSupport.parkNanos(50_000_000);
            }
        }
    }

    /** Waits until the script has inserted the final state. */
    private Browser awaitFinalPage() {
        Browser browser = started.orElseThrow();
        for (int i = 0;
                i < 1_200 && browser.driver().findElements(By.id("over")).isEmpty();
                i++) {
            LockSupport.parkNanos(50_000_000);
        }
        return browser;
    }

    /** Whether the page asks before a reload, which would lose it since its server has gone. */
    private boolean asksBeforeReload() {
        return Boolean.TRUE.equals(started.orElseThrow()
                .driver()
                .executeScript("const leave = new Event('beforeunload', {cancelable: true});"
                        + "dispatchEvent(leave); return leave.defaultPrevented"));
    }

    /** The file that the save button offers. */
    private String savedByButton() {
        return (String) Objects.requireNonNull(started.orElseThrow()
                .driver()
                .executeAsyncScript("const done = arguments[arguments.length - 1]; const made = URL.createObjectURL;"
                        + "URL.createObjectURL = blob => { blob.text().then(done); return made(blob); };"
                        + "document.querySelector('#over button').click()"));
    }

    private static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    private static String text(Browser browser) {
        return browser.driver().findElement(By.tagName("body")).getText();
    }

    @Test
    void the_page_is_live_during_the_run_and_complete_after_it() {
        assertThat(live).anyMatch(text -> text.contains("RUNNING") && text.contains("Times by percentile"));
        assertThat(live.get(live.size() - 1))
                .doesNotContain("RUNNING")
                .contains("Missed p90 < 10 ms", "Where every request went");
        assertThat(live.subList(0, live.size() - 1)).noneMatch(text -> text.contains("unsound:"));
        assertThat(isOneDocument).as("updated without a reload").isTrue();
        assertThat(staysUnfolded).as(unfolded).isTrue();
        assertThat(text(page)).contains("<link rel=\"icon\" href=\"" + icon + "\"/>");
        assertThat(over).startsWith("The run has ended").endsWith("Save this page");
        assertThat(savedPage).isEqualTo(text(page));
        assertThat(asks).as("asks before a reload until the page is saved").containsExactly(true, false);
    }

    @AfterAll
    void close() {
        started.ifPresent(Browser::close);
    }

    private Browser opened() {
        Browser browser = started.orElseThrow();
        browser.theme("light");
        browser.size(1180, 2400);
        browser.driver().get(page.toUri().toString());
        return browser;
    }

    @Test
    void it_requests_nothing_but_itself_and_logs_nothing() {
        Browser browser = started.orElseThrow();
        browser.requests();
        browser.consoleMessages();
        opened();
        assertThat(browser.requests()).containsOnly(page.toUri().toString());
        assertThat(browser.consoleMessages()).isEmpty();
    }

    @Test
    void all_pictures_are_there_and_have_their_size() {
        Browser browser = opened();
        for (String id :
                List.of("spectrum", "heatmap", "times", "rates", "backlog", "connections", "tail", "examples")) {
            WebElement picture = browser.driver().findElement(By.cssSelector("#" + id + " svg"));
            assertThat(picture.getSize().getWidth()).as(id).isGreaterThan(700);
            assertThat(picture.getSize().getHeight()).as(id).isGreaterThan(100);
        }
    }

    @Test
    void its_table_is_that_of_the_result() {
        String p99 = opened().driver()
                .findElement(By.cssSelector("#percentiles tbody tr:nth-child(4)"))
                .getText();
        long nanos = saved.at("response.p99_ns").whole();
        assertThat(p99).contains(dev.downbeat.time.DurationText.rounded(nanos));
    }

    @Test
    void values_are_read_off_under_the_pointer_and_with_the_keys() {
        Browser browser = opened();
        WebElement picture = browser.driver().findElement(By.cssSelector("#times svg"));
        new Actions(browser.driver()).moveToElement(picture, 200, 0).perform();
        List<String> readings = new ArrayList<>(List.of(reading(browser)));
        browser.driver().executeScript("arguments[0].focus()", picture);
        for (int step = 0; step < 10; step++) {
            new Actions(browser.driver())
                    .sendKeys(org.openqa.selenium.Keys.ARROW_LEFT)
                    .perform();
            readings.add(reading(browser));
        }
        assertThat(readings)
                .doesNotHaveDuplicates()
                .allSatisfy(reading -> assertThat(reading).containsPattern("[0-9] s to [0-9]"));
        // On a busy machine some of these intervals have no request.
        assertThat(readings).anySatisfy(reading -> assertThat(reading).contains("max"));
    }

    private static String reading(Browser browser) {
        return browser.driver()
                .findElement(By.cssSelector("#times .reading text"))
                .getText();
    }

    @Test
    void it_is_dark_for_those_who_want_it_dark() {
        Browser browser = opened();
        int all =
                browser.colours().values().stream().mapToInt(Integer::intValue).sum();
        browser.theme("dark");
        assertThat(browser.colours().getOrDefault(DARK_PAPER, 0)).isGreaterThan(all / 2);
    }

    @Test
    void on_a_phone_only_the_pictures_scroll_sideways() {
        Browser browser = opened();
        browser.size(390, 844);
        Object width = browser.driver().executeScript("return document.documentElement.scrollWidth");
        assertThat(((Number) java.util.Objects.requireNonNull(width)).intValue())
                .isLessThanOrEqualTo(390);
    }

    @Test
    void pages_of_two_results_are_as_quiet_and_fit_a_phone_too() throws IOException {
        String one = folder.resolve("a.downbeat").toString();
        String other = Files.copy(Path.of(one), folder.resolve("b.downbeat")).toString();
        Path change = folder.resolve("change.html");
        Path beside = folder.resolve("beside.html");
        CommandLines.execute("compare", one, other, "--accept-unsound", "-o", change.toString());
        CommandLines.execute("report", one, "--with", other, "-o", beside.toString());
        Browser browser = opened();
        for (Path each : List.of(change, beside)) {
            browser.size(1180, 2400);
            browser.requests();
            browser.consoleMessages();
            browser.driver().get(each.toUri().toString());
            assertThat(browser.requests()).containsOnly(each.toUri().toString());
            assertThat(browser.consoleMessages()).isEmpty();
            WebElement picture = browser.driver().findElement(By.cssSelector("#spectra svg, #spectrum svg"));
            assertThat(picture.getSize().getWidth()).isGreaterThan(700);
            browser.size(390, 844);
            Object width = browser.driver().executeScript("return document.documentElement.scrollWidth");
            assertThat(((Number) java.util.Objects.requireNonNull(width)).intValue())
                    .isLessThanOrEqualTo(390);
        }
    }

    @Test
    void under_a_policy_that_forbids_styles_and_scripts_it_is_still_readable_in_colour() throws IOException {
        byte[] content = Files.readString(page).getBytes(StandardCharsets.UTF_8);
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            exchange.getResponseHeaders().set("Content-Type", "text/html; charset=utf-8");
            exchange.getResponseHeaders().set("Content-Security-Policy", STRICT);
            exchange.sendResponseHeaders(200, content.length);
            exchange.getResponseBody().write(content);
            exchange.close();
        });
        server.start();
        try {
            Browser browser = started.orElseThrow();
            browser.theme("dark");
            browser.size(1180, 3200);
            browser.driver().get("http://127.0.0.1:" + server.getAddress().getPort() + "/");
            Map<Integer, Integer> colours = browser.colours();
            assertThat(colours.getOrDefault(RESPONSE, 0)).isGreaterThan(500);
            assertThat(colours.getOrDefault(SERVICE, 0)).isGreaterThan(500);
            assertThat(colours.getOrDefault(0xffffff, 0)).isGreaterThan(1_000_000);
        } finally {
            server.stop(0);
            started.ifPresent(browser -> browser.consoleMessages());
        }
    }

    @Test
    void the_times_of_one_request_are_chosen_by_its_name_without_a_script() throws IOException {
        Browser browser = opened();
        Path named = PageCases.ofKind("named", folder, page);
        browser.size(360, 1000);
        browser.driver().get(named.toUri().toString());
        assertThat(spectra(browser)).containsExactly("spectrum-0-title");
        browser.driver().findElement(By.xpath("//label[.='place order']")).click();
        assertThat(spectra(browser)).containsExactly("spectrum-2-title");
    }

    /** The visible ones of the selectable charts. */
    private static List<String> spectra(Browser browser) {
        return browser.driver().findElements(By.cssSelector(".choice svg.chart")).stream()
                .filter(WebElement::isDisplayed)
                .map(svg -> svg.findElement(By.tagName("title")).getAttribute("id"))
                .toList();
    }

    /** Pages of some simulated runs (all in a nightly build), and one page of each other kind. */
    @Test
    void no_page_of_any_kind_hides_cuts_or_misplaces_anything_and_axe_finds_nothing() throws IOException {
        List<Path> pages = new ArrayList<>(List.of(page));
        pages.addAll(PageCases.simulated(folder));
        pages.addAll(PageCases.ofOtherKinds(folder, page));
        pages.addAll(PageCases.read(folder));
        PageAudit audit = new PageAudit(started.orElseThrow());
        List<String> findings = new ArrayList<>();
        for (Path each : pages) {
            findings.addAll(audit.findings(each));
        }
        started.orElseThrow().consoleMessages();
        assertThat(String.join("\n", findings)).isEmpty();
    }
}
