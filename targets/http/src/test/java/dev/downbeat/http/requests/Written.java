package dev.downbeat.http.requests;

import dev.downbeat.exchange.Exchange;
import dev.downbeat.exchange.Outcome;
import dev.downbeat.http.message.RequestBytes;
import dev.downbeat.http.message.RequestWriter;
import dev.downbeat.http.requests.file.HttpFile;
import dev.downbeat.http.requests.value.DataFile;
import dev.downbeat.http.requests.value.Variables;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What would be sent. */
public final class Written {
    private Written() {}

    public static HttpFile file(String text) {
        return file(text, Path.of(""));
    }

    public static HttpFile file(String text, Path folder) {
        try {
            return HttpFile.parse(text, "shop.http", folder);
        } catch (IOException unreadable) {
            throw new IllegalStateException(unreadable);
        }
    }

    public static RequestSet set(String text, RequestSet.Order order, DataFile... data) {
        HttpFile file = file(text);
        Variables variables =
                Variables.ofProcess(Map.of("TOKEN", "t0p")).or(file.variables()).with(List.of(data));
        return RequestSet.of(file.requests(), Optional.empty(), variables, order, 7);
    }

    /** The only request of a file, as it goes on the wire. */
    public static String of(String text) {
        return of(set(text, RequestSet.Order.SESSION), 0);
    }

    public static String of(RequestSet set, long index) {
        return write(set.writer(1, false), exchange(index, 0));
    }

    public static Exchange exchange(long index, int step) {
        Exchange exchange = new Exchange(0);
        exchange.index = index;
        exchange.session = index;
        exchange.step = step;
        return exchange;
    }

    public static String write(RequestWriter writer, Exchange exchange) {
        RequestBytes bytes = new RequestBytes();
        Outcome refused = writer.write(exchange, bytes);
        return refused != null
                ? refused.reason()
                : new String(bytes.array(), 0, bytes.length(), StandardCharsets.UTF_8).replace("\r\n", "\n");
    }
}
