package dev.downbeat.bench.sqs;

import java.net.URI;
import java.util.function.Supplier;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.http.SdkHttpClient;
import software.amazon.awssdk.http.apache5.Apache5HttpClient;
import software.amazon.awssdk.http.async.SdkAsyncHttpClient;
import software.amazon.awssdk.http.nio.netty.NettyNioAsyncHttpClient;
import software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.sqs.SqsAsyncClient;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.model.SendMessageRequest;
import software.amazon.awssdk.services.sqs.model.SendMessageResponse;

/** SQS clients with a fixed region and fixed credentials. */
public final class Clients {
    private static final StaticCredentialsProvider CREDENTIALS =
            StaticCredentialsProvider.create(AwsBasicCredentials.create("key", "secret"));

    private Clients() {}

    static SendMessageRequest message(URI service) {
        return SendMessageRequest.builder()
                .queueUrl(service + "/123456789012/queue")
                .messageBody(FakeQueue.BODY)
                .build();
    }

    static SqsClient blocking(URI service, SdkHttpClient http) {
        return SqsClient.builder()
                .region(Region.US_EAST_1)
                .endpointOverride(service)
                .credentialsProvider(CREDENTIALS)
                .httpClient(http)
                .build();
    }

    /** The HTTP client that the SDK uses. */
    public enum Http {
        /** The JDK's {@code HttpURLConnection}, with the fewest classes. */
        URL_CONNECTION {
            @Override
            SendMessageResponse send(URI service) {
                return sendBlocking(service, UrlConnectionHttpClient::create);
            }
        },
        /** Apache HttpClient 5, the default of new projects. */
        APACHE5 {
            @Override
            SendMessageResponse send(URI service) {
                return sendBlocking(service, Apache5HttpClient::create);
            }
        },
        /** Netty, with the asynchronous SDK. */
        NETTY {
            @Override
            SendMessageResponse send(URI service) {
                try (SdkAsyncHttpClient http = NettyNioAsyncHttpClient.create();
                        SqsAsyncClient client = SqsAsyncClient.builder()
                                .region(Region.US_EAST_1)
                                .endpointOverride(service)
                                .credentialsProvider(CREDENTIALS)
                                .httpClient(http)
                                .build()) {
                    return client.sendMessage(message(service)).join();
                }
            }
        };

        /** Creates a client, sends one message, and closes the client. */
        abstract SendMessageResponse send(URI service);

        private static SendMessageResponse sendBlocking(URI service, Supplier<SdkHttpClient> make) {
            try (SdkHttpClient http = make.get();
                    SqsClient client = blocking(service, http)) {
                return client.sendMessage(message(service));
            }
        }
    }
}
