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

/** What the SDK gets when its own first call is rehearsed: an empty answer, without a connection. */
final class CannedAnswer implements ExecutableHttpRequest {
    private static final byte[] BODY = "{}".getBytes(StandardCharsets.US_ASCII);
    private static final SdkHttpResponse HEAD =
            SdkHttpFullResponse.builder().statusCode(200).build();

    /** Gives it to a client that does not block. */
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
