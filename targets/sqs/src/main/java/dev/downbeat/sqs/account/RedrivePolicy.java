package dev.downbeat.sqs.account;

import dev.downbeat.sqs.client.Queue;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A queue's attribute about its dead-letter queue.
 *
 * @param deadLetterName name of the dead-letter queue
 * @param maxReceives how often a message can be received before it moves there; {@link Queue#UNKNOWN} if the server does
 *     not say
 */
record RedrivePolicy(String deadLetterName, int maxReceives) {
    private static final Pattern ARN =
            Pattern.compile("\"deadLetterTargetArn\"\\s*:\\s*\"(?:[^\":]*:){4}([^\":]*):([^\"]+)\"");
    private static final Pattern COUNT = Pattern.compile("\"maxReceiveCount\"\\s*:\\s*\"?(\\d{1,9})\\b");

    /** Empty if the attribute is absent or names no queue. */
    static Optional<RedrivePolicy> of(String attribute) {
        Matcher arn = ARN.matcher(attribute);
        Matcher count = COUNT.matcher(attribute);
        return arn.find()
                ? Optional.of(new RedrivePolicy(
                        arn.group(2), count.find() ? Integer.parseInt(count.group(1)) : Queue.UNKNOWN))
                : Optional.empty();
    }
}
