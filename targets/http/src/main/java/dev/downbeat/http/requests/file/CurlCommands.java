package dev.downbeat.http.requests.file;

import dev.downbeat.http.requests.value.SourcePosition;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Set;

/** The commands of a text and their words, split like a POSIX shell does, with bash's {@code $'...'}. Use once. */
final class CurlCommands {
    /** Words between two commands. A {@code &} within a word is text, unlike in a shell: people paste URLs unquoted. */
    private static final Set<String> OPERATORS = Set.of("&", "&&");

    /** A command with the position of its first word. */
    record CurlCommand(SourcePosition spot, Deque<String> words) {}

    private final String text;
    private final String file;
    private final boolean lineEndsCommand;
    private final List<CurlCommand> commands = new ArrayList<>();
    private final StringBuilder word = new StringBuilder();
    private Deque<String> words = new ArrayDeque<>();
    private boolean begun;
    private boolean isQuoted;
    private boolean followsSemicolon;
    private int line;
    private SourcePosition spot;

    private CurlCommands(String text, SourcePosition first, boolean lineEndsCommand) {
        this.text = text;
        this.file = first.file();
        this.line = first.line();
        this.spot = first;
        this.lineEndsCommand = lineEndsCommand;
    }

    /**
     * Splits a text. A {@code ;} ends a command; {@code #} begins a comment.
     *
     * @param first the position of the first line
     * @param lineEndsCommand whether a line break ends a command, as in a script, or is a blank
     * @throws IllegalArgumentException if a shell would fill something in, or pass the output on
     */
    static List<CurlCommand> of(String text, SourcePosition first, boolean lineEndsCommand) {
        return new CurlCommands(text, first, lineEndsCommand).split();
    }

    private List<CurlCommand> split() {
        for (int at = 0; at < text.length(); at++) {
            char c = text.charAt(at);
            boolean ansi = c == '$' && at + 1 < text.length() && text.charAt(at + 1) == '\'';
            refuseExpansion(at);
            if (c == '^' && (at + 1 == text.length() || "\"\r\n".indexOf(text.charAt(at + 1)) >= 0)) {
                throw spot.refusal("this line is for Windows' cmd: in a browser, Copy as cURL (bash)");
            }
            if (c == '\'' || c == '"' || ansi) {
                begin();
                isQuoted = true;
                at = quoted(ansi ? at + 1 : at, ansi);
            } else if (c == '\\') {
                int end = endOfBlanks(at + 1);
                if (end == text.length() || text.charAt(end) == '\n') {
                    at = end;
                    nextLine('\n');
                } else {
                    begin();
                    isQuoted = true;
                    word.append(text.charAt(++at));
                }
            } else if (c == '#' && !begun) {
                int end = text.indexOf('\n', at);
                at = (end < 0 ? text.length() : end) - 1;
            } else if (Character.isWhitespace(c) || c == ';') {
                endWord();
                nextLine(c);
                if (c == ';' || (c == '\n' && lineEndsCommand)) {
                    endCommand();
                    followsSemicolon = c == ';';
                }
            } else if ("|<>".indexOf(c) >= 0) {
                throw shellOnly(String.valueOf(c));
            } else {
                begin();
                word.append(c);
            }
        }
        endWord();
        endCommand();
        return commands;
    }

    /** Whether the first word is curl or its path; a URL may end with /curl, too. */
    static boolean beginWithCurl(Deque<String> words) {
        return String.valueOf(words.peek()).matches("(/|[/.~][^:]*/)?curl(\\.exe)?");
    }

    private IllegalArgumentException shellOnly(String operator) {
        return spot.refusal("shell syntax is not supported in curl lines: remove " + SourcePosition.found(operator)
                + " and everything after it");
    }

    /** A backslash joins lines even if blanks follow it: they are invisible, and a shell's reading is never meant. */
    private int endOfBlanks(int from) {
        int end = from;
        while (end < text.length() && " \t\r".indexOf(text.charAt(end)) >= 0) {
            end++;
        }
        return end;
    }

    private void nextLine(char c) {
        line += c == '\n' && lineEndsCommand ? 1 : 0;
    }

    private void begin() {
        if (!begun && words.isEmpty()) {
            spot = new SourcePosition(file, line);
        }
        begun = true;
    }

    private void endWord() {
        String ended = word.toString();
        if (!isQuoted && OPERATORS.contains(ended)) {
            throw shellOnly(ended);
        }
        if (begun) {
            words.add(ended);
        }
        word.setLength(0);
        begun = false;
        isQuoted = false;
    }

