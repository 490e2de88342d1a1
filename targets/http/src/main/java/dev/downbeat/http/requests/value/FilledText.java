package dev.downbeat.http.requests.value;

import dev.downbeat.exchange.Exchange;
import dev.downbeat.exchange.Outcome;
import dev.downbeat.http.message.RequestBytes;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * A text whose variables are filled in anew for each of a run's requests, for targets that do not speak HTTP: the same seed
 * gives the same text for the same request. Immutable, thread-safe.
 */
public final class FilledText {
    private final Text text;
    private final long seed;

    private FilledText(Text text, long seed) {
        this.text = text;
        this.seed = seed;
    }

    /**
     * Of a text with {@code {{...}}}.
     *
     * @param spot where it stands, for messages
     * @param seed of what is drawn
     * @throws IllegalArgumentException if a variable has no value; says which
     */
    public static FilledText of(String raw, SourcePosition spot, Variables variables, long seed) {
        return new FilledText(variables.text(raw, spot, Text.Place.BODY, (name, where) -> Optional.empty()), seed);
    }

    /**
     * The text of one request.
     *
     * @param index which of the run's requests
     * @throws IllegalStateException if there is none, since rows of data were to be used once and are used up
     */
    public String text(long index) {
        Exchange exchange = new Exchange(0);
        exchange.index = index;
        exchange.session = index;
        Draw draw = new Draw(seed);
        draw.begin(exchange, null);
        RequestBytes bytes = new RequestBytes();
        Outcome none = text.write(draw, bytes);
        if (none != null) {
            throw new IllegalStateException(none.reason());
        }
        return new String(bytes.array(), 0, bytes.length(), StandardCharsets.UTF_8);
    }
}
