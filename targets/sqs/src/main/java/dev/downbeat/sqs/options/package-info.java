/**
 * Which queue or topic is asked, how, and over which HTTP client?
 *
 * <p>Not promised: for Downbeat's own modules.
 */
@NullMarked
package dev.downbeat.sqs.options;

import org.jspecify.annotations.NullMarked;
