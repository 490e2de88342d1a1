/**
 * What is measured between the start and the end of a JMH iteration?
 *
 * <p>Internal to Downbeat and not part of the stable API, which is {@code dev.downbeat.jmh}.
 */
@NullMarked
package dev.downbeat.jmh.iteration;

import org.jspecify.annotations.NullMarked;
