package dev.downbeat.json;

import dev.downbeat.exchange.SafeText;
import java.math.BigDecimal;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/**
 * How values are converted while they are read. Immutable.
 *
 * @param decimals converts digits that do not fit a long
 * @param texts converts strings
 * @param isStrict whether a duplicate member is an error; otherwise the last one wins
 */
public record JsonRules(Function<String, Number> decimals, UnaryOperator<String> texts, boolean isStrict) {
    /** Preserves numbers and strings as written. For output of services and other tools. */
    public static final JsonRules EXACT = new JsonRules(BigDecimal::new, text -> text, false);

    /** For Downbeat's own files: strings as written, other numbers as doubles. */
    public static final JsonRules OWN = new JsonRules(Double::valueOf, text -> text, true);

    /** For Downbeat's own files whose strings will be displayed: each is reduced to one plain line. */
    public static final JsonRules SHOWN = new JsonRules(Double::valueOf, SafeText::line, true);
}
