package dev.downbeat.report.file;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Whether an inconclusive build passes, in the same terms for every command and integration. A file beside the results
 * keeps the number of consecutive undecided builds.
 *
 * @param mostInARow most consecutive undecided builds that pass
 */
public record UndecidedPolicy(int mostInARow) {
    /** Each undecided build fails. */
    public static final UndecidedPolicy FAILS = new UndecidedPolicy(0);

    /** Each undecided build passes. */
    public static final UndecidedPolicy PASSES = new UndecidedPolicy(Integer.MAX_VALUE);

    /** The file extension of the count. */
    public static final String EXTENSION = ".undecided";

    /** The count if its file cannot be read or written: beyond any bound, since otherwise every build might pass. */
    public static final int COUNT_UNKNOWN = Integer.MAX_VALUE - 1;

    private static final Pattern FAILS_AFTER = Pattern.compile("fails-after-([1-9][0-9]?)");

    /** The largest count of a policy. */
    public static final int MOST_COUNTED = 99;

    /** Checks the range, so that {@link #parse} accepts the {@link #text}. */
    public UndecidedPolicy {
        if (mostInARow < 0 || mostInARow > MOST_COUNTED && mostInARow != Integer.MAX_VALUE) {
            throw new IllegalArgumentException("mostInARow must be from 0 to 99, but was " + mostInARow);
        }
    }

    /**
     * Parses {@code fails}, {@code passes} or {@code fails-after-3}.
     *
     * @param more further accepted words, for the error message
     * @throws IllegalArgumentException for any other word
     */
    public static UndecidedPolicy parse(String text, String... more) {
        Matcher after = FAILS_AFTER.matcher(text);
        if (after.matches()) {
            return new UndecidedPolicy(Integer.parseInt(after.group(1)));
        }
        return switch (text) {
            case "fails" -> FAILS;
            case "passes" -> PASSES;
            default ->
                throw new IllegalArgumentException("it must be "
                        + String.join(
                                ", ",
                                Stream.concat(Stream.of("fails", "passes"), Stream.of(more))
                                        .toList()) + " or fails-after-3, but was '" + text + "'");
        };
    }

    /** The policy in the syntax of its parser. */
    public String text() {
        return isCounted() ? "fails-after-" + mostInARow : equals(FAILS) ? "fails" : "passes";
    }

    /** Whether it depends on earlier builds. */
    public boolean isCounted() {
        return !equals(FAILS) && !equals(PASSES);
    }

    /** Whether the last of this many consecutive undecided builds passes. */
    public boolean passes(int inARow) {
        return inARow <= mostInARow;
    }

    /**
     * Counts a build. A decided one writes 0, since the cache of a CI server would restore a deleted file.
     *
     * @return consecutive undecided builds, including this one; {@link #COUNT_UNKNOWN} if an undecided one cannot be counted
     */
    public static int inARow(Path file, boolean isUndecided) {
        int before = before(file);
        int count = isUndecided ? nextInARow(file) : 0;
        try {
            if (count != before) {
                Files.writeString(file, count + "\n");
            }
            return count;
        } catch (IOException notKept) {
            return isUndecided ? COUNT_UNKNOWN : count;
        }
    }

    /** Consecutive undecided builds if the next one is undecided. */
    public static int nextInARow(Path file) {
        return Math.min(before(file), COUNT_UNKNOWN - 1) + 1;
    }

    /** The count for a message, such as "3 in a row". */
    public static String inWords(int inARow) {
        return inARow == COUNT_UNKNOWN ? "but their count could not be read or written" : inARow + " in a row";
    }

    private static int before(Path file) {
        try {
            int count =
                    Files.exists(file) ? Integer.parseInt(Files.readString(file).strip()) : 0;
            return count < 0 ? COUNT_UNKNOWN : count;
        } catch (IOException | NumberFormatException unreadable) {
            return COUNT_UNKNOWN;
        }
    }
}
