package dev.downbeat.acceptance;

import dev.downbeat.testing.Replications;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.openqa.selenium.By;
import org.openqa.selenium.WebElement;

/**
 * Checks the layout of pages: overlapping or cut-off text, lines outside their chart, pages that are too wide or too tall. Also
 * checks accessibility by axe-core.
 */
final class PageAudit {
    static final int[] WIDTHS = {1440, 800, 500, 360};

    /** The maximum height in pixels; at a width of 360 a table row takes three lines. */
    private static final int MAX_HEIGHT = 16_000;

    /** Rule sets of axe-core: all, and contrast only. */
    private static final String ALL = "['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'best-practice']";

    private static final String COLOURS = "['color-contrast']";

    /** The folder for screenshots of all pages; empty for none. */
    private static final String PICTURES = System.getProperty("downbeat.pictures", "");

    private static final String LAYOUT_SCRIPT = resource("/dev/downbeat/acceptance/page-audit.js");

    private final Browser browser;
    private boolean hasAxe;
    private int pages;

    PageAudit(Browser browser) {
        this.browser = browser;
    }

    /**
     * The defects of a page at all screen sizes, in dark mode and in print; at most a few of each kind. Since layouts are alike,
     * a build without all repetitions checks each page at the phone's size and at one other size in turn.
     */
    List<String> findings(Path page) {
        int turn = pages++;
        List<String> findings = new ArrayList<>();
        browser.media("screen", "light");
        browser.size(WIDTHS[0], 1000);
        browser.driver().get(page.toUri().toString());
        hasAxe = false;
        for (int i = 0; i < WIDTHS.length; i++) {
            saveScreenshots(page, WIDTHS[i]);
            if (Replications.areWhole() || i == WIDTHS.length - 1 || i == turn % (WIDTHS.length - 1)) {
                browser.size(WIDTHS[i], 1000);
                look(page, WIDTHS[i] + " px", findings);
            }
        }
        checkSelectable(page, findings);
        browser.size(WIDTHS[0], 1000);
        axe(page, "light", ALL, findings);
        if (Replications.areWhole() || turn % WIDTHS.length == 0) {
            browser.media("screen", "dark");
            axe(page, "dark", COLOURS, findings);
        }
        browser.media("print", "light");
        browser.size(794, 1123);
        look(page, "print", findings);
        browser.media("screen", "light");
        return findings;
    }

    /** Saves the screenshots that docs/pictures.sh wants. */
    private void saveScreenshots(Path page, int width) {
        if (PICTURES.isEmpty()) {
            return;
        }
        for (String theme : List.of("light", "dark")) {
            browser.media("screen", theme);
            browser.size(width, 1000);
            int height = ((Number) Objects.requireNonNull(
                            browser.driver().executeScript("return document.documentElement.scrollHeight")))
                    .intValue();
            browser.size(width, height);
            String name = page.getFileName().toString().replace(".html", "-" + width + "-" + theme + ".png");
            browser.photograph(Path.of(PICTURES, name));
        }
        browser.media("screen", "light");
        browser.size(width, 1000);
    }

    /** Checks the charts that a reader must select first. */
    private void checkSelectable(Path page, List<String> findings) {
        for (WebElement label : browser.driver().findElements(By.cssSelector(".choice label"))) {
            label.click();
            look(page, WIDTHS[WIDTHS.length - 1] + " px, " + label.getText(), findings);
        }
    }

    private void look(Path page, String how, List<String> findings) {
        Object found = browser.driver().executeScript(LAYOUT_SCRIPT + "; return look(arguments[0]);", MAX_HEIGHT);
        for (Object one : (List<?>) Objects.requireNonNull(found)) {
            findings.add(page.getFileName() + " at " + how + ": " + one);
        }
    }

    private void axe(Path page, String how, String rules, List<String> findings) {
        if (!hasAxe) {
            browser.driver().executeScript(resource("/axe.min.js"));
            hasAxe = true;
        }
        Object found = browser.driver()
                .executeAsyncScript("const done = arguments[arguments.length - 1];"
                        + "axe.run(document, {runOnly: " + rules + ","
                        + " resultTypes: ['violations']}).then(r => done(r.violations.map(v => v.id + ': '"
                        + " + v.nodes.slice(0, 3).map(n => n.target.join(' ') + ' ' + n.failureSummary).join('; '))))");
        for (Object one : (List<?>) Objects.requireNonNull(found)) {
            findings.add(page.getFileName() + " in " + how + ", axe: " + one);
        }
    }

    private static String resource(String name) {
        try (InputStream in = PageAudit.class.getResourceAsStream(name)) {
            return new String(Objects.requireNonNull(in, name).readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException broken) {
            throw new UncheckedIOException(broken);
        }
    }
}
