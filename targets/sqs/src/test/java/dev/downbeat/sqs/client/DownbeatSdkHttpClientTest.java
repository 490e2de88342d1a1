package dev.downbeat.sqs.client;

import dev.downbeat.http.options.HttpOptions;
import dev.downbeat.testing.EndToEnd;
import dev.downbeat.time.NanoClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import software.amazon.awssdk.http.SdkAsyncHttpClientH1TestSuite;
import software.amazon.awssdk.http.async.SdkAsyncHttpClient;

/** The SDK's own test kit for clients that do not block. */
@EndToEnd
class DownbeatSdkHttpClientTest extends SdkAsyncHttpClientH1TestSuite {
    private static final List<FutureTask<Boolean>> ENDS = new ArrayList<>();

    @Override
    protected SdkAsyncHttpClient setupClient() {
        HttpOptions options = HttpOptions.of(draft -> draft.tls.verify = false);
        return new DownbeatSdkHttpClient(options, Duration.ofSeconds(10), NanoClock.system(), null);
    }

    /** The kit's server takes two seconds to end, each time: the next test need not wait for that. */
    @Override
    @AfterEach
    public void teardown() {
        FutureTask<Boolean> end = new FutureTask<>(() -> {
            super.teardown();
            return true;
        });
        ENDS.add(end);
        new Thread(end, "end of the kit's server").start();
    }

    @AfterAll
    static void all_have_ended() throws Exception {
        for (FutureTask<Boolean> end : ENDS) {
            end.get();
        }
    }
}
