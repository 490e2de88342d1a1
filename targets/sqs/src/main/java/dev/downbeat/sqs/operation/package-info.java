/**
 * What does one send, receive, delete or delivery do, and how does it end?
 *
 * <p>Internal to Downbeat and not part of the stable API.
 */
@NullMarked
package dev.downbeat.sqs.operation;

import org.jspecify.annotations.NullMarked;
