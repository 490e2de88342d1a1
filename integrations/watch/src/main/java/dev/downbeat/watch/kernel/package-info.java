/**
 * What does the Linux kernel report about a process: delays, throttling, stops?
 *
 * <p>Internal to Downbeat and not part of the stable API.
 */
@NullMarked
package dev.downbeat.watch.kernel;

import org.jspecify.annotations.NullMarked;
