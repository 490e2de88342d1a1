package dev.downbeat.load;

import java.util.concurrent.CompletionStage;

/** Asynchronous code to measure. Called by one thread. */
@FunctionalInterface
public interface AsyncCode {
    /**
     * Starts one request. Must not block, or later requests would be late.
     *
     * @param beat identifies the request
     * @return a stage that completes with the request, exceptionally if it failed; cancelled on timeout
     * @throws Exception if the request failed at once
     */
    CompletionStage<?> call(Beat beat) throws Exception;
}