    private void endCommand() {
        if (!words.isEmpty()) {
            if (followsSemicolon && !beginWithCurl(words)) {
                throw spot.refusal("expected curl after ';', but found " + SourcePosition.found(words.element())
                        + ": quote the ; if it is text");
            }
            commands.add(new CurlCommand(spot, words));
        }
        words = new ArrayDeque<>();
    }

    /** Rejects what a shell would expand: its value is unknown here. */
    private void refuseExpansion(int at) {
        char c = text.charAt(at);
        char next = at + 1 < text.length() ? text.charAt(at + 1) : ' ';
        if (c == '`' || (c == '$' && (Character.isLetter(next) || "_{(".indexOf(next) >= 0))) {
            int end = Math.min(text.length(), at + 16);
            throw spot.refusal("a shell would fill in " + SourcePosition.found(text.substring(at, end))
                    + ": write its value, {{NAME}} with --var, or single quotes if it is text");
        }
    }

    /** Returns the index of the closing quote. */
    private int quoted(int open, boolean ansi) {
        char quote = text.charAt(open);
        for (int at = open + 1; at < text.length(); at++) {
            char c = text.charAt(at);
            nextLine(c);
            if (c == quote) {
                return at;
            }
            if (quote == '"') {
                refuseExpansion(at);
            }
            boolean escapes = c == '\\' && at + 1 < text.length() && (ansi || quote == '"');
            if (!escapes) {
                word.append(c);
                continue;
            }
            char next = text.charAt(++at);
            nextLine(next);
            if (ansi) {
                at = AnsiEscape.append(text, at, word);
            } else if ("\"\\$`".indexOf(next) >= 0) {
                word.append(next);
            } else if (next != '\n') {
                word.append('\\').append(next);
            }
        }
        throw spot.refusal("a quote is not closed in the curl line");
    }

    /** Escapes in bash's {@code $'...'}. Chrome writes each {@code !} of a copied request as {@code \\u0021}. */
    private static final class AnsiEscape {
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
        static int append(String text, int at, StringBuilder word) {
            char kind = text.charAt(at);
            int letter = LETTERS.indexOf(kind);
            if (letter >= 0) {
                word.append(MEANINGS.charAt(letter));
                return at;
            }
            return switch (kind) {
                case 'u' -> number(text, at, 4, word);
                case 'U' -> number(text, at, 8, word);
                case 'x', '0', '1', '2', '3', '4', '5', '6', '7' -> bytes(text, at, word);
                default -> {
                    word.append(kind);
                    yield at;
                }
            };
        }

        /** The character with that code; the letter itself if no digit follows. */
        private static int number(String text, int at, int most, StringBuilder word) {
            int end = endOfDigits(text, at + 1, most, HEX);
            int code = end == at + 1 ? -1 : Integer.parseUnsignedInt(text.substring(at + 1, end), HEX);
            if (!Character.isValidCodePoint(code)) {
                word.append(text.charAt(at));
                return at;
            }
            word.appendCodePoint(code);
            return end - 1;
        }

        private static int endOfDigits(String text, int from, int most, int base) {
            int end = from;
            while (end < text.length() && end < from + most && Character.digit(text.charAt(end), base) >= 0) {
                end++;
            }
            return end;
        }

        /** A run of bytes: of UTF-8, or each a character, as Firefox writes those below 256. */
        private static int bytes(String text, int first, StringBuilder word) {
            ByteArrayOutputStream run = new ByteArrayOutputStream();
            int at = first;
            int end = first - 1;
            while (at < text.length()) {
                boolean isHex = text.charAt(at) == 'x';
                int from = isHex ? at + 1 : at;
                int digits = endOfDigits(text, from, isHex ? 2 : 3, isHex ? HEX : OCTAL);
                if (digits == from) {
                    break;
                }
                run.write(Integer.parseInt(text.substring(from, digits), isHex ? HEX : OCTAL));
                end = digits;
                at = digits + 1;
                if (!text.startsWith("\\", digits)) {
                    break;
                }
            }
            if (run.size() == 0) {
                word.append(text.charAt(first));
                return first;
            }
            byte[] bytes = run.toByteArray();
            try {
                word.append(StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)));
            } catch (CharacterCodingException single) {
                word.append(new String(bytes, StandardCharsets.ISO_8859_1));
            }
            return end - 1;
        }
    }
}
