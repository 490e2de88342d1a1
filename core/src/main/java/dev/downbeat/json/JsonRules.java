package dev.downbeat.json;

import dev.downbeat.exchange.Plain;
import java.math.BigDecimal;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/**
 * What becomes of values that are read. Immutable.
 *
 * @param decimals makes a number of digits that no long holds
 * @param texts what a text becomes
 * @param isStrict whether a name that an object has twice is refused; else the last one counts
 */
public record JsonRules(Function<String, Number> decimals, UnaryOperator<String> texts, boolean isStrict) {
    /** As it was written: numbers keep their digits. For what services and other tools write. */
    public static final JsonRules EXACT = new JsonRules(BigDecimal::new, text -> text, false);

    /** Our own files: as it was written, numbers are doubles. */
    public static final JsonRules OWN = new JsonRules(Double::valueOf, text -> text, true);

    /** Our own files whose texts are shown sooner or later: each of them is one plain line. */
    public static final JsonRules SHOWN = new JsonRules(Double::valueOf, Plain::line, true);
}
