package dev.downbeat.style;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.languagetool.JLanguageTool;
import org.languagetool.language.BritishEnglish;
import org.languagetool.rules.Rule;
import org.languagetool.rules.RuleMatch;

/** What LanguageTool says of the English of README, docs and screens. Length of sentences and the glossary are WordsTest's. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class LanguageTest {
    private static final Path ROOT = Path.of("..", "..");

    /** Of typography, which is Markdown's and the terminal's; names that are written as in code; and plain repetition. */
    private static final List<String> NOT_OURS = List.of(
            "ARROWS",
            "COMMA_PARENTHESIS_WHITESPACE",
            "CONSECUTIVE_SPACES",
            "DASH_RULE",
            "ENGLISH_WORD_REPEAT_BEGINNING_RULE",
            "EN_QUOTES",
            "ID_CASING",
            "LC_AFTER_PERIOD",
            "SENTENCE_WHITESPACE",
            "UNIT_SPACE",
            "UNNECESSARY_COMMA",
            "UPPERCASE_SENTENCE_START",
            "WHITESPACE_RULE");

    /** Where it is wrong: the rule, and the words that it stumbles over. */
    private static final Set<String> MISTAKEN = Set.of(
            "A_INFINITIVE the send", // the field's noun for the start of a request
            "MANY_NN several share",
            "NOUN_APOSTROPHE_S_VERB connection",
            "MISSING_COMMA_AFTER_INTRODUCTORY_PHRASE Java");

    @Test
    void the_pages_are_in_plain_English() throws IOException {
        List<Path> pages = new ArrayList<>(List.of(ROOT.resolve("README.md"), ROOT.resolve("CONTRIBUTING.md")));
        pages.addAll(files(ROOT.resolve("docs"), ".md"));
        assertThat(pages).hasSizeGreaterThan(20);
        JLanguageTool tool = tool();
        List<String> findings = new ArrayList<>();
        for (Path page : pages) {
            check(tool, page, prose(Files.readString(page)), findings);
        }
        assertThat(findings).isEmpty();
    }

    @Test
    void the_first_lines_of_results_are_in_plain_English() throws IOException {
        List<Path> screens = files(ROOT.resolve("report/src/test/resources/dev/downbeat/report"), ".txt");
        assertThat(screens).hasSizeGreaterThan(8);
        JLanguageTool tool = tool();
        List<String> findings = new ArrayList<>();
        for (Path screen : screens) {
            String first = Files.readString(screen).split("\n\n", 2)[0].replace('\n', ' ');
            check(tool, screen, first, findings);
        }
        assertThat(findings).isEmpty();
    }

    private static List<Path> files(Path folder, String ending) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(file -> file.toString().endsWith(ending))
                    .sorted()
                    .toList();
        }
    }

    private static JLanguageTool tool() {
        JLanguageTool tool = new JLanguageTool(new BritishEnglish());
        tool.getAllRules().stream()
                .filter(Rule::isDictionaryBasedSpellingRule) // it knows no option's name
                .forEach(rule -> tool.disableRule(rule.getId()));
        tool.disableRules(NOT_OURS);
        return tool;
    }

    private static void check(JLanguageTool tool, Path file, String text, List<String> findings) throws IOException {
        for (RuleMatch match : tool.check(text)) {
            String words = text.substring(match.getFromPos(), match.getToPos())
                    .replaceAll("\\s+", " ")
                    .strip();
            if (MISTAKEN.stream().noneMatch((match.getRule().getId() + " " + words)::startsWith)) {
                int from = Math.max(0, match.getFromPos() - 40);
                int to = Math.min(text.length(), match.getToPos() + 40);
                findings.add(file.getFileName() + ": " + match.getRule().getId() + ": " + match.getMessage() + " ["
                        + text.substring(from, to) + "]");
            }
        }
    }

    /** Sentences without code, tables, links and marks. */
    private static String prose(String markdown) {
        return markdown.replaceAll("(?s)```.*?```", "\n\n")
                .replaceAll("(?m)^(\\||    ).*$", "")
                .replaceAll("\\b[Aa]n?\\s+`[^`]*`", "Downbeat")
                .replaceAll("`[^`]*`", "Downbeat")
                .replaceAll("!?\\[([^\\]]*)\\]\\([^)]*\\)", "$1")
                .replaceAll("(?m)^#+ .*$|<[^>]*>", "")
                .replaceAll("(?m)^([-*]|\\d+\\.) ", "\n")
                .replaceAll("\\*\\*|__", "")
                .replaceAll("(?<!\n)\n(?!\n)", " ");
    }
}
