package dev.downbeat.jdbc;

import dev.downbeat.exchange.Outcome;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The number of rows that each statement must return or change. Immutable. */
public final class RowsExpected {
    private static final Pattern FORM = Pattern.compile("rows\\s*(>=|<=|=|>|<)\\s*(\\d{1,18})");

    private final String operator;
    private final long count;
    private final Outcome unexpected;

    private RowsExpected(String operator, long count) {
        this.operator = operator;
        this.count = count;
        this.unexpected = Outcome.failedResponse("unexpected result: not rows" + operator + count);
    }

    /**
     * Parses {@code rows>=1}.
     *
     * @throws IllegalArgumentException if the text is invalid
     */
    public static RowsExpected parse(String text) {
        Matcher matcher = FORM.matcher(text.strip());
        if (!matcher.matches()) {
            throw new IllegalArgumentException("expected rows>=1 or the like, but was '" + text + "'");
        }
        return new RowsExpected(matcher.group(1), Long.parseLong(matcher.group(2)));
    }

    boolean holds(long rows) {
        return switch (operator) {
            case ">=" -> rows >= count;
            case "<=" -> rows <= count;
            case ">" -> rows > count;
            case "<" -> rows < count;
            default -> rows == count;
        };
    }

    Outcome unexpected() {
        return unexpected;
    }
}
