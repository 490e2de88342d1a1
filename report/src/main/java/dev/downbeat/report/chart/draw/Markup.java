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
    private boolean isStartTagOpen;

    /** Opens an element; attributes follow by {@link #with}. */
    public Markup open(String tag) {
        endStartTag();
        if (!INLINE.contains(tag)) {
            out.append('\n');
        }
        out.append('<').append(tag);
        open.push(tag);
        isStartTagOpen = true;
        return this;
    }

    /** Opens an element of a class of the style sheet, which may be empty. */
    public Markup open(String tag, String className) {
        return open(tag).with("class", className);
    }

    /** Adds an attribute to the element just opened, unless the value is empty. */
    public Markup with(String attribute, String value) {
        if (!value.isEmpty()) {
            out.append(' ').append(attribute).append("=\"");
            escape(value);
            out.append('"');
        }
        return this;
    }

    private void endStartTag() {
        if (isStartTagOpen) {
            out.append('>');
            isStartTagOpen = false;
        }
    }

    /** Closes the element opened last. */
    public Markup close() {
        endStartTag();
        out.append("</").append(open.pop()).append('>');
        return this;
    }

    /** Closes the element just opened, such as a shape, without content. */
    public Markup empty() {
        out.append("/>");
        open.pop();
        isStartTagOpen = false;
        return this;
    }

    public Markup leaf(String tag, String text) {
        return open(tag).text(text).close();
    }

    public Markup leaf(String tag, String className, String text) {
        return open(tag, className).text(text).close();
    }

    public Markup text(String text) {
        endStartTag();
        escape(text);
        return this;
    }

    /** Downbeat's own style sheet or script, which must not contain XML syntax. */
    public Markup verbatim(String styleOrScript) {
        endStartTag();
        out.append(styleOrScript);
        return this;
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
