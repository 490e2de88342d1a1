package dev.downbeat.http.requests.file;

/** Escapes in bash's {@code $'...'}. Chrome writes each {@code !} of a copied request as {@code \\u0021}. */
final class AnsiEscape {
    private static final String LETTERS = "abefnrtv";
    private static final String MEANINGS = "\u0007\b\u001b\f\n\r\t\u000b";
    private static final int HEX = 16;
    private static final int OCTAL = 8;

    private AnsiEscape() {}

    /**
     * Appends the character that an escape stands for.
     *
     * @param at index of the character after the backslash
     * @return index of its last character
     */
    static int append(String line, int at, StringBuilder word) {
        char kind = line.charAt(at);
        int letter = LETTERS.indexOf(kind);
        if (letter >= 0) {
            word.append(MEANINGS.charAt(letter));
            return at;
        }
        return switch (kind) {
            case 'u' -> number(line, at, at + 1, 4, HEX, word);
            case 'U' -> number(line, at, at + 1, 8, HEX, word);
            case 'x' -> number(line, at, at + 1, 2, HEX, word);
            case '0', '1', '2', '3', '4', '5', '6', '7' -> number(line, at, at, 3, OCTAL, word);
            default -> {
                word.append(kind);
                yield at;
            }
        };
    }

    /** The character with that code; the letter itself if no digit follows. */
    private static int number(String line, int at, int from, int most, int base, StringBuilder word) {
        int end = from;
        while (end < line.length() && end < from + most && Character.digit(line.charAt(end), base) >= 0) {
            end++;
        }
        int code = end == from ? -1 : Integer.parseUnsignedInt(line.substring(from, end), base);
        if (!Character.isValidCodePoint(code)) {
            word.append(line.charAt(at));
            return at;
        }
        word.appendCodePoint(code);
        return end - 1;
    }
}
