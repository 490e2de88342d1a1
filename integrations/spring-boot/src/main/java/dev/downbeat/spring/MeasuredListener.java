package dev.downbeat.spring;

import dev.downbeat.load.Measured;

/**
 * A bean that receives each measurement of the service, for an alert or a table of your own. Do not call {@code take} of
 * the starter's recorder instead: the log, the meters and the endpoint would miss what that call returned.
 *
 * <pre>{@code
 * @Bean
 * MeasuredListener alert(Pager pager) {
 *     return measured -> {
 *         if (measured.verdict() == Verdict.MISSED) {
 *             pager.send(measured.sentence());
 *         }
 *     };
 * }
 * }</pre>
 */
@FunctionalInterface
public interface MeasuredListener {
    /**
     * Called after each interval, and when the service closes, by one thread at a time. What it throws is logged.
     *
     * @param measured what was recorded since the last call
     */
    void measured(Measured measured);
}
