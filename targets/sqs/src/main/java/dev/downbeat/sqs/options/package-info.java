/**
 * Which queue or topic is used, how, and through which HTTP client?
 *
 * <p>Internal to Downbeat and not part of the stable API.
 */
@NullMarked
package dev.downbeat.sqs.options;

import org.jspecify.annotations.NullMarked;
