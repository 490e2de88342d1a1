package dev.downbeat.sqs.options;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import software.amazon.awssdk.services.sns.model.MessageAttributeValue;
import software.amazon.awssdk.services.sns.model.PublishRequest;
import software.amazon.awssdk.services.sqs.model.SendMessageRequest;

/**
 * An SNS topic that delivers to a queue.
 *
 * @param arn its ARN, such as {@code arn:aws:sns:eu-west-1:123456789012:orders}
 */
public record Topic(String arn) {
    private static final Pattern ARN = Pattern.compile(
            "arn:[a-z0-9-]+:sns:(?<region>[A-Za-z0-9-]*):\\d{12}:(?<name>[A-Za-z0-9_-]{1,256}(?:\\.fifo)?)");

    public Topic {
        if (!ARN.matcher(arn).matches()) {
            throw new IllegalArgumentException(
                    "a topic must be an ARN such as arn:aws:sns:eu-west-1:123456789012:orders, but was '" + arn + "'");
        }
    }

    private String part(String part) {
        Matcher matcher = ARN.matcher(arn);
        return matcher.matches() ? matcher.group(part) : "";
    }

    public String name() {
        return part("name");
    }

    /** Empty for some servers. */
    public Optional<String> region() {
        return Optional.of(part("region")).filter(region -> !region.isEmpty());
    }

    /**
     * Converts a queue message for the topic, with the same attribute names, so that it arrives as if sent directly.
     */
    public PublishRequest publishes(SendMessageRequest message) {
        Map<String, MessageAttributeValue> attributes = new HashMap<>();
        message.messageAttributes()
                .forEach((name, value) -> attributes.put(
                        name,
                        MessageAttributeValue.builder()
                                .dataType(value.dataType())
                                .stringValue(value.stringValue())
                                .binaryValue(value.binaryValue())
                                .build()));
        return PublishRequest.builder()
                .topicArn(arn)
                .message(message.messageBody())
                .messageAttributes(attributes)
                .messageGroupId(message.messageGroupId())
                .messageDeduplicationId(message.messageDeduplicationId())
                .overrideConfiguration(message.overrideConfiguration().orElse(null))
                .build();
    }
}
