package dev.downbeat.audit.format;

import dev.downbeat.audit.Collected;
import java.io.IOException;

/** How one tool writes its results. */
interface Format {
    /** The tool and the format, as users know them. */
    String name();

    /**
     * Whether a file looks like it.
     *
     * @param head its first characters
     */
    boolean recognises(String head);

    /**
     * Reads all of it.
     *
     * @throws IOException if it cannot be read, or a line of it is not of this format; without the name of the file
     * @throws RuntimeException if a value of the line is none
     */
    void read(Source source, Collected into) throws IOException;
}
