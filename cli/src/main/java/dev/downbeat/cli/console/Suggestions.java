package dev.downbeat.cli.console;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

/** Suggests corrections for misspelt words: known words at an edit distance of at most two. */
public final class Suggestions {
    private static final int MOST_TYPOS = 2;

    /** Options of other programs. */
    private static final Map<String, String> ELSEWHERE = Map.of(
            "--no-color", "--color never",
            "--no-colour", "--color never",
            "--colour", "--color",
            "version", "--version",
            "bench", "run",
            "test", "run",
            "load", "run",
            "man", "help");

    private Suggestions() {}

    /** Suggestions, nearest first; empty if none is near. */
    public static List<String> of(String word, Collection<String> known) {
        if (ELSEWHERE.containsKey(word)) {
            return List.of(ELSEWHERE.get(word));
        }
        int most = Math.min(MOST_TYPOS, word.length() / 2);
        return known.stream()
                .filter(one -> slips(word, one) <= most)
                .sorted(Comparator.comparingInt(one -> slips(word, one)))
                .toList();
    }

    /** Edit distance with transpositions. */
    private static int slips(String word, String other) {
        int[][] slips = new int[word.length() + 1][other.length() + 1];
        for (int i = 0; i <= word.length(); i++) {
            for (int j = 0; j <= other.length(); j++) {
                if (i == 0 || j == 0) {
                    slips[i][j] = i + j;
                    continue;
                }
                int same = word.charAt(i - 1) == other.charAt(j - 1) ? 0 : 1;
                int least = Math.min(slips[i - 1][j - 1] + same, 1 + Math.min(slips[i - 1][j], slips[i][j - 1]));
                boolean isSwapped = i > 1
                        && j > 1
                        && word.charAt(i - 1) == other.charAt(j - 2)
                        && word.charAt(i - 2) == other.charAt(j - 1);
                slips[i][j] = isSwapped ? Math.min(least, 1 + slips[i - 2][j - 2]) : least;
            }
        }
        return slips[word.length()][other.length()];
    }
}
