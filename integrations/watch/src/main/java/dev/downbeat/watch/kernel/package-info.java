/**
 * What does the Linux kernel say of a process: delays, throttling, stops?
 *
 * <p>Not promised: for Downbeat's own modules.
 */
@NullMarked
package dev.downbeat.watch.kernel;

import org.jspecify.annotations.NullMarked;
