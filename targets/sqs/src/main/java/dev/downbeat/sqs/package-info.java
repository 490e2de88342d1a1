/**
 * How slow is an SQS queue really, and why? Operations on a queue through the AWS SDK, with the connection telemetry of
 * its HTTP clients.
 *
 * <p>From the bottom up: {@code options}, {@code client} for the SDK's clients and their observation, {@code message},
 * {@code account} for lookups in the account, {@code operation}, and here the target and the queue.
 *
 * <p>Internal to Downbeat, except for {@link dev.downbeat.sqs.Sqs}.
 */
@NullMarked
package dev.downbeat.sqs;

import org.jspecify.annotations.NullMarked;
