package dev.downbeat.verdict;

import dev.downbeat.time.DurationText;

/** How certain an observed time is. */
enum Observed {
    EXACTLY("was "),
    AT_LEAST("was at least ");

    private final String words;

    Observed(String words) {
        this.words = words;
    }

    static Observed of(boolean known) {
        return known ? EXACTLY : AT_LEAST;
    }

    String time(long nanos) {
        return words + DurationText.rounded(nanos);
    }
}
