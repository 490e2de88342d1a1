package dev.downbeat.http.requests.value;

import dev.downbeat.exchange.Exchange;
import dev.downbeat.exchange.Outcome;
import dev.downbeat.http.message.RequestBytes;
import dev.downbeat.http.requests.value.Value.Draw;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * A text with variables filled in for each request, for targets other than HTTP. The same seed gives the same text for
 * the same request. Immutable, thread-safe.
 */
public final class TextTemplate {
    private final Text text;
    private final ThreadLocal<Scratch> scratch;

    private TextTemplate(Text text, long seed) {
        this.text = text;
        this.scratch = ThreadLocal.withInitial(() -> new Scratch(new Exchange(0), new Draw(seed), new RequestBytes()));
    }

    /** One thread's reusable buffers. */
    private record Scratch(Exchange exchange, Draw draw, RequestBytes bytes) {}

    /**
     * Compiles a text with {@code {{...}}}.
     *
     * @param spot its position, for messages
     * @param seed seed of random values
     * @throws IllegalArgumentException if a variable has no value; the message names it
     */
    public static TextTemplate of(String raw, SourcePosition spot, Variables variables, long seed) {
        return new TextTemplate(variables.text(raw, spot, Text.Place.BODY, (name, where) -> Optional.empty()), seed);
    }

    /**
     * The text of one request.
     *
     * @param index index of the request in the run
     * @throws IllegalStateException if there is none, because single-use data rows are exhausted
     */
    public String text(long index) {
        Scratch buffers = scratch.get();
        Exchange exchange = buffers.exchange();
        exchange.index = index;
        exchange.session = index;
        buffers.draw().begin(exchange, null);
        RequestBytes bytes = buffers.bytes();
        bytes.clear();
        Outcome none = text.write(buffers.draw(), bytes);
        if (none != null) {
            throw new IllegalStateException(none.reason());
        }
        return new String(bytes.array(), 0, bytes.length(), StandardCharsets.UTF_8);
    }
}
