package dev.downbeat.exchange;

import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Limits of this process or machine, which keep requests from being sent. Java has no types for them, so they are
 * recognized by the system's messages, only here.
 */
public enum OwnLimit {
    OPEN_FILES("too many open files (see ulimit -n)", 24, "too many open files"),
    LOCAL_PORTS(
            "cannot assign requested address (see net.ipv4.ip_local_port_range)",
            99,
            "cannot assign requested address",
            "address already in use"),
    MEMORY(
            "no memory for another socket or process",
            12,
            "no memory for another",
            "cannot allocate memory",
            "no buffer space available"),
    /** Not by the message of EAGAIN alone, which a Unix socket with a full accept queue has, too. */
    PROCESSES(
            "no more processes or threads (see ulimit -u)",
            11,
            "no more processes or threads",
            "unable to create native thread");

    private static final int MOST_CAUSES = 10;

    /** The error number of a program that could not be started; its message depends on the locale. */
    private static final Pattern NOT_STARTED = Pattern.compile("Cannot run program .*error(?:=|: )(\\d+)\\b.*");

    private final Outcome outcome;
    private final String error;
    private final List<String> words;

    OwnLimit(String reason, int error, String... words) {
        this.outcome = Outcome.ownLimit(reason);
        this.error = Integer.toString(error);
        this.words = List.of(words);
    }

    /** The same instance each time. */
    public Outcome outcome() {
        return outcome;
    }

    public String reason() {
        return outcome.reason();
    }

    /** The limit that caused an exception; empty if none did. Only the system's own exceptions count: others may quote a server. */
    public static Optional<OwnLimit> of(Throwable thrown) {
        return Stream.iterate(thrown, Objects::nonNull, Throwable::getCause)
                .limit(MOST_CAUSES) // causes of a foreign driver may form a circle
                .filter(cause -> cause instanceof IOException || cause instanceof OutOfMemoryError)
                .map(cause -> String.valueOf(cause.getMessage()))
                .flatMap(text -> in(text).or(() -> ofProgram(text)).stream())
                .findFirst();
    }

    private static Optional<OwnLimit> ofProgram(String text) {
        Matcher error = NOT_STARTED.matcher(text);
        return error.matches()
                ? Stream.of(values())
                        .filter(limit -> limit.error.equals(error.group(1)))
                        .findFirst()
                : Optional.empty();
    }

    /** The limit that a text names; empty if it names none. */
    public static Optional<OwnLimit> in(String text) {
        String lower = text.toLowerCase(Locale.ROOT);
        return Stream.of(values())
                .filter(limit -> limit.words.stream().anyMatch(lower::contains))
                .findFirst();
    }
}
