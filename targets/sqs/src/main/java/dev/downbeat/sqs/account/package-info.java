/**
 * What does the account hold: queues, topics, and how many messages wait?
 *
 * <p>Internal to Downbeat and not part of the stable API.
 */
@NullMarked
package dev.downbeat.sqs.account;

import org.jspecify.annotations.NullMarked;
