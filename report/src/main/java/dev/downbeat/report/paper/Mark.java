package dev.downbeat.report.paper;

/** How a check came out: a sign and a word, since colour alone says nothing. */
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
