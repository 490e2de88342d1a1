package dev.downbeat.http;

import dev.downbeat.exchange.Exchange;
import dev.downbeat.exchange.Outcome;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Requests as a proxy wants them that reads them: with the whole URL, and with who asks. Not thread-safe.
 *
 * @see <a href="https://www.rfc-editor.org/rfc/rfc9112#section-3.2.2">RFC 9112, absolute form</a>
 */
final class ThroughProxy implements RequestWriter {
    private final RequestWriter writer;
    private final byte[] service;
    private final byte[] line;
    private final RequestBytes plain = new RequestBytes();

    ThroughProxy(RequestWriter writer, HttpEndpoint service, Proxy proxy) {
        this.writer = writer;
        this.service = ("http://" + service.authority()).getBytes(StandardCharsets.ISO_8859_1);
        this.line = proxy.line().getBytes(StandardCharsets.ISO_8859_1);
    }

    /** The same of one request that is sent again and again. */
    static byte[] of(byte[] request, HttpEndpoint service, Proxy proxy) {
        RequestBytes whole = new RequestBytes();
        append(
                request,
                request.length,
                ("http://" + service.authority()).getBytes(StandardCharsets.ISO_8859_1),
                proxy.line().getBytes(StandardCharsets.ISO_8859_1),
                whole);
        return Arrays.copyOf(whole.array(), whole.length());
    }

    private static void append(byte[] request, int length, byte[] service, byte[] line, RequestBytes into) {
        int resource = 0;
        while (request[resource] != ' ') {
            resource++;
        }
        int lineEnd = resource;
        while (request[lineEnd] != '\n') {
            lineEnd++;
        }
        into.append(request, 0, resource + 1);
        into.append(service);
        into.append(request, resource + 1, lineEnd + 1);
        into.append(line);
        into.append(request, lineEnd + 1, length);
    }

    @Override
    public @Nullable Outcome write(Exchange exchange, RequestBytes into) {
        plain.clear();
        Outcome refused = writer.write(exchange, plain);
        if (refused == null) {
            append(plain.array(), plain.length(), service, line, into);
        }
        return refused;
    }

    @Override
    public boolean goesOn(Exchange exchange, RequestBytes into) {
        plain.clear();
        boolean more = writer.goesOn(exchange, plain);
        if (more) {
            append(plain.array(), plain.length(), service, line, into);
        }
        return more;
    }

    @Override
    public boolean expectsNoBody() {
        return writer.expectsNoBody();
    }

    @Override
    public @Nullable ResponseSink sink(Exchange exchange) {
        return writer.sink(exchange);
    }

    @Override
    public Outcome outcome(Exchange exchange, Outcome usual) {
        return writer.outcome(exchange, usual);
    }
}
