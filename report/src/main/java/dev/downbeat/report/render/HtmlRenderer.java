package dev.downbeat.report.render;

import dev.downbeat.report.chart.draw.Chart;
import dev.downbeat.report.chart.draw.Markup;
import dev.downbeat.report.chart.draw.Path;
import dev.downbeat.report.chart.draw.Svg;
import dev.downbeat.report.chart.draw.ThemeColour;
import dev.downbeat.report.render.Page.Mark;
import dev.downbeat.report.render.Page.Where;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * An HTML page: one file that needs no network and no script, in the reader's theme, for screens, phones and print.
 * Every number in a chart is also in a table or a sentence. Not thread-safe.
 */
public final class HtmlRenderer {
    private static final int LEAST_CONTENTS = 4;

    /** Tables with fewer columns fit on a phone. */
    private static final int LEAST_STACKED = 4;

    private static final double HALF_A_POINT = 0.5;
    private static final Pattern NUMBER = Pattern.compile("[0-9]+(?:[.,][0-9]+)*");

    private final Markup page = new Markup();

    /** The page of a running measurement, which polls for its next state until the final one. */
    public static String live(View view) {
        return new HtmlRenderer().text(view.page(), true);
    }

    String text(Page shown) {
        return text(shown, false);
    }

    private String text(Page shown, boolean isLive) {
        HtmlPage frame = new HtmlPage(page, isLive);
        Favicon icon = Favicon.of(shown);
        frame.begin(icon.title(shown.head()), icon.address());
        header(shown.head());
        verdict(shown);
        List<Page.Section> sections = shown.sections().stream()
                .filter(section -> section.where().isPage())
                .toList();
        contents(sections);
        sections.forEach(this::section);
        method(shown);
        frame.end();
        return page.toString();
    }

    private void header(Page.Head head) {
        page.open("header").leaf("p", "eyebrow", "Downbeat " + head.kind());
        page.leaf("h1", Lines.glued(head.headline()));
        page.leaf("p", "title", head.title());
        head.about().forEach(line -> page.leaf("p", "lead", line));
        head.partial()
                .ifPresent(why ->
                        page.open("p", "partial").with("role", "note").text(why).close());
        page.close();
    }

    /** Written if there are several sections. */
    private void contents(List<Page.Section> sections) {
        List<Page.Section> listed = sections.stream()
                .filter(section ->
                        section.where() != Where.HTML_FOLDED && !section.title().isEmpty())
                .toList();
        if (listed.size() < LEAST_CONTENTS) {
            return;
        }
        page.open("nav").with("aria-label", "Contents").open("ul");
        for (Page.Section section : listed) {
            item(section.id(), section.title().replaceFirst("[:,] .*", ""));
        }
        item("method", "Method and limits");
        page.close().close();
    }

    private void item(String id, String title) {
        page.open("li").open("a").with("href", "#" + id).text(title);
        page.close().close();
    }

    /**
     * The service's result before the measurement's, unless the measurement failed. Notes about the measurement follow
     * it; those of several results come last. Passed checks and the rest of long notes are folded.
     */
    private void verdict(Page shown) {
        if (shown.answers().isEmpty() && shown.notes().isEmpty()) {
            return;
        }
        page.open("section").with("id", "verdict").with("class", "verdict " + colour(shown.answers()));
        page.leaf("h2", "unseen", "Verdict");
        boolean areOfAll = shown.answers().stream().allMatch(Page.AnsweredQuestion::isNamed);
        List<Page.AnsweredQuestion> ordered = new ArrayList<>(shown.answers());
        ordered.sort(Comparator.comparing(answer -> answer.isTrust() && answer.mark() != Mark.BAD));
        Optional<Page.AnsweredQuestion> noted = areOfAll
                ? Optional.empty()
                : shown.answers().stream()
                        .filter(Page.AnsweredQuestion::isTrust)
                        .findFirst()
                        .or(() -> ordered.stream().findFirst());
        for (Page.AnsweredQuestion answer : ordered) {
            page.open("div");
            answer(answer);
            boolean isNoted = noted.filter(one -> one == answer).isPresent();
            checks(isNoted ? shown.notes() : List.of(), answer.checks(), answer.isTrust());
            page.close();
        }
        if (noted.isEmpty() && !shown.notes().isEmpty()) {
            page.open("div");
            checks(shown.notes(), List.of(), false);
            page.close();
        }
        page.close();
    }

