package dev.downbeat.sqs.account;

import static org.assertj.core.api.Assertions.assertThat;

import dev.downbeat.sqs.client.Queue;
import dev.downbeat.sqs.client.QueueName;
import dev.downbeat.sqs.client.SdkClients;
import dev.downbeat.sqs.client.SdkConnection;
import dev.downbeat.sqs.client.ServiceEndpoint;
import dev.downbeat.sqs.options.SqsOptions;
import dev.downbeat.sqs.options.SqsProxy;
import dev.downbeat.sqs.options.SqsTransport;
import dev.downbeat.time.NanoClock;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class QueueDepthsTest {
    /** A run that ends between two questions closes the client first. */
    @ParameterizedTest
    @EnumSource(
            value = SqsTransport.class,
            names = {"URL_CONNECTION", "NETTY"})
    void a_client_that_takes_no_more_calls_does_not_end_the_sampler(SqsTransport transport) throws Exception {
        String url = "http://localhost:1/000000000000/q";
        SqsOptions options = SqsOptions.of(draft -> {
            draft.proxy = SqsProxy.none();
            draft.region = Optional.of("us-east-1");
            draft.transport = transport;
        });
        SdkConnection closed = SdkClients.open(ServiceEndpoint.of(new QueueName(url), options), 1, NanoClock.system());
        closed.close();
        CountDownLatch samples = new CountDownLatch(1);
        try (QueueDepths depths = new QueueDepths(closed, new Queue(url, 0, 0), () -> {
            samples.countDown();
            return -1;
        })) {
            assertThat(samples.await(10, TimeUnit.SECONDS)).isTrue();
            assertThat(depths.courses()).isEmpty();
        }
    }
}
