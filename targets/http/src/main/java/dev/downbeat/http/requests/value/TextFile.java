package dev.downbeat.http.requests.value;

import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Text files as users have them, in UTF-8. Pure functions. */
public final class TextFile {
    private static final String BYTE_ORDER_MARK = "\uFEFF";

    private TextFile() {}

    /**
     * The text of a file, without the byte order mark that editors of Windows write.
     *
     * @param largest maximum size in mebibytes: no larger file is meant
     * @throws IllegalArgumentException if it is larger, or not UTF-8 text; the message names the file
     */
    public static String read(Path file, int largest) throws IOException {
        if (Files.size(file) > (long) largest << 20) {
            throw new IllegalArgumentException(file + " is larger than " + largest + " MiB");
        }
        try {
            String text = Files.readString(file);
            return text.startsWith(BYTE_ORDER_MARK) ? text.substring(1) : text;
        } catch (CharacterCodingException binary) {
            throw new IllegalArgumentException(file + ": not UTF-8 text", binary);
        }
    }
}