    private static String colour(List<Page.AnsweredQuestion> answers) {
        Set<Mark> marks = answers.stream().map(Page.AnsweredQuestion::mark).collect(Collectors.toSet());
        return marks.contains(Mark.BAD) ? "bad" : marks.contains(Mark.OPEN) ? "open" : "good";
    }

    private void answer(Page.AnsweredQuestion answer) {
        String word =
                answer.mark() == Mark.BAD && answer.isTrust() ? answer.word().toUpperCase(Locale.ROOT) : answer.word();
        page.open("p", "answer");
        mark(answer.mark());
        page.text((answer.isNamed() ? answer.label() : capital(answer.label())) + (word.isEmpty() ? "" : ": " + word))
                .close();
        if (!answer.question().isEmpty()) {
            page.leaf("p", "lead", answer.question());
        }
        if (!answer.summary().isEmpty() && answer.checks().isEmpty()) {
            page.leaf("p", "lead", answer.summary());
        }
    }

    private static String capital(String text) {
        return text.isEmpty() ? "" : text.substring(0, 1).toUpperCase(Locale.ROOT) + text.substring(1);
    }

    /** The sign is for the eye, the word for screen readers. */
    private void mark(Mark mark) {
        page.open("span", "m-" + mark.name().toLowerCase(Locale.ROOT))
                .with("title", mark.word())
                .text(mark.sign() + " ")
                .close();
    }

    private void checks(List<Page.Note> notes, List<Page.Check> checks, boolean folded) {
        if (notes.isEmpty() && checks.isEmpty()) {
            return;
        }
        boolean folds = folded && checks.size() > 1 && checks.stream().allMatch(check -> check.mark() == Mark.GOOD);
        page.open("ul", "checks");
        for (Page.Note note : notes) {
            openItem(note.mark(), note.mark().word());
            if (note.brief().equals(note.text())) {
                page.text(note.text()).close();
            } else {
                page.open("details")
                        .leaf("summary", note.brief())
                        .text(note.text())
                        .close();
                page.close();
            }
        }
        if (folds) {
            openItem(Mark.GOOD, Mark.GOOD.word());
            page.open("details")
                    .leaf("summary", checks.size() + " checks passed")
                    .open("ul", "checks");
        }
        for (Page.Check check : checks) {
            openItem(check.mark(), check.word());
            page.text(check.text()).close();
        }
        if (folds) {
            page.close().close().close();
        }
        page.close();
    }

    private void openItem(Mark mark, String word) {
        page.open("li");
        mark(mark);
        page.leaf("span", "unseen", word + ": ");
    }

    private void section(Page.Section section) {
        boolean folded = section.where() == Where.HTML_FOLDED;
        if (folded) {
            page.open("details").with("id", section.id()).leaf("summary", section.title());
        } else {
            page.open("section").with("id", section.id()).leaf("h2", section.title());
        }
        section.leads().forEach(lead -> page.leaf("p", "lead", capital(lead)));
        for (Page.Block block : section.blocks()) {
            if (block instanceof Table table && !table.rows().isEmpty()) {
                table(table, section.title());
            } else if (block instanceof Page.Figure figure) {
                figure(figure.chart());
            } else if (block instanceof Page.Choice choice) {
                choice(choice, section.id());
            }
        }
        section.remarks().forEach(remark -> page.leaf("p", "lead", capital(remark)));
        page.close();
    }

