package dev.downbeat.http.requests;

import static org.assertj.core.api.Assertions.assertThat;

import dev.downbeat.exchange.Exchange;
import dev.downbeat.exchange.Outcome;
import dev.downbeat.http.message.RequestBytes;
import dev.downbeat.http.message.RequestWriter;
import dev.downbeat.http.options.HttpEndpoint;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class ColdRequestsTest {
    private static final Outcome CHECKED = Outcome.failedResponse("a check failed");

    private final List<String> received = new ArrayList<>();

    /** The name of the last request as long as there is no response. */
    private String withoutResponse = "";

    /** Two names in turn, and a check that always fails. */
    private final class TwoNames
            implements dev.downbeat.http.message.HttpRequests, RequestWriter, RequestWriter.ResponseSink {
        @Override
        public List<HttpEndpoint> services() {
            return List.of(HttpEndpoint.parse("http://h/"));
        }

        @Override
        public String describe() {
            return "two requests";
        }

        @Override
        public List<String> names() {
            return List.of("list", "order");
        }

        @Override
        public int nameOf(Exchange exchange) {
            return (int) exchange.index % 2;
        }

        @Override
        public RequestWriter writer(int capacity, boolean close) {
            return this;
        }

        @Override
        public @Nullable Outcome write(Exchange exchange, RequestBytes into) {
            return null;
        }

        @Override
        public boolean closesConnection() {
            return false;
        }

        @Override
        public ResponseSink sink(Exchange exchange) {
            return this;
        }

        @Override
        public Outcome outcome(Exchange exchange, Outcome usual) {
            return CHECKED;
        }

        @Override
        public void line(byte[] text, int from, int to) {
            received.add(new String(text, from, to - from, StandardCharsets.ISO_8859_1));
        }

        @Override
        public void body(byte[] bytes, int from, int to) {
            received.add(new String(bytes, from, to - from, StandardCharsets.ISO_8859_1));
        }
    }

    /** The name under which a request that begins then is counted. */
    private String name(ColdRequests requests, RequestWriter writer, long index, long startedAt, String... head) {
        Exchange exchange = new Exchange(0);
        exchange.index = index;
        exchange.begin(startedAt, startedAt, startedAt);
        exchange.name = requests.nameOf(exchange);
        assertThat(writer.write(exchange, new RequestBytes())).isNull();
        withoutResponse = requests.names().get(exchange.name);
        RequestWriter.ResponseSink sink = Objects.requireNonNull(writer.sink(exchange));
        for (String line : head) {
            byte[] bytes = ("__" + line).getBytes(StandardCharsets.ISO_8859_1);
            sink.line(bytes, 2, bytes.length);
        }
        sink.body(new byte[] {'o', 'k'}, 0, 2);
        assertThat(writer.outcome(exchange, Outcome.answered())).isSameAs(CHECKED);
        return requests.names().get(exchange.name);
    }

    @Test
    void a_request_after_an_idle_time_is_counted_by_a_name_of_its_own() {
        ColdRequests cold = new ColdRequests(new TwoNames(), "", 1_000);
        assertThat(cold.names()).containsExactly("list", "order", "list (cold)", "order (cold)");
        RequestWriter writer = cold.writer(1, false);
        assertThat(name(cold, writer, 0, 5_000)).as("the first one").isEqualTo("list (cold)");
        assertThat(name(cold, writer, 1, 5_999)).isEqualTo("order");
        assertThat(withoutResponse).isEqualTo("order");
        assertThat(name(cold, writer, 3, 6_999)).isEqualTo("order (cold)");
        assertThat(withoutResponse).as("such as a timeout").isEqualTo("order (cold)");
        assertThat(name(cold, writer, 2, 7_000)).isEqualTo("list");
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource({
        "X-Cold: true, order (cold)",
        "x-COLD: 1, order (cold)",
        "X-Cold:, order (cold)",
        "X-Cold: false, order",
        "X-Cold: 0, order",
        "X-Colder: true, order",
        "X-Cola: true, order",
        "X-Co, order"
    })
    void a_request_whose_response_has_the_header_is_cold(String line, String name) {
        ColdRequests cold = new ColdRequests(new TwoNames(), "X-Cold", Long.MAX_VALUE);
        RequestWriter writer = cold.writer(1, false);
        assertThat(name(cold, writer, 1, 0, "HTTP/1.1 200 OK", line, "Server: s"))
                .isEqualTo(name);
        assertThat(received).as("what the checks see").containsExactly("HTTP/1.1 200 OK", line, "Server: s", "ok");
        assertThat(name(cold, writer, 1, 0, "HTTP/1.1 200 OK"))
                .as("the next one")
                .isEqualTo("order");
    }
}
