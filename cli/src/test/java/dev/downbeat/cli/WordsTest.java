package dev.downbeat.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import picocli.CommandLine.Model.CommandSpec;

/** What users read: words that the field has better ones for, and sentences that must be read twice. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class WordsTest {
    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();

    /** Beside each, what is said instead. */
    private static final Pattern FORBIDDEN = Pattern.compile(
            "stood still|stands? still|standstill" // paused, of a process; stalled, of a service
                    + "|on the beat|kept its beat" // on time
                    + "|how-manieth|so-manieth" // position
                    + "|is still out\\b|given up\\b" // outstanding, timed out
                    + "|would bound|surely not|cannot tell B from" // a CI, capped, no difference detected
                    + "|adds up without loss|makes? together" // merges losslessly
                    + "|clients that (each )?wait" // virtual users
                    + "|Was the measuring honest" // Can you trust these numbers?
                    + "|stopwatch that waits" // a closed-loop tool
                    + "|\\bit is no (text|result|plan|URL|histogram)|that is no (text|URL)" // it is not
                    + "|nobody (knows|says)|whoever (comes|runs it)\\b" // unknown
                    + "|too busy to say|how it stands|what they find|lots of its own" // state, results, schedule
                    + "|\\bdraws? lots|chance had no part|waits for us\\b" // random, our own delay
                    + "|stretch of time|came or went|stand where they|came one by one" // interval, opened or closed
                    + "|was gone\\b|Ask the final|only say how long|in vain\\b" // crashed, use, depend on
            );

    private static final Pattern LITERAL = Pattern.compile("\"((?:[^\"\\\\\\n]|\\\\.)*)\"");
    private static final int LONGEST_SENTENCE = 40;
    private static final int LONG = 25;
    private static final double FEW = 0.02;
    private static final int MOST_WORDS = 20_000;

    @Test
    void no_page_uses_home_made_terms() throws IOException {
        List<String> found = new ArrayList<>();
        for (Path page : pages()) {
            Matcher word = FORBIDDEN.matcher(Files.readString(page));
            while (word.find()) {
                found.add(page.getFileName() + ": " + word.group());
            }
        }
        assertThat(found).isEmpty();
    }

    @Test
    void no_screen_or_message_does_either() throws IOException {
        List<String> found = new ArrayList<>();
        try (Stream<Path> files = Files.walk(ROOT, 12)) {
            List<Path> sources = files.filter(file -> file.toString().endsWith(".java"))
                    .filter(file -> file.toString().contains("/src/main/")
                            && !file.toString().contains("jmh-benchmarks"))
                    .toList();
            assertThat(sources).hasSizeGreaterThan(500);
            for (Path source : sources) {
                String text = Files.readString(source);
                if (FORBIDDEN.matcher(text).find()) {
                    LITERAL.matcher(text)
                            .results()
                            .filter(literal ->
                                    FORBIDDEN.matcher(literal.group(1)).find())
                            .map(literal -> source.getFileName() + ": " + literal.group(1))
                            .forEach(found::add);
                }
            }
        }
        assertThat(found).isEmpty();
    }

    /** Read to the full stop: a colon or a semicolon does not let the reader breathe. */
    @Test
    void sentences_are_short() throws IOException {
        List<String> tooLong = new ArrayList<>();
        List<String> overLong = new ArrayList<>();
        int all = 0;
        for (Path page : pages()) {
            for (String sentence : sentences(Files.readString(page))) {
                all++;
                if (length(sentence) > LONG) {
                    tooLong.add(page.getFileName() + ": " + sentence);
                }
                if (length(sentence) > LONGEST_SENTENCE) {
                    overLong.add(page.getFileName() + ": " + sentence);
                }
            }
        }
        assertThat(overLong).isEmpty();
        assertThat(tooLong).hasSizeLessThanOrEqualTo((int) (FEW * all));
    }

    /** Of commands and options; what a screen shows is held by the files of each format. */
    @Test
    void sentences_of_help_and_of_screens_are_short() throws IOException {
        List<String> texts = new ArrayList<>();
        help(DownbeatMain.commandLine().getCommandSpec(), texts);
        assertThat(texts).hasSizeGreaterThan(300);
        try (Stream<Path> screens = Files.list(ROOT.resolve("report/src/test/resources/dev/downbeat/report"))) {
            for (Path screen :
                    screens.filter(file -> file.toString().endsWith(".txt")).toList()) {
                // a row of a table, a label and a mark each begin a text of their own
                texts.addAll(List.of(Files.readString(screen).split("\\n(?! {4,}\\S)|(?<=\\S) {2,}(?=\\S)")));
            }
        }
        List<String> tooLong = texts.stream()
                .flatMap(text -> Stream.of(text.replaceAll("\\s+", " ").split("(?<=[.!?]) ")))
                .filter(sentence -> length(sentence) > LONG)
                .distinct()
                .toList();
        assertThat(tooLong).hasSizeLessThanOrEqualTo((int) (FEW * texts.size()));
    }

    private static void help(CommandSpec command, List<String> texts) {
        texts.add(String.join(" ", command.usageMessage().description()));
        command.args().forEach(option -> texts.add(String.join(" ", option.description())));
        command.subcommands().values().forEach(each -> help(each.getCommandSpec(), texts));
    }

    @Test
    void the_README_is_read_in_three_minutes_and_the_pages_in_an_afternoon() throws IOException {
        assertThat(Files.readAllLines(ROOT.resolve("README.md"))).hasSizeLessThanOrEqualTo(120);
        int words = 0;
        for (Path page : pages()) {
            words += page.endsWith("README.md")
                    ? 0
                    : Files.readString(page).strip().split("\\s+", -1).length;
        }
        assertThat(words).isLessThanOrEqualTo(MOST_WORDS);
    }

    /** Of the text alone: code, tables and headings are not read as sentences. */
    private static List<String> sentences(String page) {
        List<String> sentences = new ArrayList<>();
        for (String part :
                page.replaceAll("(?ms)^```.*?^```", "").split("\\n\\s*\\n|(?m)^\\s*(?:[-*]|\\d+\\.)\\s+", -1)) {
            if (!part.isBlank() && !part.strip().matches("(?s)[|#!<].*")) {
                String plain = part.replaceAll("\\s+", " ")
                        .replaceAll("`[^`]*`", "code")
                        .replaceAll("\\]\\([^)]*\\)", "");
                sentences.addAll(List.of(plain.split("(?<=[.!?]) ")));
            }
        }
        return sentences;
    }

    private static long length(String sentence) {
        return Pattern.compile("\\S*\\w\\S*")
                .matcher(sentence)
                .results()
                .map(MatchResult::group)
                .count();
    }

    private static List<Path> pages() throws IOException {
        try (Stream<Path> docs = Files.list(ROOT.resolve("docs"))) {
            return Stream.concat(
                            docs.filter(file -> file.toString().endsWith(".md")), Stream.of(ROOT.resolve("README.md")))
                    .sorted()
                    .toList();
        }
    }
}