    private void table(Table table, String name) {
        List<Integer> shown = table.shown(Where::isPage);
        page.open("div", "scroll").with("tabindex", "0").with("role", "group").with("aria-label", name);
        boolean stacked = shown.size() >= LEAST_STACKED;
        page.open("table", stacked ? "stacked" : "");
        if (table.columns().stream().anyMatch(column -> !column.head().isEmpty())) {
            page.open("thead").open("tr");
            for (int i : shown) {
                Table.Column column = table.columns().get(i);
                if (column.head().isEmpty()) {
                    page.leaf("td", ""); // a screen reader would announce an empty head
                } else {
                    page.open("th")
                            .with("scope", "col")
                            .with("class", column.isWords() ? "words" : "")
                            .text(column.head())
                            .close();
                }
            }
            page.close().close();
        }
        page.open("tbody");
        for (List<Table.Cell> row : table.rows()) {
            page.open("tr");
            for (int i : shown) {
                cell(row.get(i), table.columns().get(i), i == 0, stacked);
            }
            page.close();
        }
        page.close().close().close();
    }

    /** On a phone each row is a card, whose cells show their column heads. */
    private void cell(Table.Cell cell, Table.Column column, boolean first, boolean stacked) {
        if (first && !cell.text().isEmpty()) {
            page.open("th").with("scope", "row").with("data-head", stacked ? column.head() : "");
        } else {
            String look = column.isWords() ? "words " + column.look() : column.look();
            String empty = cell.text().isEmpty() ? " none" : "";
            page.open("td", (look + empty).trim()).with("data-head", stacked ? column.head() : "");
        }
        cell.mark().ifPresent(this::mark);
        boolean isNone = cell.text().isEmpty()
                ? !first && !column.isWords()
                : cell.text().equals("-");
        page.text(isNone ? "–" : cell.text()).close();
    }

    private void fact(String label, String text) {
        page.open("tr");
        if (label.isEmpty()) {
            page.leaf("td", "");
        } else {
            page.open("th").with("scope", "row").text(label).close();
        }
        page.leaf("td", "words", text).close();
    }

    /** Radio buttons before each chart. Without a style sheet they are headings, and all charts are visible. */
    private void choice(Page.Choice choice, String name) {
        page.open("div", "choice").with("role", "group").with("aria-label", choice.subject());
        String checked = "checked";
        for (Map.Entry<String, Chart> each : choice.charts().entrySet()) {
            String id = each.getValue().about().id() + "-chosen";
            page.open("input")
                    .with("type", "radio")
                    .with("name", name)
                    .with("id", id)
                    .with("checked", checked)
                    .empty();
            page.open("label").with("for", id).text(each.getKey()).close().open("div", "chosen");
            figure(each.getValue());
            page.close();
            checked = "";
        }
        page.close();
    }

    private void figure(Chart chart) {
        Chart.About about = chart.about();
        page.open("div", "figure").with("role", "group").with("aria-label", about.title());
        List<Chart.Reading> readings = chart.readings();
        // the optional script shows the texts of data-words under the pointer
        page.open("svg")
                .with("xmlns", "http://www.w3.org/2000/svg")
                .with("width", "100%")
                .with("height", Integer.toString(about.height()))
                .with("class", "chart")
                .with("role", "img")
                .with("aria-labelledby", about.id() + "-title " + about.id() + "-desc")
                .with("font-family", "system-ui,sans-serif")
                .with("font-size", Path.coordinate(Svg.FONT))
                .with("stroke-linejoin", "round")
                .with("data-time", about.axis() == Chart.Axis.TIME ? "1" : "")
                .with(about.axis() == Chart.Axis.DOWN ? "data-y" : "data-x", places(readings))
                .with("data-words", words(readings));
        page.open("title").with("id", about.id() + "-title").text(about.title()).close();
        page.open("desc")
                .with("id", about.id() + "-desc")
                .text(about.description())
                .close();
        chart.drawOn(page);
        page.close().close();
    }

