package dev.downbeat.load;

/** Code to measure that returns when it is done. Called by many threads at the same time. */
@FunctionalInterface
public interface BlockingCode {
    /**
     * Does what is measured, once. Whatever it waits for counts, be it a lock of the caller's own.
     *
     * @param beat which request this is
     * @throws Exception if it failed: the request is counted as such, under the name of the exception
     */
    void call(Beat beat) throws Exception;
}
