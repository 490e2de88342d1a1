/**
 * How slow is an SQS queue really, and why? Operations on a queue through the AWS SDK, with what its HTTP clients tell
 * about their connections.
 *
 * <p>From the ground up: {@code options}, {@code client} for the SDK's clients and what is observed of them, {@code message},
 * {@code account} for what is looked up in the account, {@code operation}, and here the target and the queue.
 *
 * <p>Not promised: for Downbeat's own modules.
 */
@NullMarked
package dev.downbeat.sqs;

import org.jspecify.annotations.NullMarked;
