package dev.downbeat.http.requests.log;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/**
 * An access log whose requests are repeated.
 *
 * @param file where it is
 * @param format how its lines are written; found out for each line if nobody says
 */
public record AccessLogFile(Path file, Optional<LogFormat> format) {
    /**
     * Its lines; those that were read last are not read again.
     *
     * @param seed of the instants within a second, which whole-second stamps have lost
     * @throws IllegalArgumentException if no line is one
     */
    public LoggedLines lines(long seed) throws IOException {
        return LoggedLines.read(file, format, seed);
    }
}
