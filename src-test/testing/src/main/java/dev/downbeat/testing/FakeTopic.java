package dev.downbeat.testing;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * A fake SNS topic: answers the few requests that tests make, and forwards published messages.
 *
 * @param raw whether the first subscriber uses raw message delivery
 * @param subscribers queue ARNs
 * @param published receives each message in the form delivered to the first subscriber
 */
public record FakeTopic(boolean raw, List<String> subscribers, Consumer<Published> published) {
    /**
     * A message for a queue.
     *
     * @param body as it is delivered
     * @param attributes of type String, as they are delivered
     * @param group of a FIFO topic; empty if there is none
     * @param deduplicationId of a FIFO topic; empty if there is none
     */
    public record Published(String body, Map<String, String> attributes, String group, String deduplicationId) {}

    /** The XML response. */
    public String answer(String form) {
        Map<String, String> parameters = new LinkedHashMap<>();
        for (String pair : form.split("&", -1)) {
            int equals = pair.indexOf('=');
            parameters.put(
                    pair.substring(0, equals), URLDecoder.decode(pair.substring(equals + 1), StandardCharsets.UTF_8));
        }
        String action = parameters.getOrDefault("Action", "");
        String result = switch (action) {
            case "Publish" -> publish(parameters);
            case "ListSubscriptionsByTopic" -> subscriptions();
            case "GetSubscriptionAttributes" ->
                "<Attributes><entry><key>RawMessageDelivery</key><value>" + raw + "</value></entry></Attributes>";
            default -> "";
        };
        return "<" + action + "Response xmlns=\"http://sns.amazonaws.com/doc/2010-03-31/\"><" + action + "Result>"
                + result + "</" + action + "Result><ResponseMetadata><RequestId>1</RequestId></ResponseMetadata></"
                + action + "Response>";
    }

    private String subscriptions() {
        StringBuilder members = new StringBuilder();
        subscribers.forEach(arn -> members.append("<member><SubscriptionArn>arn:aws:sns:us-east-1:000000000000:t:")
                .append(members.length())
                .append("</SubscriptionArn><Protocol>sqs</Protocol><Endpoint>")
                .append(arn)
                .append("</Endpoint></member>"));
        return "<Subscriptions>" + members + "</Subscriptions>";
    }

    private String publish(Map<String, String> parameters) {
        Map<String, String> attributes = new LinkedHashMap<>();
        for (int i = 1; parameters.containsKey("MessageAttributes.entry." + i + ".Name"); i++) {
            String entry = "MessageAttributes.entry." + i;
            attributes.put(parameters.get(entry + ".Name"), parameters.getOrDefault(entry + ".Value.StringValue", ""));
        }
        String message = parameters.getOrDefault("Message", "");
        published.accept(new Published(
                raw ? message : wrapped(message, attributes),
                raw ? attributes : Map.of(),
                parameters.getOrDefault("MessageGroupId", ""),
                parameters.getOrDefault("MessageDeduplicationId", "")));
        return "<MessageId>1</MessageId>";
    }

    private static String wrapped(String message, Map<String, String> attributes) {
        StringBuilder members = new StringBuilder();
        attributes.forEach((name, value) -> members.append(members.length() == 0 ? "" : ",")
                .append('"')
                .append(name)
                .append("\":{\"Type\":\"String\",\"Value\":\"")
                .append(value)
                .append("\"}"));
        return "{\"Type\":\"Notification\",\"MessageId\":\"1\",\"Message\":\"" + message.replace("\"", "\\\"")
                + "\",\"MessageAttributes\":{" + members + "}}";
    }
}
