package dev.downbeat.load;

import java.util.concurrent.CompletionStage;

/** Code to measure that returns at once and completes a stage when it is done. Called by one thread. */
@FunctionalInterface
public interface AsyncCode {
    /**
     * Begins what is measured, once. Must not wait: the requests that come next would be late.
     *
     * @param beat which request this is
     * @return completes when it is done; exceptionally, if it failed. Cancelled when the request times out.
     * @throws Exception if it failed at once
     */
    CompletionStage<?> call(Beat beat) throws Exception;
}