    /** Evenly spaced values are written as the first and the last. */
    private static String places(List<Chart.Reading> readings) {
        int last = readings.size() - 1;
        double first = readings.isEmpty() ? 0 : readings.get(0).place();
        double step = last < 1 ? 0 : (readings.get(last).place() - first) / last;
        boolean isEven = IntStream.rangeClosed(0, last)
                .allMatch(i -> Math.abs(readings.get(i).place() - first - i * step) < HALF_A_POINT);
        return readings.stream()
                .filter(one -> !isEven || one == readings.get(0) || one == readings.get(last))
                .map(one -> Path.coordinate(one.place()))
                .collect(Collectors.joining(","));
    }

    /** A text that differs from the previous one in numbers only is a tilde and the numbers, empty where equal. */
    private static String words(List<Chart.Reading> readings) {
        StringBuilder all = new StringBuilder();
        String before = "";
        for (Chart.Reading reading : readings) {
            String words = reading.words().replace('|', '/').replace('~', '-'); // both have a meaning here
            boolean isAlike = NUMBER.matcher(words)
                    .replaceAll("0")
                    .equals(NUMBER.matcher(before).replaceAll("0"));
            all.append(all.length() == 0 ? "" : "|").append(isAlike ? "~" + otherNumbers(words, before) : words);
            before = words;
        }
        return all.toString();
    }

    private static String otherNumbers(String words, String before) {
        Matcher old = NUMBER.matcher(before);
        return NUMBER.matcher(words)
                .results()
                .map(number -> old.find() && old.group().equals(number.group()) ? "" : number.group())
                .collect(Collectors.joining(" "));
    }

    private void method(Page shown) {
        page.open("section")
                .with("id", "method")
                .leaf("h2", "Method and limits")
                .open("table")
                .open("tbody");
        shown.facts().forEach(fact -> fact(fact.label(), fact.text()));
        shown.origin().started().ifPresent(at -> fact("started", Page.moment(at)));
        if (!shown.origin().client().isEmpty()) {
            fact("measured on", shown.origin().client());
        }
        fact("version", "Downbeat " + shown.origin().version());
        if (!shown.origin().command().isEmpty()) {
            page.open("tr")
                    .open("th")
                    .with("scope", "row")
                    .text("command")
                    .close()
                    .open("td", "words");
            page.leaf("code", ShellWords.line(shown.origin().command())).close().close();
        }
        page.close().close();
        if (!shown.origin().limits().isEmpty()) {
            page.open("ul");
            shown.origin().limits().forEach(sentence -> page.leaf("li", sentence));
            page.close();
        }
        page.close();
    }

    /** A page's verdict in a browser tab: a sign in its title and the same sign as its icon. */
    private record Favicon(Optional<Page.AnsweredQuestion> worst) {
        /** The icon of the deciding answer: distrust first, then failures. */
        static Favicon of(Page page) {
            return new Favicon(page.answers().stream()
                    .filter(answer -> !answer.word().isEmpty())
                    .min(Comparator.comparing(Page.AnsweredQuestion::mark)
                            .thenComparing(answer -> !answer.isTrust() || answer.mark() != Mark.BAD)
                            .thenComparing(Page.AnsweredQuestion::isTrust)));
        }

        /** "✗ missed: GET http://localhost/"; browser tabs show only its first words. */
        String title(Page.Head head) {
            String about = head.title() + " · Downbeat " + head.kind();
            return worst.map(answer -> answer.mark().sign() + " " + answer.word() + ": " + about)
                    .orElse(about);
        }

        /** The icon as a data URL. */
        String address() {
            return "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'%3E"
                    + "%3Crect width='16' height='16' rx='3' fill='%23" + colour() + "'/%3E%3Cpath d='" + shape()
                    + "' fill='none' stroke='white' stroke-width='2'/%3E%3C/svg%3E";
        }

