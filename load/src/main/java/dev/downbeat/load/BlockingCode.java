package dev.downbeat.load;

/**
 * Blocking code to measure. Called concurrently by many threads. A request ends when its call returns: code that returns
 * a {@link java.util.concurrent.CompletionStage} compiles, but only its start would be measured; it is {@link AsyncCode}.
 */
@FunctionalInterface
public interface BlockingCode {
    /**
     * Performs one request. All waiting counts, including waits for the caller's own locks.
     *
     * @param beat identifies the request
     * @throws Exception counts the request as failed, with the exception's name as the reason
     */
    void call(Beat beat) throws Exception;
}
