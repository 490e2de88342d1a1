package dev.downbeat.report.render;

import dev.downbeat.report.chart.draw.Chart;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * A result of any kind as a value: a headline, its soundness, and the numbers. All formats write it. Immutable.
 *
 * @param head subject of the page
 * @param answers questions and their answers
 * @param notes doubts and other notes, as numbered on a screen
 * @param sections tables and charts in reading order
 * @param facts facts, one line each
 * @param origin how the result was made
 */
public record Page(
        Head head,
        List<AnsweredQuestion> answers,
        List<Note> notes,
        List<Section> sections,
        List<Fact> facts,
        Origin origin) {
    private static final DateTimeFormatter MOMENT = DateTimeFormatter.ofPattern(
                    "uuuu-MM-dd HH:mm:ss 'UTC'", Locale.ROOT)
            .withZone(ZoneOffset.UTC);

    public Page {
        answers = List.copyOf(answers);
        notes = List.copyOf(notes);
        sections = List.copyOf(sections);
        facts = List.copyOf(facts);
    }

    public Page with(List<AnsweredQuestion> otherAnswers, List<Note> otherNotes) {
        return new Page(head, otherAnswers, otherNotes, sections, facts, origin);
    }

    /** The page for the default screen: no details, and only the first sentence of a note that is not a doubt. */
    Page brief() {
        List<Fact> some = new ArrayList<>(facts);
        some.removeIf(Fact::isDetail);
        if (some.size() < facts.size()) {
            some.add(new Fact("details", "shown with -v"));
        }
        return new Page(
                head,
                answers,
                notes.stream()
                        .map(note -> note.isDoubt() ? note : new Note(false, note.code(), note.brief()))
                        .toList(),
                sections.stream().map(Section::brief).toList(),
                some,
                origin);
    }

    /**
     * The beginning of a page.
     *
     * @param kind kind of result, such as "report" or "comparison"
     * @param title what was measured
     * @param headline the sentence that a user would forward
     * @param partial why the result is incomplete; empty if it is complete
     * @param isCutShort whether the measurement ended before it should have, so that nothing is decided
     * @param about more about the measurement, one line each
     */
    public record Head(
            String kind,
            String title,
            String headline,
            Optional<String> partial,
            boolean isCutShort,
            List<String> about) {
        public Head {
            about = List.copyOf(about);
        }

        /** For results whose answers already allow for an early end. */
        public Head(String kind, String title, String headline, Optional<String> partial, List<String> about) {
            this(kind, title, headline, partial, false, about);
        }

        public Head with(List<String> otherAbout) {
            return new Head(kind, title, headline, partial, isCutShort, otherAbout);
        }
    }

    /**
     * The answer to one question.
     *
     * @param label the question in one word: "service"
     * @param word the answer in one or two words: "missed"
     * @param summary further text; may be empty
     * @param question the question in full; may be empty
     * @param topic what it is about
     * @param checks the checks it is based on
     */
    public record AnsweredQuestion(
            String label,
            Mark mark,
            String word,
            String summary,
            String question,
            AnswerTopic topic,
            List<Check> checks) {
        /** What an answer is about. */
        public enum AnswerTopic {
            /** The result; the label is a word of Downbeat. */
            RESULT,
            /** One of several results; the label is its name, which keeps its capitals. */
            NAMED,
            /** The measurement, whose failure is not the service's. */
            MEASUREMENT
        }

        public AnsweredQuestion {
            checks = List.copyOf(checks);
        }

        public static AnsweredQuestion of(String label, Mark mark, String word, String summary) {
            return new AnsweredQuestion(label, mark, word, summary, "", AnswerTopic.RESULT, List.of());
        }

        public static AnsweredQuestion ofMeasurement(String label, Mark mark, String word, String summary) {
            return new AnsweredQuestion(label, mark, word, summary, "", AnswerTopic.MEASUREMENT, List.of());
        }

        /** A numbered list of texts. */
        public static AnsweredQuestion listed(String label, List<String> texts) {
            List<Check> checks = IntStream.range(0, texts.size())
                    .mapToObj(i -> new Check(Mark.NOTE, Integer.toString(i + 1), "", texts.get(i)))
                    .toList();
            return new AnsweredQuestion(label, Mark.NOTE, "", "", "", AnswerTopic.RESULT, checks);
        }

        /** The answer for one of several results. */
        public static AnsweredQuestion named(String name, Mark mark, String word, String summary) {
            return new AnsweredQuestion(name, mark, word, summary, "", AnswerTopic.NAMED, List.of());
        }

        /** The same answer with these checks instead of a summary. */
        public AnsweredQuestion listing(List<Check> shown) {
            return new AnsweredQuestion(label, mark, word, "", question, topic, shown);
        }

        /** Whether it is about the measurement. */
        public boolean isTrust() {
            return topic == AnswerTopic.MEASUREMENT;
        }

        boolean isNamed() {
            return topic == AnswerTopic.NAMED;
        }

        /** Whether it has no summary, so that its checks are always listed. */
        boolean isListed() {
            return summary.isEmpty();
        }
    }

    /**
     * A check.
     *
     * @param word its result: "met"
     * @param name name for programs; empty if it is for readers only
     */
    public record Check(Mark mark, String word, String name, String text) {
        /** A check for readers only. */
        public static Check of(Mark mark, String text) {
            return new Check(mark, mark.word(), "", text);
        }
    }

    /**
     * A note to read before using the numbers.
     *
     * @param isDoubt whether it makes the numbers untrustworthy
     * @param code a stable name for programs
     * @param text the whole note
     * @param brief its first sentence, without a full stop
     */
    public record Note(boolean isDoubt, String code, String text, String brief) {
        /** A note of a single sentence. */
        public Note(boolean isDoubt, String code, String text) {
            this(isDoubt, code, text, text);
        }

        Mark mark() {
            return isDoubt ? Mark.BAD : Mark.NOTE;
        }
    }

    /**
     * A fact with its label; a fact without a label continues the previous one.
     *
     * @param name name for programs; empty if it is for readers only
     * @param isDetail whether only detailed output shows it
     */
    public record Fact(String name, String label, String text, boolean isDetail) {
        /** A fact that is always shown. */
        public Fact(String label, String text) {
            this("", label, text, false);
        }

        /** A fact for readers, in all output unless it is a detail. */
        public Fact(String label, String text, boolean isDetail) {
            this("", label, text, isDetail);
        }

        public static Fact detail(String label, String text) {
            return new Fact(label, text, true);
        }
    }

    /**
     * A section of a page.
     *
     * @param id one word, for links and tests
     * @param leads how to read it
     * @param remarks limitations of its numbers
     */
    public record Section(
            String id, String title, Where where, List<String> leads, List<Block> blocks, List<String> remarks) {
        public Section {
            leads = List.copyOf(leads);
            blocks = List.copyOf(blocks);
            remarks = List.copyOf(remarks);
        }

        public static Section of(String id, String title, Where where, Block... blocks) {
            return new Section(id, title, where, List.of(), List.of(blocks), List.of());
        }

        /** A section with a chart, whose lead it uses. */
        public static Section of(Chart chart) {
            Chart.About about = chart.about();
            return of(about.id(), about.title(), Where.HTML, new Figure(chart)).lead(about.lead());
        }

        /** The sections of those charts that have something to show. */
        public static List<Section> shown(Chart... charts) {
            return Stream.of(charts).filter(Chart::isShown).map(Section::of).toList();
        }

        public Section only(Where format) {
            return new Section(id, title, format, leads, blocks, remarks);
        }

        public Section lead(String... more) {
            return new Section(id, title, where, List.of(more), blocks, remarks);
        }

        public Section remarks(List<String> more) {
            return new Section(id, title, where, leads, blocks, more);
        }

        private Section brief() {
            return new Section(
                    id, title, where, leads, blocks.stream().map(Block::brief).toList(), remarks);
        }
    }

    /** An element of a section. */
    public sealed interface Block permits Table, Figure, Choice {
        /** The same without details. */
        default Block brief() {
            return this;
        }
    }

    public record Figure(Chart chart) implements Block {}

    /**
     * Charts of which the reader sees one at a time, initially the first.
     *
     * @param subject what the choices are: "Requests"
     * @param charts in order, by displayed name
     */
    public record Choice(String subject, Map<String, Chart> charts) implements Block {
        public Choice {
            charts = Collections.unmodifiableMap(new LinkedHashMap<>(charts));
        }
    }

    /**
     * How a result was made.
     *
     * @param command one word each, without secrets
     * @param version Downbeat's version
     * @param client the machine in one line; empty if irrelevant
     * @param started start time, if known
     * @param durationNanos duration; 0 if unknown
     * @param limits meaning and limitations of the numbers, one sentence each
     */
    public record Origin(
            List<String> command,
            String version,
            String client,
            Optional<Instant> started,
            long durationNanos,
            List<String> limits) {
        public Origin {
            command = List.copyOf(command);
            limits = List.copyOf(limits);
        }

        /** The origin of a result that is not a single measurement. */
        public static Origin of(List<String> command, String version, List<String> limits) {
            return new Origin(command, version, "", Optional.empty(), 0, limits);
        }
    }

    /** The formats that show a part of a page: a screen is narrow, while HTML has room for charts and long tables. */
    public enum Where {
        /** All formats; a screen omits its title. */
        EVERYWHERE,
        /** All formats, with its title. */
        CHAPTER,
        /** Screens only. */
        SCREEN,
        /** HTML only. */
        HTML,
        /** HTML only, folded. */
        HTML_FOLDED;

        boolean isWords() {
            return this == EVERYWHERE || this == CHAPTER;
        }

        boolean isScreen() {
            return isWords() || this == SCREEN;
        }

        boolean isPage() {
            return this != SCREEN;
        }
    }

    /** The result of a check, gravest first: a sign and a word, since colour must not be the only carrier. */
    public enum Mark {
        BAD("✗", "failed"),
        OPEN("?", "undecided"),
        NOTE("!", "note"),
        GOOD("✓", "passed");

        private final String sign;
        private final String word;

        Mark(String sign, String word) {
            this.sign = sign;
            this.word = word;
        }

        String sign() {
            return sign;
        }

        String word() {
            return word;
        }
    }

    /** An instant for readers, to the second: "2026-03-01 12:00:00 UTC". */
    public static String moment(Instant at) {
        return MOMENT.format(at);
    }
}
