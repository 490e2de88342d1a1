package dev.downbeat.run;

import java.math.BigDecimal;
import java.util.Optional;

/** Parses plain decimal numbers: digits with at most one point, no sign, no exponent, at most 15 characters. */
public final class DecimalText {
    private static final int LONGEST = 15;

    private DecimalText() {}

    /** The number; empty if the text is not one. */
    public static Optional<BigDecimal> parse(String text) {
        if (text.isEmpty() || text.length() > LONGEST) {
            return Optional.empty();
        }
        int points = 0;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '.') {
                points++;
            } else if (c < '0' || c > '9') {
                return Optional.empty();
            }
        }
        boolean digitsAround = text.charAt(0) != '.' && text.charAt(text.length() - 1) != '.';
        return points > 1 || !digitsAround ? Optional.empty() : Optional.of(new BigDecimal(text));
    }

    /** The length of the number at the start of the text. */
    public static int lengthOfNumber(String text) {
        int length = 0;
        while (length < text.length() && "0123456789.".indexOf(text.charAt(length)) >= 0) {
            length++;
        }
        return length;
    }
}
