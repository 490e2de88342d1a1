package dev.downbeat.gatling.request;

import dev.downbeat.http.HttpRequest;
import dev.downbeat.http.options.HttpEndpoint;
import io.gatling.commons.validation.Validation;
import io.gatling.core.session.Session;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import scala.Function1;

/**
 * A request whose expressions have no values yet.
 *
 * @param name in Gatling's report
 * @param method a token
 * @param url absolute, or to be put behind the protocol's
 * @param headers added or replaced
 * @param body null for none
 */
public record HttpDraft(
        Function1<Session, Validation<String>> name,
        String method,
        Function1<Session, Validation<String>> url,
        List<Field> headers,
        @Nullable Function1<Session, Validation<String>> body) {
    /** A header. */
    public record Field(String name, Function1<Session, Validation<String>> value) {}

    /** The same with another header. */
    public HttpDraft with(Field header) {
        List<Field> all = new ArrayList<>(headers);
        all.add(header);
        return new HttpDraft(name, method, url, List.copyOf(all), body);
    }

    /** The same with this body. */
    public HttpDraft withBody(Function1<Session, Validation<String>> text) {
        return new HttpDraft(name, method, url, headers, text);
    }

    /**
     * The request for one user.
     *
     * @throws OwnRequestAction.NoValue if an expression fails
     * @throws IllegalArgumentException if the values make no request
     */
    HttpRequest request(Session session, String baseUrl) {
        String address = OwnRequestAction.valueOf(url, session);
        List<HttpRequest.Header> fields = new ArrayList<>(headers.size());
        for (Field field : headers) {
            fields.add(new HttpRequest.Header(field.name(), OwnRequestAction.valueOf(field.value(), session)));
        }
        byte[] bytes = body == null
                ? new byte[0]
                : OwnRequestAction.valueOf(body, session).getBytes(StandardCharsets.UTF_8);
        return HttpRequest.of(
                method, HttpEndpoint.parse(isAbsolute(address) ? address : baseUrl + address), fields, bytes);
    }

    private static boolean isAbsolute(String address) {
        String lower = address.toLowerCase(Locale.ROOT);
        return lower.startsWith("http://") || lower.startsWith("https://") || lower.startsWith("unix:");
    }
}
