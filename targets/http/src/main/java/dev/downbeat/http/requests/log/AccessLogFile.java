package dev.downbeat.http.requests.log;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/**
 * An access log to replay.
 *
 * @param file the file
 * @param format format of its lines; detected per line if empty
 */
public record AccessLogFile(Path file, Optional<LogFormat> format) {
    /**
     * Its lines; the most recently read log is cached.
     *
     * @param seed seed for instants within a second, which whole-second stamps have lost
     * @throws IllegalArgumentException if no line is valid
     */
    public LoggedLines lines(long seed) throws IOException {
        return LoggedLines.read(file, format, seed);
    }
}
