/**
 * What does one send, receive, delete or delivery do, and how does it end?
 *
 * <p>Not promised: for Downbeat's own modules.
 */
@NullMarked
package dev.downbeat.sqs.operation;

import org.jspecify.annotations.NullMarked;