        private String colour() {
            return switch (worst.map(Page.AnsweredQuestion::mark).orElse(Mark.NOTE)) {
                case GOOD -> "047857";
                case BAD -> "b91c1c";
                case OPEN -> "8a5a00";
                case NOTE -> "5b6570";
            };
        }

        private String shape() {
            return switch (worst.map(Page.AnsweredQuestion::mark).orElse(Mark.NOTE)) {
                case GOOD -> "M3.5 8.5l3 3 6-7";
                case BAD -> "M4 4l8 8M12 4l-8 8";
                case OPEN -> "M5.5 6a2.5 2.5 0 1 1 3.7 2.2q-1.2.6-1.2 1.8M8 11.5v2";
                case NOTE -> "M4 8h8";
            };
        }
    }

    /**
     * The HTML around the sections. Its content security policy allows its own style sheet, script and icon only: no
     * connections, and no script injected by a name or an error message.
     */
    public static final class HtmlPage {
        private static final String STYLE = "\n" + ThemeColour.css() + Svg.css() + resource("report.css");
        private static final String SCRIPT = "\n" + resource("report.js");

        private static final String RENEWAL = "\n" + resource("live.js");

        private final Markup page;
        private final boolean isLive;

        /** A page that, if live, polls its own address for the next state. */
        HtmlPage(Markup page, boolean isLive) {
            this.page = page;
            this.isLive = isLive;
        }

        /**
         * Writes everything up to the body.
         *
         * @param icon data URL of the icon
         */
        public void begin(String title, String icon) {
            page.verbatim("<!DOCTYPE html>");
            page.open("html").with("lang", "en").with("xmlns", "http://www.w3.org/1999/xhtml");
            page.open("head");
            page.open("meta").with("charset", "UTF-8").empty();
            String policy = "default-src 'none'; style-src '" + hash(STYLE) + "'; script-src '" + hash(SCRIPT)
                    + (isLive ? "' '" + hash(RENEWAL) + "'; connect-src 'self" : "")
                    + "'; img-src data:; base-uri 'none'; form-action 'none'";
            page.open("meta")
                    .with("http-equiv", "Content-Security-Policy")
                    .with("content", policy)
                    .empty();
            page.open("meta")
                    .with("name", "viewport")
                    .with("content", "width=device-width, initial-scale=1")
                    .empty();
            page.open("meta").with("name", "robots").with("content", "noindex").empty();
            page.open("title").text(title).close();
            page.open("link").with("rel", "icon").with("href", icon).empty();
            page.open("style").verbatim(STYLE).close();
            if (isLive) {
                page.open("noscript")
                        .open("meta")
                        .with("http-equiv", "refresh")
                        .with("content", "2")
                        .empty();
                page.close();
            }
            page.close();
            page.open("body").open("main");
        }

        public void end() {
            page.close();
            page.open("script").verbatim(SCRIPT).close();
            if (isLive) {
                page.open("script").verbatim(RENEWAL).close();
            }
            page.close().close().verbatim("\n");
        }

        public static String hash(String content) {
            try {
                byte[] digest = MessageDigest.getInstance("SHA-256").digest(content.getBytes(StandardCharsets.UTF_8));
                return "sha256-" + Base64.getEncoder().encodeToString(digest);
            } catch (NoSuchAlgorithmException impossible) {
                throw new IllegalStateException("every Java has SHA-256", impossible);
            }
        }

        private static String resource(String name) {
            try (InputStream in = HtmlPage.class.getResourceAsStream(name)) {
                if (in == null) {
                    throw new IllegalStateException(name + " is not among the classes");
                }
                return new String(in.readAllBytes(), StandardCharsets.UTF_8).replace("\r\n", "\n");
            } catch (IOException broken) {
                throw new UncheckedIOException(broken);
            }
        }
    }
}
