package dev.downbeat.report.chart.draw;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Set;

/**
 * Writes elements that are HTML to a browser and well-formed XML to a parser. All text is escaped here and nowhere else.
 * Not thread-safe.
 */
public final class Markup {
    /** A line break before these would be seen as a space. */
    private static final Set<String> INLINE = Set.of("span", "b", "code", "tspan", "title", "desc", "td", "th", "a");

    private final StringBuilder out = new StringBuilder(64 * 1024);
    private final Deque<String> open = new ArrayDeque<>();

    /**
     * Begins an element.
     *
     * @param attributes name, value, name, value...; one with an empty value is left out
     */
    public Markup open(String tag, String... attributes) {
        begin(tag, attributes);
        out.append('>');
        open.push(tag);
        return this;
    }

    /** Ends the element that was begun last. */
    public Markup close() {
        out.append("</").append(open.pop()).append('>');
        return this;
    }

    /** An element with nothing in it, such as a shape. */
    public Markup empty(String tag, String... attributes) {
        begin(tag, attributes);
        out.append("/>");
        return this;
    }

    /** An element with text in it. */
    public Markup leaf(String tag, String text, String... attributes) {
        return open(tag, attributes).text(text).close();
    }

    public Markup text(String text) {
        escape(text);
        return this;
    }

    /** Lines that stay lines, within an element that keeps them. */
    public Markup verbatimLines(List<String> lines) {
        lines.forEach(line -> text(line).verbatim("\n"));
        return this;
    }

    /** Our own style sheet or script, which must not hold what an XML parser would read. */
    public Markup verbatim(String ours) {
        out.append(ours);
        return this;
    }

    private void begin(String tag, String... attributes) {
        if (!INLINE.contains(tag)) {
            out.append('\n');
        }
        out.append('<').append(tag);
        for (int i = 0; i < attributes.length; i += 2) {
            if (!attributes[i + 1].isEmpty()) {
                out.append(' ').append(attributes[i]).append("=\"");
                escape(attributes[i + 1]);
                out.append('"');
            }
        }
    }

    private void escape(String text) {
        text.codePoints().forEach(character -> {
            switch (character) {
                case '&' -> out.append("&amp;");
                case '<' -> out.append("&lt;");
                case '>' -> out.append("&gt;");
                case '"' -> out.append("&quot;");
                case '\n' -> out.append(' ');
                default -> out.appendCodePoint(isAllowed(character) ? character : 0xfffd);
            }
        });
    }

    /** By XML 1.0; the name of a target may hold anything. */
    private static boolean isAllowed(int character) {
        return character == '\t'
                || (character >= 0x20 && character <= 0xd7ff && !(character >= 0x7f && character <= 0x9f))
                || (character >= 0xe000 && character <= 0xfffd)
                || character >= 0x10000;
    }

    @Override
    public String toString() {
        return out.toString();
    }
}
