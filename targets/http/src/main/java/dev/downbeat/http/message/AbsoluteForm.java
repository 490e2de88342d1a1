package dev.downbeat.http.message;

import dev.downbeat.http.options.HttpEndpoint;
import dev.downbeat.http.options.HttpOptions.Proxy;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Requests for a forwarding proxy: with the absolute URL and the proxy's credentials. Immutable.
 *
 * @see <a href="https://www.rfc-editor.org/rfc/rfc9112#section-3.2.2">RFC 9112, absolute form</a>
 */
public final class AbsoluteForm implements RequestWriter.Rewrite {
    private final byte[] service;
    private final byte[] authorization;

    public AbsoluteForm(HttpEndpoint service, Proxy proxy) {
        this.service = ("http://" + service.authority()).getBytes(StandardCharsets.ISO_8859_1);
        this.authorization = proxy.authorizationLine().getBytes(StandardCharsets.ISO_8859_1);
    }

    /** The form of a single repeated request. */
    public byte[] of(byte[] request) {
        RequestBytes whole = new RequestBytes();
        rewrite(request, request.length, whole);
        return Arrays.copyOf(whole.array(), whole.length());
    }

    @Override
    public void rewrite(byte[] request, int length, RequestBytes into) {
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
        into.append(authorization);
        into.append(request, lineEnd + 1, length);
    }
}
