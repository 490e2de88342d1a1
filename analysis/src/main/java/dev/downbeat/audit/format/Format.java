package dev.downbeat.audit.format;

import dev.downbeat.audit.ResultCollector;
import java.io.IOException;

/** The output format of one tool. */
interface Format {
    /** Tool and format, as users know them. */
    String name();

    /**
     * Whether a file has this format.
     *
     * @param head first characters of the file
     */
    boolean recognises(String head);

    /**
     * Reads the whole file.
     *
     * @throws IOException if it cannot be read or a line does not have this format; the message omits the file's name
     * @throws RuntimeException if a value on the line is invalid
     */
    void read(Source source, ResultCollector into) throws IOException;
}
