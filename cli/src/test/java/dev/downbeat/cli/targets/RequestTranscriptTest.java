package dev.downbeat.cli.targets;

import static org.assertj.core.api.Assertions.assertThat;

import dev.downbeat.cli.targets.RequestTranscript.Transcript;
import dev.downbeat.exchange.Exchange;
import dev.downbeat.http.message.HttpRequests;
import dev.downbeat.http.message.RequestWriter;
import dev.downbeat.http.message.RequestWriter.ResponseSink;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class RequestTranscriptTest {
    /** Answers with nothing, but with the writer for requests. */
    private static <T> T nothing(Class<T> type, Object writer) {
        return type.cast(Proxy.newProxyInstance(
                RequestTranscriptTest.class.getClassLoader(),
                new Class<?>[] {type},
                (proxy, method, arguments) -> method.getName().equals("writer") ? writer : null));
    }

    @Test
    void a_response_without_an_end_is_kept_as_far_as_it_is_shown() {
        RequestWriter writer = nothing(RequestWriter.class, "");
        Transcript transcript = new Transcript(nothing(HttpRequests.class, writer));
        ResponseSink sink = Objects.requireNonNull(transcript.writer(1, false).sink(new Exchange(0)));
        byte[] head = "HTTP/1.1 200 OK".getBytes(StandardCharsets.US_ASCII);
        sink.line(head, 0, head.length);
        byte[] part = new byte[3_000];
        for (int i = 0; i < 10; i++) {
            sink.body(part, 0, part.length);
        }
        assertThat(transcript.answer().orElseThrow()).hasSize(head.length + 4 + 8_000);
    }
}
