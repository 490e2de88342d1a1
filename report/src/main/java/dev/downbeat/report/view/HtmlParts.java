package dev.downbeat.report.view;

import dev.downbeat.report.chart.Markup;
import java.util.List;
import java.util.Locale;

/** What pages of all kinds are put together from: answers with a mark, lists of checks, tables. Not thread-safe. */
final class HtmlParts {
    private final Markup page;

    HtmlParts(Markup page) {
        this.page = page;
    }

    /** An answer in large letters. */
    void answer(CheckLines.Mark mark, String text) {
        page.open("p", "class", "answer");
        mark(mark);
        page.text(text).close();
    }

    /** The sign is for the eye, the word for who listens. */
    void mark(CheckLines.Mark mark) {
        page.leaf(
                "span", mark.sign() + " ", "class", "m-" + mark.name().toLowerCase(Locale.ROOT), "title", mark.word());
    }

    void checks(List<CheckLines.Line> lines) {
        if (lines.isEmpty()) {
            return;
        }
        page.open("ul", "class", "checks");
        for (CheckLines.Line line : lines) {
            page.open("li");
            mark(line.mark());
            page.leaf("span", line.mark().word() + ": ", "class", "unseen");
            page.text(line.text()).close();
        }
        page.close();
    }

    /** The head of a table that scrolls sideways where it is too wide; rows follow, then {@link #endTable}. */
    void beginTable(String name, List<String> heads) {
        beginTable(name, heads, -1);
    }

    /** A column of words rather than numbers is told by its place among the heads. */
    void beginTable(String name, List<String> heads, int words) {
        page.open("div", "class", "scroll", "tabindex", "0", "role", "group", "aria-label", name);
        page.open("table").open("thead").open("tr");
        for (int i = 0; i < heads.size(); i++) {
            page.leaf("th", heads.get(i), "scope", "col", "class", i == words ? "words" : "");
        }
        page.close().close().open("tbody");
    }

    /** A cell of words rather than numbers is told by its place; -1 if there is none. */
    void row(String name, List<String> cells, int words) {
        page.open("tr").leaf("th", name, "scope", "row");
        for (int i = 0; i < cells.size(); i++) {
            page.leaf("td", cells.get(i), "class", i == words ? "words" : "");
        }
        page.close();
    }

    void endTable() {
        page.close().close().close();
    }

    /** Names and what is to be said of each. */
    void facts(List<Facts.Fact> facts) {
        page.open("table").open("tbody");
        factRows(facts);
        page.close().close();
    }

    private void factRows(List<Facts.Fact> facts) {
        for (Facts.Fact fact : facts) {
            page.open("tr").leaf("th", fact.label(), "scope", "row");
            page.leaf("td", fact.text(), "class", "words").close();
        }
    }

    /** How the page came about, at its end. */
    void method(List<Facts.Fact> facts, List<String> command, String version, List<String> sentences) {
        page.open("section", "id", "method").leaf("h2", "Method and limits");
        page.open("table").open("tbody");
        factRows(facts);
        factRows(List.of(new Facts.Fact("version", "Downbeat " + version)));
        page.open("tr").leaf("th", "command", "scope", "row").open("td", "class", "words");
        page.leaf("code", String.join(" ", command)).close().close();
        page.close().close();
        page.open("ul");
        for (String sentence : sentences) {
            page.leaf("li", sentence);
        }
        page.close().close();
    }
}
