package dev.downbeat.spring;

import dev.downbeat.load.Request;
import org.jspecify.annotations.Nullable;

/** How a request ends by its status. Knows no servlet: a reactive service has none on its class path. */
final class Ending {
    private static final int LEAST_FAILURE = 500;
    private static final int NOT_FOUND = 404;

    private Ending() {}

    /**
     * What the row of a request is called: as Micrometer's tag {@code uri}, which has few values however many orders there are.
     *
     * @param route that Spring has found; null if it found none
     */
    static String row(@Nullable Object route, int status) {
        if (route != null) {
            String pattern = route.toString();
            return pattern.isEmpty() ? "root" : pattern;
        }
        return status == NOT_FOUND ? "NOT_FOUND" : status / 100 == 3 ? "REDIRECTION" : "UNKNOWN";
    }

    static void end(Request recorded, int status) {
        if (status >= LEAST_FAILURE) {
            recorded.failed("status " + status);
        } else {
            recorded.answered();
        }
    }
}
