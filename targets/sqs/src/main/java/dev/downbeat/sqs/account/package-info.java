/**
 * What does the account hold: queues, topics, and how many messages wait?
 *
 * <p>Not promised: for Downbeat's own modules.
 */
@NullMarked
package dev.downbeat.sqs.account;

import org.jspecify.annotations.NullMarked;
