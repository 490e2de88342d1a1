package dev.downbeat.sqs.options;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import dev.downbeat.exchange.TargetCounts;
import dev.downbeat.record.Ledger;
import dev.downbeat.run.RunResult;
import dev.downbeat.sqs.ElasticMq;
import dev.downbeat.sqs.Runs;
import dev.downbeat.sqs.account.SqsAccount;
import dev.downbeat.sqs.account.SqsAccount.TopicSurvey;
import dev.downbeat.sqs.message.MessageMark;
import dev.downbeat.testing.EndToEnd;
import dev.downbeat.testing.FakeTopic;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import software.amazon.awssdk.services.sqs.model.MessageAttributeValue;

/** A topic that delivers to a queue of a real server: a small front speaks as SNS does, and hands on. */
@EndToEnd
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class TopicTest {
    private static final String TOPIC = "arn:aws:sns:us-east-1:000000000000:orders";

    private static ElasticMq server;

    private final List<FakeTopic.Published> seen = new CopyOnWriteArrayList<>();
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private @Nullable HttpServer front;

    @BeforeAll
    static void start() throws IOException {
        server = ElasticMq.shared();
    }

    @AfterEach
    void stop() {
        if (front != null) {
            front.stop(0);
        }
        threads.shutdownNow();
    }

    private URI front(String queue, boolean raw, String... others) throws IOException {
        List<String> subscribers = new java.util.ArrayList<>(List.of(arn(queue)));
        subscribers.addAll(List.of(others));
        FakeTopic topic = new FakeTopic(raw, subscribers, message -> put(queue, message));
        HttpServer opened = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 50);
        opened.setExecutor(threads);
        opened.createContext("/", exchange -> {
            String form = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
            byte[] answer = topic.answer(form).getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(200, answer.length);
            exchange.getResponseBody().write(answer);
            exchange.close();
        });
        opened.start();
        front = opened;
        return URI.create("http://127.0.0.1:" + opened.getAddress().getPort());
    }

    private static String arn(String queue) {
        return "arn:aws:sqs:elasticmq:000000000000:" + queue.substring(queue.lastIndexOf('/') + 1);
    }

    private void put(String queue, FakeTopic.Published message) {
        seen.add(message);
        Map<String, MessageAttributeValue> attributes = new HashMap<>();
        message.attributes()
                .forEach((name, value) -> attributes.put(
                        name,
                        MessageAttributeValue.builder()
                                .dataType("String")
                                .stringValue(value)
                                .build()));
        server.client().sendMessage(request -> {
            request.queueUrl(queue).messageBody(message.body()).messageAttributes(attributes);
            if (!message.group().isEmpty()) {
                request.messageGroupId(message.group()).messageDeduplicationId(message.deduplicationId());
            }
        });
    }

    private static Consumer<SqsOptions.Draft> options(SqsTransport transport, URI front) {
        return server.options(transport, SqsOperation.DELIVERY).andThen(draft -> {
            draft.through = Optional.of(new Topic(TOPIC));
            draft.topicEndpoint = Optional.of(front);
        });
    }

    @ParameterizedTest(name = "{0}, raw {1}, fifo {2}")
    @CsvSource({"DOWNBEAT, true, false", "APACHE, false, true", "NETTY, false, false"})
    void every_message_that_is_published_is_delivered(SqsTransport transport, boolean raw, boolean fifo)
            throws IOException {
        String queue = server.queue(fifo);
        RunResult result = Runs.of(queue, options(transport, front(queue, raw)).andThen(draft -> {
            draft.messageGroups = 100;
            draft.attributes.put("colour", SqsAttribute.text("red"));
        }));
        assertThat(result.recording().failures()).isEmpty();
        assertThat(result.ledger()).isEqualTo(new Ledger(100, 100, 0, 0, 0, 0, 0));
        TargetCounts counts = result.counts();
        assertThat(counts.count("messages sent")).isEqualTo(100);
        assertThat(counts.count("messages delivered")).isEqualTo(100);
        assertThat(counts.count("messages of others, given back")).isZero();
        assertThat(counts.count(TargetCounts.ATTEMPTS)).isEqualTo(100);
        assertThat(seen)
                .hasSize(100)
                .allSatisfy(one -> assertThat(raw ? one.attributes().keySet() : one.body())
                        .asString()
                        .contains("colour", MessageMark.NAME));
        assertThat(server.size(queue)).isZero();
    }

    @Test
    void the_wait_is_from_the_intended_time_to_the_arrival_from_the_topic() throws IOException {
        String queue = server.queue(false);
        server.client()
                .setQueueAttributes(
                        request -> request.queueUrl(queue).attributesWithStrings(Map.of("DelaySeconds", "1")));
        RunResult result = Runs.of(
                queue, options(SqsTransport.DOWNBEAT, front(queue, true)), Runs.plan(20, Duration.ofMillis(500)));
        assertThat(result.ledger().answered()).isEqualTo(10);
        assertThat(result.recording().response().valueAtPercentile(0))
                .isGreaterThan(Duration.ofMillis(900).toNanos());
    }

    @Test
    void before_a_run_it_is_known_who_hears_the_topic() throws IOException {
        String queue = server.queue(false);
        URI front = front(queue, false, "arn:aws:sqs:us-east-1:000000000000:theirs");
        SqsAccount account = new SqsAccount(SqsOptions.of(options(SqsTransport.DOWNBEAT, front)));
        assertThat(account.survey(queue).topic()).hasValue(new TopicSurvey("orders", TopicSurvey.Arrival.WRAPPED, 1));
        assertThat(account.survey(server.queue(false)).topic())
                .hasValue(new TopicSurvey("orders", TopicSurvey.Arrival.NEVER, 2));
    }

    @Test
    void a_message_whose_topic_wraps_it_is_known_by_its_mark() {
        String mark = "r/lane/7/0/0/9";
        String body =
                "{\"Message\" : \"x\", \"MessageAttributes\" : { \"downbeat-run\" : {\"Type\":\"String\", \"Value\":\""
                        + mark + "\"}}}";
        assertThat(MessageMark.of(message(body))).hasValue(new MessageMark("r", "lane", 7, 0, 0, 9));
        assertThat(MessageMark.of(message(body.replace("Value", "StringValue"))))
                .isPresent();
        assertThat(MessageMark.of(message("\"downbeat-run\" is no notification")))
                .isEmpty();
        assertThat(MessageMark.of(message("{\"MessageAttributes\": {\"downbeat-run\": 3}}")))
                .isEmpty();
    }

    private static software.amazon.awssdk.services.sqs.model.Message message(String body) {
        return software.amazon.awssdk.services.sqs.model.Message.builder()
                .body(body)
                .build();
    }

    @Test
    void a_topic_is_an_ARN_and_goes_with_delivery() {
        assertThatThrownBy(() -> SqsOptions.of(draft -> draft.through = Optional.of(new Topic("orders"))))
                .hasMessage(
                        "a topic must be an ARN such as arn:aws:sns:eu-west-1:123456789012:orders, but was 'orders'");
        assertThatThrownBy(() -> SqsOptions.of(draft -> draft.through = Optional.of(new Topic(TOPIC))))
                .hasMessage("a topic requires the operation delivery");
    }
}
