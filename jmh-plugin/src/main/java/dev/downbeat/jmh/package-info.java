/**
 * Response times in JMH: {@link dev.downbeat.jmh.IntendedStart} paces the operations of a benchmark, and a profiler
 * publishes their times from the intended start.
 */
@NullMarked
package dev.downbeat.jmh;

import org.jspecify.annotations.NullMarked;
