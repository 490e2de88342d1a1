package dev.downbeat.sqs.message;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.downbeat.exchange.Outcome;
import dev.downbeat.sqs.client.Queue;
import dev.downbeat.sqs.client.QueueName;
import dev.downbeat.sqs.client.SdkClients;
import dev.downbeat.sqs.client.SdkConnection;
import dev.downbeat.sqs.client.ServiceEndpoint;
import dev.downbeat.sqs.client.SqsCalls;
import dev.downbeat.sqs.message.MessageSupply.AvailableMessages;
import dev.downbeat.sqs.options.SqsOptions;
import dev.downbeat.sqs.options.SqsProxy;
import dev.downbeat.sqs.options.SqsTransport;
import dev.downbeat.time.NanoClock;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import software.amazon.awssdk.services.sqs.SqsAsyncClient;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.model.ChangeMessageVisibilityBatchRequest;
import software.amazon.awssdk.services.sqs.model.ChangeMessageVisibilityBatchResponse;
import software.amazon.awssdk.services.sqs.model.Message;
import software.amazon.awssdk.services.sqs.model.ReceiveMessageRequest;
import software.amazon.awssdk.services.sqs.model.ReceiveMessageResponse;
import software.amazon.awssdk.services.sqs.model.SendMessageBatchRequest;
import software.amazon.awssdk.services.sqs.model.SendMessageBatchResponse;

/** A queue behind a connection that died without a sign: nothing answers, and nothing fails. */
@Timeout(60)
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class SilentQueueTest {
    private static final String URL = "http://localhost:1/000000000000/q";
    private static final Queue QUEUE = new Queue(URL, 0, 0);
    private static final SqsOptions OPTIONS = SqsOptions.of(draft -> {
        draft.proxy = SqsProxy.none();
        draft.region = Optional.of("us-east-1");
        draft.transport = SqsTransport.DOWNBEAT;
        draft.consumers = 1; // the second poll is then the first one's consumer's
    });

    private final BlockingQueue<CompletableFuture<?>> asked = new LinkedBlockingQueue<>();

    /** Nothing is answered. */
    private class Silent implements SqsCalls {
        @Override
        public <T> CompletableFuture<T> call(
                Function<SqsClient, T> blocking, Function<SqsAsyncClient, CompletableFuture<T>> async) {
            CompletableFuture<T> call = new CompletableFuture<>();
            asked.add(call);
            return call;
        }

        @Override
        public void close() {}
    }

    /** Of the polls only the second is answered, and what comes is somebody else's message. */
    private final class HalfSilent extends Silent {
        private int polls;

        @Override
        public CompletableFuture<SendMessageBatchResponse> sendBatch(SendMessageBatchRequest request) {
            return CompletableFuture.completedFuture(
                    SendMessageBatchResponse.builder().build());
        }

        @Override
        public CompletableFuture<ChangeMessageVisibilityBatchResponse> changeVisibility(
                ChangeMessageVisibilityBatchRequest request) {
            return CompletableFuture.completedFuture(
                    ChangeMessageVisibilityBatchResponse.builder().build());
        }

        @Override
        public CompletableFuture<ReceiveMessageResponse> receive(ReceiveMessageRequest request) {
            return polls++ == 1
                    ? CompletableFuture.completedFuture(ReceiveMessageResponse.builder()
                            .messages(Message.builder()
                                    .messageId("theirs")
                                    .receiptHandle("handle")
                                    .build())
                            .build())
                    : new CompletableFuture<>();
        }
    }

    static SdkConnection connection(SqsCalls calls) throws Exception {
        SdkConnection real = SdkClients.open(ServiceEndpoint.of(new QueueName(URL), OPTIONS), 1, NanoClock.system());
        real.calls().close();
        return new SdkConnection(
                calls, real.topics(), real.log(), real.http(), real.watch(), real.observations(), real.retries());
    }

    @Test
    void a_poll_without_an_answer_is_given_up_and_the_consumer_goes_on() throws Exception {
        Map<String, Long> counts = new TreeMap<>();
        try (Consumers consumers =
                new Consumers(connection(new Silent()), QUEUE, OPTIONS, "run", Duration.ofMillis(1))) {
            consumers.start(why -> {});
            CompletableFuture<?> first = asked.poll(30, TimeUnit.SECONDS);
            assertThat(asked.poll(30, TimeUnit.SECONDS)).as("the next poll").isNotNull();
            assertThat(first)
                    .as("whose connection is closed")
                    .failsWithin(Duration.ofSeconds(30))
                    .withThrowableOfType(CancellationException.class);
            consumers.count(counts);
        }
        assertThat(counts).containsKey("polls failed (no answer in time)");
    }

    @Test
    void a_supply_that_is_not_answered_fails_requests_instead_of_letting_them_wait() throws Exception {
        MessageMaker messages = new MessageMaker(QUEUE, OPTIONS.message(), MessageMark.Sender.of("run"));
        try (MessageSupply supply = new MessageSupply(
                connection(new Silent()),
                QUEUE,
                messages,
                OPTIONS,
                "run",
                new AvailableMessages(10, 10),
                Duration.ofMillis(1))) {
            assertThatThrownBy(() -> supply.start(Duration.ofSeconds(30)))
                    .hasMessage("no message to delete: no answer in time");
        }
    }

    @Test
    void an_interrupted_start_says_so_and_stays_interrupted() throws Exception {
        MessageMaker messages = new MessageMaker(QUEUE, OPTIONS.message(), MessageMark.Sender.of("run"));
        try (MessageSupply supply = new MessageSupply(
                connection(new Silent()),
                QUEUE,
                messages,
                OPTIONS,
                "run",
                new AvailableMessages(10, 10),
                Duration.ofSeconds(30))) {
            Thread.currentThread().interrupt();
            assertThatThrownBy(() -> supply.start(Duration.ofSeconds(30))).hasMessage("interrupted");
            assertThat(Thread.interrupted()).isTrue();
        }
    }

    private static final class Waiting implements MessageSupply.Taker {
        private @Nullable Outcome why;

        @Override
        public boolean take(Message message) {
            return false;
        }

        @Override
        public void none(Outcome reason) {
            why = reason;
        }
    }

    /** Otherwise it would stay hidden from its owner. */
    @Test
    void what_comes_beside_a_poll_without_an_answer_is_looked_at() throws Exception {
        MessageMaker messages = new MessageMaker(QUEUE, OPTIONS.message(), MessageMark.Sender.of("run"));
        Map<String, Long> counts = new TreeMap<>();
        Waiting later = new Waiting();
        MessageSupply used = new MessageSupply(
                connection(new HalfSilent()),
                QUEUE,
                messages,
                OPTIONS,
                "run",
                new AvailableMessages(20, 20),
                Duration.ofMillis(1));
        try (MessageSupply supply = used) {
            supply.take(new Waiting()); // so many are wanted that there are two polls at once
            assertThatThrownBy(() -> supply.start(Duration.ofSeconds(30)))
                    .hasMessage(SqsFailures.FOREIGN_MESSAGES.reason());
            supply.count(counts);
        }
        assertThat(counts).containsEntry("messages of others, given back", 1L);
        used.take(later);
        assertThat(later.why).as("the reason stays").isEqualTo(SqsFailures.FOREIGN_MESSAGES);
    }
}
