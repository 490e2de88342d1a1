/**
 * How do JMH's benchmarks get what callers would have waited? By a beat that paces their operations, and a profiler that
 * publishes the times from the intended beginnings.
 */
@NullMarked
package dev.downbeat.jmh;

import org.jspecify.annotations.NullMarked;
