package dev.downbeat.sqs;

import dev.downbeat.http.HttpOptions;
import dev.downbeat.time.NanoClock;
import java.time.Duration;
import software.amazon.awssdk.http.SdkAsyncHttpClientH1TestSuite;
import software.amazon.awssdk.http.async.SdkAsyncHttpClient;

/** The SDK's own test kit for clients that do not block. */
class EngineHttpTest extends SdkAsyncHttpClientH1TestSuite {
    @Override
    protected SdkAsyncHttpClient setupClient() {
        HttpOptions options = HttpOptions.builder().verify(false).build();
        return new EngineHttp(options, Duration.ofSeconds(10), NanoClock.system());
    }
}
