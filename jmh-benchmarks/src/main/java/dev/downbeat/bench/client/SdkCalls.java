package dev.downbeat.bench.client;

import dev.downbeat.bench.sqs.SdkRequests;
import java.net.URI;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicInteger;
import org.reactivestreams.Publisher;
import software.amazon.awssdk.http.SdkHttpFullRequest;
import software.amazon.awssdk.http.SdkHttpMethod;
import software.amazon.awssdk.http.SdkHttpResponse;
import software.amazon.awssdk.http.async.AsyncExecuteRequest;
import software.amazon.awssdk.http.async.SdkAsyncHttpClient;
import software.amazon.awssdk.http.async.SdkAsyncHttpResponseHandler;

/** A blocking request by an HTTP client of the AWS SDK. */
final class SdkCalls {
    private SdkCalls() {}

    static int status(SdkAsyncHttpClient client, SdkHttpMethod method, URI service) throws Exception {
        AtomicInteger status = new AtomicInteger();
        SdkAsyncHttpResponseHandler ignoring = SdkRequests.ignoring();
        client.execute(AsyncExecuteRequest.builder()
                        .request(SdkHttpFullRequest.builder()
                                .method(method)
                                .uri(service)
                                .putHeader("Host", service.getAuthority())
                                .putHeader("Content-Length", "0")
                                .build())
                        .requestContentPublisher(SdkRequests.noBody())
                        .responseHandler(new SdkAsyncHttpResponseHandler() {
                            @Override
                            public void onHeaders(SdkHttpResponse headers) {
                                status.set(headers.statusCode());
                            }

                            @Override
                            public void onStream(Publisher<ByteBuffer> body) {
                                ignoring.onStream(body);
                            }

                            @Override
                            public void onError(Throwable error) {
                                // the future of the call says it, too
                            }
                        })
                        .build())
                .get();
        return status.get();
    }
}
