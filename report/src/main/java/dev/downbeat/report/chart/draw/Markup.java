package dev.downbeat.report.chart.draw;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Set;

/**
 * Writes elements that are both HTML and well-formed XML. All text is escaped here and nowhere else. Not thread-safe.
 */
public final class Markup {
    /** Elements before which a line break would appear as a space. */
    private static final Set<String> INLINE = Set.of("span", "b", "code", "tspan", "title", "desc", "td", "th", "a");

    private final StringBuilder out = new StringBuilder(64 * 1024);
    private final Deque<String> open = new ArrayDeque<>();

    /**
     * Opens an element.
     *
     * @param attributes name, value, name, value...; attributes with an empty value are omitted
     */
    public Markup open(String tag, String... attributes) {
        begin(tag, attributes);
        out.append('>');
        open.push(tag);
        return this;
    }

    /** Closes the element opened last. */
    public Markup close() {
        out.append("</").append(open.pop()).append('>');
        return this;
    }

    /** An element without content, such as a shape. */
    public Markup empty(String tag, String... attributes) {
        begin(tag, attributes);
        out.append("/>");
        return this;
    }

    /** An element with a text. */
    public Markup leaf(String tag, String text, String... attributes) {
        return open(tag, attributes).text(text).close();
    }

    public Markup text(String text) {
        escape(text);
        return this;
    }

    /** Downbeat's own style sheet or script, which must not contain XML syntax. */
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

    /** Whether XML 1.0 allows the character; names of targets may contain any. */
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
