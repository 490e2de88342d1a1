package dev.downbeat.sqs.client;

import java.io.ByteArrayInputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import software.amazon.awssdk.http.AbortableInputStream;
import software.amazon.awssdk.http.ExecutableHttpRequest;
import software.amazon.awssdk.http.HttpExecuteResponse;
import software.amazon.awssdk.http.SdkHttpFullResponse;
import software.amazon.awssdk.http.SdkHttpResponse;
import software.amazon.awssdk.http.async.SdkAsyncHttpResponseHandler;

/** An empty response without a connection, for exercising the SDK's first call. */
final class CannedAnswer implements ExecutableHttpRequest {
    private static final byte[] BODY = "{}".getBytes(StandardCharsets.US_ASCII);
    private static final SdkHttpResponse HEAD =
            SdkHttpFullResponse.builder().statusCode(200).build();

    /** Passes it to a non-blocking client. */
    static CompletableFuture<Void> to(SdkAsyncHttpResponseHandler handler) {
        CompletableFuture<Void> done = new CompletableFuture<>();
        handler.onHeaders(HEAD);
        handler.onStream(new OneBuffer(ByteBuffer.wrap(BODY), done));
        return done;
    }

    @Override
    public HttpExecuteResponse call() {
        return HttpExecuteResponse.builder()
                .response(HEAD)
                .responseBody(AbortableInputStream.create(new ByteArrayInputStream(BODY)))
                .build();
    }

    @Override
    public void abort() {}
}
