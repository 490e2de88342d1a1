package dev.downbeat.report.paper;

/** The result of a check: a sign and a word, since colour must not be the only carrier. */
public enum Mark {
    GOOD("✓", "passed"),
    NOTE("!", "note"),
    BAD("✗", "failed"),
    OPEN("?", "undecided");

    private final String sign;
    private final String word;

    Mark(String sign, String word) {
        this.sign = sign;
        this.word = word;
    }

    String sign() {
        return sign;
    }

    String word() {
        return word;
    }
}
