package dev.downbeat.report.paper;

import dev.downbeat.report.chart.draw.Chart;
import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A result of any kind as a value: what was found in a sentence, whether to believe it, and the numbers. Every format writes
 * all kinds from it. Immutable.
 *
 * @param head what it is about
 * @param answers what was asked, and the answers
 * @param notes what speaks against it or is to be known, as numbered on a screen
 * @param sections tables and pictures in the order of reading
 * @param facts what is told in a line each
 * @param origin how it came about
 */
public record Page(
        Head head, List<Answer> answers, List<Note> notes, List<Section> sections, List<Fact> facts, Origin origin) {
    public Page {
        answers = List.copyOf(answers);
        notes = List.copyOf(notes);
        sections = List.copyOf(sections);
        facts = List.copyOf(facts);
    }

    /**
     * What a page begins with.
     *
     * @param kind what kind of result, such as "report" or "comparison"
     * @param title what was measured
     * @param headline the sentence that a user would forward
     * @param partial why it is not the whole; empty if it is
     * @param about more about what was measured, a line each
     */
    public record Head(String kind, String title, String headline, Optional<String> partial, List<String> about) {
        public Head {
            about = List.copyOf(about);
        }
    }

    /**
     * An answer to one question.
     *
     * @param label one word for the question: "service"
     * @param word the answer in a word or two: "missed"
     * @param summary what is said of it; may be empty
     * @param question in full; may be empty
     * @param isTrust whether it is about the measurement: a failure of it is none of the service
     * @param checks what it follows from
     */
    public record Answer(
            String label,
            Mark mark,
            String word,
            String summary,
            String question,
            boolean isTrust,
            List<Check> checks) {
        public Answer {
            checks = List.copyOf(checks);
        }

        /** One that stands for itself. */
        public static Answer of(String label, Mark mark, String word, String summary) {
            return new Answer(label, mark, word, summary, "", false, List.of());
        }

        /** Whether nothing is said in one: then its checks are told one by one wherever it is shown. */
        boolean isListed() {
            return summary.isEmpty();
        }
    }

    /**
     * Something that was looked at.
     *
     * @param word how it came out: "met"
     * @param name for programs; empty if it is for readers only
     */
    public record Check(Mark mark, String word, String name, String text) {
        /** For readers only. */
        public static Check of(Mark mark, String text) {
            return new Check(mark, mark.word(), "", text);
        }
    }

    /**
     * Something to be known before the numbers are used.
     *
     * @param isDoubt whether the numbers are not to be trusted for it
     * @param code a stable name for programs
     * @param text all of it
     * @param brief its first sentence, without a full stop
     */
    public record Note(boolean isDoubt, String code, String text, String brief) {
        /** One of a single sentence. */
        public Note(boolean isDoubt, String code, String text) {
            this(isDoubt, code, text, text);
        }

        Mark mark() {
            return isDoubt ? Mark.BAD : Mark.NOTE;
        }
    }

    /**
     * A fact with its label; one without a label belongs to that before it.
     *
     * @param isDetail whether it is for who asks for all of it
     */
    public record Fact(String label, String text, boolean isDetail) {
        /** One that everybody reads. */
        public Fact(String label, String text) {
            this(label, text, false);
        }

        /** One for who asks for more. */
        public static Fact detail(String label, String text) {
            return new Fact(label, text, true);
        }
    }

    /**
     * A part of a page.
     *
     * @param id a name of one word for links and tests
     * @param leads how to read it
     * @param remarks what its numbers cannot say
     */
    public record Section(
            String id, String title, Where where, List<String> leads, List<Block> blocks, List<String> remarks) {
        public Section {
            leads = List.copyOf(leads);
            blocks = List.copyOf(blocks);
            remarks = List.copyOf(remarks);
        }

        /** Blocks under a title, without more words. */
        public static Section of(String id, String title, Where where, Block... blocks) {
            return new Section(id, title, where, List.of(), List.of(blocks), List.of());
        }

        /** A picture, which says itself how to read it. */
        public static Section of(Chart chart) {
            Chart.About about = chart.about();
            return of(about.id(), about.title(), Where.PAGE, new Figure(chart)).lead(about.lead());
        }

        /** Those of these pictures on which there is something to see. */
        public static List<Section> shown(Chart... charts) {
            return Stream.of(charts).filter(Chart::isShown).map(Section::of).toList();
        }

        /** The same with a lead. */
        public Section lead(String... more) {
            return new Section(id, title, where, List.of(more), blocks, remarks);
        }

        /** The same with remarks. */
        public Section remarks(List<String> more) {
            return new Section(id, title, where, leads, blocks, more);
        }
    }

    /** What a section is made of. */
    public sealed interface Block permits Table, Facts, Figure, Choice, Drawing {}

    /** Facts as a part of a section. */
    public record Facts(List<Fact> facts) implements Block {
        public Facts {
            facts = List.copyOf(facts);
        }
    }

    /** A picture. */
    public record Figure(Chart chart) implements Block {}

    /**
     * Pictures of which the reader looks at one at a time, first at the first.
     *
     * @param subject what there are several of: "Requests"
     * @param charts in this order, each by the words that stand for it
     */
    public record Choice(String subject, Map<String, Chart> charts) implements Block {
        public Choice {
            charts = Collections.unmodifiableMap(new LinkedHashMap<>(charts));
        }
    }

    /** Lines drawn with letters, for a screen. */
    public record Drawing(List<String> lines) implements Block {
        public Drawing {
            lines = List.copyOf(lines);
        }
    }

    /**
     * How a page came about.
     *
     * @param command one word each, without secrets
     * @param version of Downbeat
     * @param client the machine in a line; empty if it does not matter
     * @param started when, if it is known
     * @param durationNanos how long it took; 0 if it is not known
     * @param limits what the numbers mean and cannot say, a sentence each
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

        /** Of what is not one measurement. */
        public static Origin of(List<String> command, String version, List<String> limits) {
            return new Origin(command, version, "", Optional.empty(), 0, limits);
        }
    }
}
