package dev.downbeat.cli.measurement.value;

/**
 * The number of attempts per request.
 *
 * @param most at least 1; {@link Integer#MAX_VALUE} for no limit
 */
public record Attempts(int most) {
    private static final String UNLIMITED = "unlimited";

    public static Attempts parse(String text) {
        if (text.equals(UNLIMITED)) {
            return new Attempts(Integer.MAX_VALUE);
        }
        long count = CountConverter.parse(text);
        Refusal.when(count > 1_000_000, "--attempts must be from 1 to 1000000 or unlimited, but was '" + text + "'");
        return new Attempts((int) count);
    }

    public String text() {
        return most == Integer.MAX_VALUE ? UNLIMITED : Integer.toString(most);
    }
}
