package dev.downbeat.exchange;

/**
 * Makes external text (from a server, file or library) safe to display: removes terminal control characters and
 * characters that change the reading direction. Pure functions, thread-safe.
 */
public final class SafeText {
    private SafeText() {}

    /**
     * The text on one line. Control characters (C0, DEL, C1), line separators and direction marks each become a space.
     * Unpaired surrogates become question marks.
     */
    public static String line(String text) {
        int at = 0;
        while (at < text.length() && isPlain(text, at)) {
            at++;
        }
        if (at == text.length()) {
            return text;
        }
        StringBuilder plain = new StringBuilder(text);
        for (; at < text.length(); at++) {
            if (!isPlain(text, at)) {
                plain.setCharAt(at, Character.isSurrogate(text.charAt(at)) ? '?' : ' ');
            }
        }
        return plain.toString();
    }

    private static boolean isPlain(String text, int at) {
        char c = text.charAt(at);
        if (Character.isHighSurrogate(c)) {
            return at + 1 < text.length() && Character.isLowSurrogate(text.charAt(at + 1));
        }
        if (Character.isLowSurrogate(c)) {
            return at > 0 && Character.isHighSurrogate(text.charAt(at - 1));
        }
        boolean isDirection = c == '\u061c'
                || c == '\u200e'
                || c == '\u200f'
                || (c >= '\u202a' && c <= '\u202e')
                || (c >= '\u2066' && c <= '\u2069');
        return !Character.isISOControl(c) && c != '\u2028' && c != '\u2029' && !isDirection;
    }
}
