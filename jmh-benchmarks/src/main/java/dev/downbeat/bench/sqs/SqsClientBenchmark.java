package dev.downbeat.bench.sqs;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;
import software.amazon.awssdk.http.AbortableInputStream;
import software.amazon.awssdk.http.ContentStreamProvider;
import software.amazon.awssdk.http.ExecutableHttpRequest;
import software.amazon.awssdk.http.HttpExecuteRequest;
import software.amazon.awssdk.http.HttpExecuteResponse;
import software.amazon.awssdk.http.SdkHttpClient;
import software.amazon.awssdk.http.SdkHttpFullRequest;
import software.amazon.awssdk.http.SdkHttpFullResponse;
import software.amazon.awssdk.http.SdkHttpMethod;
import software.amazon.awssdk.http.SdkHttpRequest;
import software.amazon.awssdk.http.auth.aws.signer.AwsV4HttpSigner;
import software.amazon.awssdk.http.auth.spi.signer.SignedRequest;
import software.amazon.awssdk.identity.spi.AwsCredentialsIdentity;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.model.SendMessageRequest;
import software.amazon.awssdk.services.sqs.model.SendMessageResponse;

/**
 * The cost of the AWS SDK for a message of 1 KiB, without a network.
 *
 * <pre>
 * java -jar jmh-benchmarks/target/benchmarks.jar SqsClientBenchmark -prof gc
 * </pre>
 *
 * <p>{@code sendWithoutNetwork} is everything except HTTP: marshalling, endpoint, signing, interceptors, unmarshalling and the
 * digest check. {@code sign} is the signature alone (version 4, including the body's digest), {@code request} the building of
 * the request object. Times are in us; see also {@code gc.alloc.rate.norm}.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(2)
public class SqsClientBenchmark {
    private static final URI SERVICE = URI.create("https://sqs.us-east-1.amazonaws.com");

    private final AwsV4HttpSigner signer = AwsV4HttpSigner.create();
    private final AwsCredentialsIdentity identity = AwsCredentialsIdentity.create("key", "secret");
    private final ContentStreamProvider body =
            ContentStreamProvider.fromByteArray(FakeQueue.BODY.getBytes(StandardCharsets.US_ASCII));
    private final SdkHttpRequest unsigned = SdkHttpFullRequest.builder()
            .method(SdkHttpMethod.POST)
            .uri(SERVICE)
            .putHeader("X-Amz-Target", "AmazonSQS.SendMessage")
            .putHeader("Content-Type", "application/x-amz-json-1.0")
            .build();
    private final SendMessageRequest message = Clients.message(SERVICE);

    @SuppressWarnings("NullAway.Init") // JMH calls open() before it measures
    private SqsClient client;

    /** Creates the client. */
    @Setup
    public void open() {
        client = Clients.blocking(SERVICE, new CannedHttp(FakeQueue.answer()));
    }

    /** The signature of a request. */
    @Benchmark
    public SignedRequest sign() {
        return signer.sign(r -> r.identity(identity)
                .request(unsigned)
                .payload(body)
                .putProperty(AwsV4HttpSigner.SERVICE_SIGNING_NAME, "sqs")
                .putProperty(AwsV4HttpSigner.REGION_NAME, "us-east-1"));
    }

    /** The request object. */
    @Benchmark
    public SendMessageRequest request() {
        return Clients.message(SERVICE);
    }

    /** Everything but HTTP. */
    @Benchmark
    public SendMessageResponse sendWithoutNetwork() {
        return client.sendMessage(message);
    }

    /** Closes the client. */
    @TearDown
    public void close() {
        client.close();
    }

    /** Reads each request and always returns the same response, without a network. Thread-safe. */
    private static final class CannedHttp implements SdkHttpClient {
        private final byte[] answer;

        CannedHttp(byte[] answer) {
            this.answer = answer;
        }

        @Override
        public ExecutableHttpRequest prepareRequest(HttpExecuteRequest request) {
            return new ExecutableHttpRequest() {
                @Override
                public HttpExecuteResponse call() throws IOException {
                    if (request.contentStreamProvider().isPresent()) {
                        request.contentStreamProvider()
                                .get()
                                .newStream()
                                .transferTo(java.io.OutputStream.nullOutputStream());
                    }
                    return HttpExecuteResponse.builder()
                            .response(SdkHttpFullResponse.builder()
                                    .statusCode(200)
                                    .putHeader("Content-Type", "application/x-amz-json-1.0")
                                    .putHeader("Content-Length", Integer.toString(answer.length))
                                    .build())
                            .responseBody(AbortableInputStream.create(new ByteArrayInputStream(answer)))
                            .build();
                }

                @Override
                public void abort() {}
            };
        }

        @Override
        public String clientName() {
            return "Canned";
        }

        @Override
        public void close() {}
    }
}
