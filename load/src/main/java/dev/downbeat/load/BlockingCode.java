package dev.downbeat.load;

/** Blocking code to measure. Called by many threads at the same time. */
@FunctionalInterface
public interface BlockingCode {
    /**
     * Performs one request. All waiting counts, even for the caller's own locks.
     *
     * @param beat which request this is
     * @throws Exception counts the request as failed, under the name of the exception
     */
    void call(Beat beat) throws Exception;
}
