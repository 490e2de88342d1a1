package dev.downbeat.sqs;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongFunction;

/**
 * What messages are like.
 *
 * @param size bytes of a random body
 * @param body the body of each message by its number, instead
 * @param seed begins the random bodies
 * @param delay how long the queue keeps a message back
 * @param attributes of every message
 * @param groups FIFO: how many message groups
 */
record MessageOptions(
        int size,
        Optional<LongFunction<String>> body,
        long seed,
        Duration delay,
        Map<String, SqsAttribute> attributes,
        int groups) {}
