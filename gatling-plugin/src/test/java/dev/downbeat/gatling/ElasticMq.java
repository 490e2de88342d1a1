package dev.downbeat.gatling;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;

/** A local server that speaks like SQS. Its queues are made and looked at by plain HTTP, without the SDK under test. */
final class ElasticMq implements AutoCloseable {
    private static final ObjectMapper JSON = new ObjectMapper();

    private final Process process;
    private final String url;

    private ElasticMq(Process process, String port) {
        this.process = process;
        this.url = "http://127.0.0.1:" + port;
    }

    static ElasticMq start() throws IOException {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx256m",
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "-XX:+UnlockDiagnosticVMOptions",
                        "-XX:-BytecodeVerificationRemote",
                        "-cp",
                        System.getProperty("java.class.path"),
                        ElasticMqMain.class.getName())
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        try {
            BufferedReader out = process.inputReader(StandardCharsets.UTF_8);
            for (String line = out.readLine(); line != null; line = out.readLine()) {
                if (line.matches("\\d+")) {
                    return new ElasticMq(process, line);
                }
            }
            throw new IOException("ElasticMQ did not start");
        } catch (IOException broken) {
            process.destroyForcibly();
            throw broken;
        }
    }

    String url() {
        return url;
    }

    /** Makes a queue; returns its URL. */
    String queue(String name) throws IOException {
        String attributes = name.endsWith(".fifo") ? "{\"FifoQueue\":\"true\"}" : "{}";
        return ask("CreateQueue", "{\"QueueName\":\"" + name + "\",\"Attributes\":" + attributes + "}")
                .get("QueueUrl")
                .textValue();
    }

    /** How many messages are there, received or not. */
    long size(String queueUrl) throws IOException {
        JsonNode attributes = ask(
                        "GetQueueAttributes", "{\"QueueUrl\":\"" + queueUrl + "\",\"AttributeNames\":[\"All\"]}")
                .get("Attributes");
        return attributes.get("ApproximateNumberOfMessages").asLong()
                + attributes.get("ApproximateNumberOfMessagesNotVisible").asLong();
    }

    /** Puts a message with attributes of type String there. */
    void send(String queueUrl, String body, Map<String, String> attributes) throws IOException {
        ObjectNode message = JSON.createObjectNode().put("QueueUrl", queueUrl).put("MessageBody", body);
        attributes.forEach((name, value) -> message.withObject("/MessageAttributes")
                .putObject(name)
                .put("DataType", "String")
                .put("StringValue", value));
        ask("SendMessage", message.toString());
    }

    /** One message with its attributes. */
    JsonNode message(String queueUrl) throws IOException {
        return ask(
                        "ReceiveMessage",
                        "{\"QueueUrl\":\"" + queueUrl
                                + "\",\"MessageAttributeNames\":[\"All\"],\"AttributeNames\":[\"All\"]}")
                .at("/Messages/0");
    }

    private JsonNode ask(String operation, String json) throws IOException {
        HttpURLConnection connection =
                (HttpURLConnection) URI.create(url + "/").toURL().openConnection();
        connection.setRequestMethod("POST");
        connection.setDoOutput(true);
        connection.setRequestProperty("Content-Type", "application/x-amz-json-1.0");
        connection.setRequestProperty("X-Amz-Target", "AmazonSQS." + operation);
        connection.getOutputStream().write(json.getBytes(StandardCharsets.UTF_8));
        try (InputStream answer = connection.getInputStream()) {
            return JSON.readTree(answer);
        }
    }

    @Override
    public void close() {
        process.destroyForcibly();
        process.onExit().join();
    }
}
