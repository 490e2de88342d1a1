/**
 * How slow is an SQS queue really, and why? Operations on a queue through the AWS SDK, with what its HTTP clients tell
 * about their connections.
 */
@NullMarked
package dev.downbeat.sqs;

import org.jspecify.annotations.NullMarked;
