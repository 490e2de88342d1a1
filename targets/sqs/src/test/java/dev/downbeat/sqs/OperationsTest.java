package dev.downbeat.sqs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.data.Percentage.withPercentage;

import dev.downbeat.exchange.TargetCounts;
import dev.downbeat.run.RunResult;
import dev.downbeat.sqs.options.SqsAttribute;
import dev.downbeat.sqs.options.SqsOperation;
import dev.downbeat.sqs.options.SqsOptions;
import dev.downbeat.sqs.options.SqsTransport;
import dev.downbeat.testing.EndToEnd;
import dev.downbeat.testing.Replications;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import software.amazon.awssdk.services.sqs.model.SendMessageBatchRequestEntry;

/** Every operation by every client on standard queues of a real server; on FIFO queues by ours, with all repetitions by every one. */
@EndToEnd
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class OperationsTest {
    private static ElasticMq server;

    @BeforeAll
    static void start() throws IOException {
        server = ElasticMq.shared();
    }

    static Stream<Arguments> clientsAndQueues() {
        return Stream.of(SqsTransport.values())
                .flatMap(transport -> Stream.of(false, true)
                        .filter(fifo -> !fifo || Replications.areWhole() || transport == SqsTransport.DOWNBEAT)
                        .map(fifo -> Arguments.of(transport, fifo)));
    }

    private static void assertAllAnswered(RunResult result, long count) {
        assertThat(result.recording().failures()).isEmpty();
        assertThat(result.failure()).isEmpty();
        assertThat(result.ledger().answered()).isEqualTo(count);
        assertThat(result.ledger().planned()).isEqualTo(count);
        assertThat(result.counts().count(TargetCounts.OPERATIONS)).isEqualTo(count);
        assertThat(result.counts().amplification()).hasValue(1);
        long parts = result.recording().anatomy().attribution().meansNanos(0, Long.MAX_VALUE / 4).values().stream()
                .mapToLong(Long::longValue)
                .sum();
        assertThat(parts).isCloseTo(result.recording().response().meanNanos(), withPercentage(1));
    }

    @ParameterizedTest(name = "{0}, fifo {1}")
    @MethodSource("clientsAndQueues")
    void messages_are_sent(SqsTransport transport, boolean fifo) throws IOException {
        String queue = server.queue(fifo);
        RunResult result = Runs.of(
                queue,
                server.options(transport, SqsOperation.SEND)
                        .andThen(draft -> draft.attributes.put("colour", SqsAttribute.text("red"))));
        assertAllAnswered(result, 100);
        assertThat(result.counts().count("messages sent")).isEqualTo(100);
        assertThat(server.size(queue)).isEqualTo(100);
    }

    @ParameterizedTest(name = "{0}, fifo {1}")
    @MethodSource("clientsAndQueues")
    void batches_are_sent(SqsTransport transport, boolean fifo) throws IOException {
        String queue = server.queue(fifo);
        RunResult result = Runs.of(
                queue, server.options(transport, SqsOperation.SEND_BATCH).andThen(draft -> draft.batchSize = 4));
        assertAllAnswered(result, 100);
        assertThat(server.size(queue)).isEqualTo(400);
    }

    @ParameterizedTest(name = "{0}, fifo {1}")
    @MethodSource("clientsAndQueues")
    void messages_are_received_and_deleted_if_asked(SqsTransport transport, boolean fifo) throws Exception {
        String queue = server.queue(fifo);
        fill(queue, fifo, 150);
        RunResult result =
                Runs.of(queue, server.options(transport, SqsOperation.RECEIVE).andThen(draft -> {
                    draft.batchSize = 1;
                    draft.deleteReceived = true;
                    draft.queueIsMine = true;
                }));
        assertAllAnswered(result, 100);
        assertThat(result.counts().count("messages received")).isEqualTo(100);
        assertThat(server.size(queue)).isEqualTo(50);
    }

    private static void fill(String queue, boolean fifo, int count) {
        for (int i = 0; i < count; i += 10) {
            List<SendMessageBatchRequestEntry> entries = new ArrayList<>();
            for (int j = 0; j < 10; j++) {
                String id = Integer.toString(i + j);
                SendMessageBatchRequestEntry.Builder entry =
                        SendMessageBatchRequestEntry.builder().id(id).messageBody("m");
                entries.add((fifo ? entry.messageGroupId(id).messageDeduplicationId(id) : entry).build());
            }
            server.client().sendMessageBatch(batch -> batch.queueUrl(queue).entries(entries));
        }
    }

    @ParameterizedTest(name = "{0}, fifo {1}")
    @MethodSource("clientsAndQueues")
    void messages_are_deleted_and_none_is_left(SqsTransport transport, boolean fifo) throws IOException {
        String queue = server.queue(fifo);
        RunResult result =
                Runs.of(queue, server.options(transport, SqsOperation.DELETE).andThen(draft -> {
                    draft.maxInFlight = 25;
                    draft.messageGroups = 200;
                }));
        assertAllAnswered(result, 100);
        assertThat(result.counts().count("messages left behind")).isZero();
        assertThat(server.size(queue)).isZero();
    }

    @ParameterizedTest(name = "{0}, fifo {1}")
    @MethodSource("clientsAndQueues")
    void every_message_is_delivered(SqsTransport transport, boolean fifo) throws IOException {
        String queue = server.queue(fifo);
        RunResult result = Runs.of(
                queue, server.options(transport, SqsOperation.DELIVERY).andThen(draft -> draft.messageGroups = 100));
        assertAllAnswered(result, 100);
        TargetCounts counts = result.counts();
        assertThat(counts.count("messages sent")).isEqualTo(100);
        assertThat(counts.count("messages delivered")).isEqualTo(100);
        assertThat(counts.count("messages not arrived")).isZero();
        assertThat(counts.count("messages in flight")).isZero();
        assertThat(counts.count("messages duplicated")).isZero();
        assertThat(counts.count("messages out of order in their group")).isZero();
    }

    @ParameterizedTest(name = "{0}")
    @EnumSource(names = {"DOWNBEAT", "APACHE", "NETTY"})
    void a_request_knows_its_place_on_its_connection(SqsTransport transport) throws IOException {
        RunResult result = Runs.of(
                server.queue(false),
                server.options(transport, SqsOperation.SEND).andThen(draft -> draft.maxConnections = 1));
        assertThat(result.recording().anatomy().byPosition().last()).isEqualTo(100);
        assertThat(result.recording().anatomy().byPosition().at(1).count()).isEqualTo(1);
        // Netty's pool may begin one that no request needs any more when it is there.
        boolean early = transport == SqsTransport.NETTY;
        long most = early ? 2 : 1;
        assertThat(result.connections().opened()).isBetween(1L, most);
        assertThat(result.connections().openAtEnd()).isBetween(1L, most);
        // Our own engine looks up no address in numbers.
        assertThat(result.recording().waits().lookup().count())
                .isBetween(transport == SqsTransport.APACHE ? 1L : 0L, most);
    }

    @Test
    void a_connection_is_closed_after_as_many_requests_as_asked() throws IOException {
        RunResult result = Runs.of(
                server.queue(false),
                server.options(SqsTransport.DOWNBEAT, SqsOperation.SEND).andThen(draft -> {
                    draft.maxConnections = 1;
                    draft.maxRequests = 30;
                }));
        assertAllAnswered(result, 100);
        assertThat(result.recording().anatomy().byPosition().last()).isEqualTo(30);
        assertThat(result.connections().closedByUs()).isEqualTo(3);
        assertThatThrownBy(() -> SqsOptions.of(
                        server.options(SqsTransport.NETTY, SqsOperation.SEND).andThen(draft -> draft.maxRequests = 30)))
                .hasMessageContaining("cannot close connections after N requests");
    }
}
