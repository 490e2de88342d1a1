package dev.downbeat.spring;

import dev.downbeat.load.Request;

/** How a request ends by its status. Knows no servlet: a reactive service has none on its class path. */
final class Ending {
    private static final int LEAST_FAILURE = 500;

    private Ending() {}

    static void end(Request recorded, int status) {
        if (status >= LEAST_FAILURE) {
            recorded.failed("status " + status);
        } else {
            recorded.answered();
        }
    }
}
