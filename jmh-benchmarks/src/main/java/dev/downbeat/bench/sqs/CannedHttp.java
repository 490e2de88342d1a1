package dev.downbeat.bench.sqs;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import software.amazon.awssdk.http.AbortableInputStream;
import software.amazon.awssdk.http.ExecutableHttpRequest;
import software.amazon.awssdk.http.HttpExecuteRequest;
import software.amazon.awssdk.http.HttpExecuteResponse;
import software.amazon.awssdk.http.SdkHttpClient;
import software.amazon.awssdk.http.SdkHttpFullResponse;

/** Reads each request to its end and gives one and the same answer, without a network. Thread-safe. */
final class CannedHttp implements SdkHttpClient {
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
