package dev.downbeat.sqs.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.downbeat.sqs.options.SqsOptions;
import dev.downbeat.sqs.options.SqsProxy;
import java.util.Optional;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Every form in which a queue's URL is written. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class QueueNameTest {
    @ParameterizedTest(name = "{0}")
    @CsvSource({
        "https://sqs.eu-west-1.amazonaws.com/123456789012/q,eu-west-1,'',true",
        "https://eu-west-1.queue.amazonaws.com/123456789012/q,eu-west-1,'',true",
        "https://queue.amazonaws.com/123456789012/q,us-east-1,'',true",
        "https://sqs.cn-north-1.amazonaws.com.cn/123456789012/q,cn-north-1,'',true",
        "https://sqs.us-gov-west-1.amazonaws.com/123456789012/q,us-gov-west-1,'',true",
        "https://sqs-fips.us-east-1.amazonaws.com/123456789012/q,us-east-1,https://sqs-fips.us-east-1.amazonaws.com,true",
        "https://sqs.us-east-1.api.aws/123456789012/q,us-east-1,https://sqs.us-east-1.api.aws,true",
        "https://vpce-0a1b-2c3d.sqs.us-east-1.vpce.amazonaws.com/123456789012/q,us-east-1,"
                + "https://vpce-0a1b-2c3d.sqs.us-east-1.vpce.amazonaws.com,true",
        "http://localhost:4566/000000000000/q,'',http://localhost:4566,false",
        "http://sqs.us-east-1.localhost.localstack.cloud:4566/000000000000/q,'',"
                + "http://sqs.us-east-1.localhost.localstack.cloud:4566,false",
        "http://localhost:4566/queue/us-east-1/000000000000/q,'',http://localhost:4566,false",
        "http://goaws:4100/100010001000/q.fifo,'',http://goaws:4100,false"
    })
    void a_URL_has_region_or_endpoint_and_account(String url, String region, String endpoint, boolean amazon) {
        QueueName name = new QueueName(url);
        assertThat(name.region().orElse("")).isEqualTo(region);
        assertThat(name.endpoint().map(Object::toString).orElse("")).isEqualTo(endpoint);
        assertThat(name.account().orElse("")).hasSize(12);
        SqsOptions options = SqsOptions.of(draft -> {
            draft.proxy = SqsProxy.none();
            draft.region = Optional.of("us-east-1");
        });
        assertThat(ServiceEndpoint.of(name, options).isAmazon()).isEqualTo(amazon);
    }
}
