package dev.downbeat.sqs.client;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.downbeat.sqs.options.SqsOptions;
import dev.downbeat.sqs.options.SqsProxy;
import dev.downbeat.sqs.options.SqsTransport;
import dev.downbeat.time.NanoClock;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class SqsCallsTest {
    /** Such as a class that the client does not find: nobody waits for the call's timeout. */
    @ParameterizedTest
    @EnumSource(
            value = SqsTransport.class,
            names = {"URL_CONNECTION", "NETTY"})
    void an_error_of_the_client_ends_the_call(SqsTransport transport) throws Exception {
        SqsOptions options = SqsOptions.of(draft -> {
            draft.proxy = SqsProxy.none();
            draft.region = Optional.of("us-east-1");
            draft.transport = transport;
        });
        ServiceEndpoint place = ServiceEndpoint.of(new QueueName("http://localhost:1/000000000000/q"), options);
        try (SdkConnection opened = SdkClients.open(place, 1, NanoClock.system())) {
            assertThatThrownBy(() -> opened.calls()
                            .call(SqsCallsTest::broken, SqsCallsTest::broken)
                            .get(10, TimeUnit.SECONDS))
                    .hasCauseInstanceOf(NoClassDefFoundError.class);
        }
    }

    private static <T> T broken(Object client) {
        throw new NoClassDefFoundError("x");
    }
}
