package dev.downbeat.exchange;

import java.util.Collection;
import java.util.Comparator;
import java.util.Locale;
import java.util.Optional;

/** Finds the name that was probably meant, ignoring case. Pure functions. */
public final class SimilarNames {
    private static final int LETTERS = 5;

    private SimilarNames() {}

    /**
     * The known name that was probably meant; empty if none is similar: one letter in {@value #LETTERS} may differ.
     *
     * @param name an unknown name
     */
    public static Optional<String> nearest(String name, Collection<String> known) {
        return known.stream()
                .filter(each -> changes(each, name) <= name.length() / LETTERS)
                .min(Comparator.comparingInt(each -> changes(each, name)));
    }

    private static int changes(String one, String other) {
        return typos(one.toLowerCase(Locale.ROOT), other.toLowerCase(Locale.ROOT));
    }

    /** The least number of typing errors between two words: a letter missing, added, wrong, or swapped with the next. */
    public static int typos(String word, String other) {
        int[][] typos = new int[word.length() + 1][other.length() + 1];
        for (int i = 0; i <= word.length(); i++) {
            for (int j = 0; j <= other.length(); j++) {
                if (i == 0 || j == 0) {
                    typos[i][j] = i + j;
                    continue;
                }
                int same = word.charAt(i - 1) == other.charAt(j - 1) ? 0 : 1;
                int least = Math.min(typos[i - 1][j - 1] + same, 1 + Math.min(typos[i - 1][j], typos[i][j - 1]));
                boolean isSwapped = i > 1
                        && j > 1
                        && word.charAt(i - 1) == other.charAt(j - 2)
                        && word.charAt(i - 2) == other.charAt(j - 1);
                typos[i][j] = isSwapped ? Math.min(least, 1 + typos[i - 2][j - 2]) : least;
            }
        }
        return typos[word.length()][other.length()];
    }
}
