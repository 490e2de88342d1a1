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
 * Looks at pages as a reader with a ruler: texts over each other or cut off, lines out of their picture, pages that are wider
 * than the window or endless. Rules of accessibility are those of axe-core.
 */
final class PageAudit {
    static final int[] WIDTHS = {1440, 800, 500, 360};

    /** More than this nobody scrolls through; at 360 points a table row takes three lines. */
    private static final int TALLEST = 16_000;

    /** Of all rules, and of the one that asks for colours. */
    private static final String ALL = "['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'best-practice']";

    private static final String COLOURS = "['color-contrast']";

    /** Where pictures of all pages are to be kept; empty for none. */
    private static final String PICTURES = System.getProperty("downbeat.pictures", "");

    private static final String LOOK = resource("/dev/downbeat/acceptance/page-audit.js");

    private final Browser browser;
    private boolean hasAxe;
    private int pages;

    PageAudit(Browser browser) {
        this.browser = browser;
    }

    /**
     * What is wrong with a page in the sizes of screens, in the dark and on paper; at most a few of each kind. Layout of one page
     * is like that of the next: a build that does not repeat everything looks at each on a phone and in one other size, in turns.
     */
    List<String> findings(Path page) {
        int turn = pages++;
        List<String> findings = new ArrayList<>();
        browser.media("screen", "light");
        browser.size(WIDTHS[0], 1000);
        browser.driver().get(page.toUri().toString());
        hasAxe = false;
        for (int i = 0; i < WIDTHS.length; i++) {
            photograph(page, WIDTHS[i]);
            if (Replications.areWhole() || i == WIDTHS.length - 1 || i == turn % (WIDTHS.length - 1)) {
                browser.size(WIDTHS[i], 1000);
                look(page, WIDTHS[i] + " px", findings);
            }
        }
        chosen(page, findings);
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

    /** For docs/pictures.sh pages, in the folder that it names. */
    private void photograph(Path page, int width) {
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

    /** Pictures that a reader has to choose first. */
    private void chosen(Path page, List<String> findings) {
        for (WebElement other : browser.driver().findElements(By.cssSelector(".choice label"))) {
            other.click();
            look(page, WIDTHS[WIDTHS.length - 1] + " px, " + other.getText(), findings);
        }
    }

    private void look(Path page, String how, List<String> findings) {
        Object found = browser.driver().executeScript(LOOK + "; return look(arguments[0]);", TALLEST);
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
