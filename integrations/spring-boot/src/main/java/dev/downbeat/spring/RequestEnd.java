package dev.downbeat.spring;

import dev.downbeat.load.Request;
import org.jspecify.annotations.Nullable;

/**
 * Derives the end of a request from its status. Independent of servlets, which are not on the class path of a reactive
 * service.
 */
final class RequestEnd {
    private static final int LEAST_FAILURE = 500;
    private static final int NOT_FOUND = 404;

    private RequestEnd() {}

    /**
     * The name of a request's row: Micrometer's tag {@code uri}, which has few values regardless of path parameters.
     *
     * @param route the route found by Spring; null if none
     */
    static String row(@Nullable Object route, int status) {
        if (route != null) {
            String pattern = route.toString();
            return pattern.isEmpty() ? "root" : pattern;
        }
        return status == NOT_FOUND ? "NOT_FOUND" : status / 100 == 3 ? "REDIRECTION" : "UNKNOWN";
    }

    static boolean isFailure(int status) {
        return status >= LEAST_FAILURE;
    }

    static void end(Request recorded, int status) {
        if (isFailure(status)) {
            recorded.failed("status " + status);
        } else {
            recorded.answered();
        }
    }
}
