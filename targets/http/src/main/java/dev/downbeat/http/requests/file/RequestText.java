package dev.downbeat.http.requests.file;

import dev.downbeat.exchange.Redaction;
import dev.downbeat.exchange.SafeText;
import dev.downbeat.http.message.HttpRequest;
import dev.downbeat.http.requests.check.Capture;
import dev.downbeat.http.requests.check.Expectation;
import dev.downbeat.http.requests.value.SourcePosition;
import dev.downbeat.run.ThinkTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * A request as written in a file, without variables filled in.
 *
 * @param spot its position
 * @param name its name in results
 * @param method a token
 * @param url a URL, or a path if the host is given elsewhere
 * @param query what follows the URL: pairs with a sign before each; empty for none
 * @param headers in order
 * @param body its parts in order; empty for no body
 * @param directives directives in its comments
 */
public record RequestText(
        SourcePosition spot,
        String name,
        String method,
        String url,
        String query,
        List<Header> headers,
        List<BodyPart> body,
        Directives directives) {
    /** The Content-Type of a form. */
    static final String FORM = "application/x-www-form-urlencoded";

    /** A request whose query is in its URL. */
    public RequestText(
            SourcePosition spot,
            String name,
            String method,
            String url,
            List<Header> headers,
            List<BodyPart> body,
            Directives directives) {
        this(spot, name, method, url, "", headers, body, directives);
    }

    /** A name without secrets and control characters. */
    static String shown(String name) {
        return SafeText.line(Redaction.line(name));
    }

    /** Checks what is possible before variables have values. The name is shown everywhere, so it keeps no secrets. */
    public RequestText {
        name = shown(name);
        headers = List.copyOf(headers);
        body = List.copyOf(body);
        try {
            HttpRequest.checkMethod(method);
        } catch (IllegalArgumentException refused) {
            throw spot.refusal(String.valueOf(refused.getMessage()));
        }
    }

    /**
     * A request without variables: braces in it are sent.
     *
     * @param resource path and query in wire format; the service is given elsewhere
     */
    public static RequestText literal(String method, String resource, List<HttpRequest.Header> headers, byte[] body) {
        SourcePosition spot = new SourcePosition("request", 0, true);
        return new RequestText(
                spot,
                nameOf(method, resource),
                method,
                resource,
                headers.stream()
                        .map(one -> new Header(spot, one.name(), one.value().reveal()))
                        .toList(),
                body.length == 0 ? List.of() : List.of(new Raw(body)),
                Directives.NONE);
    }

    /** A copy with these expectations, unless it has its own. */
    public RequestText withDefaultExpectations(List<Expectation> defaults) {
        return directives.expectations().isEmpty()
                ? new RequestText(spot, name, method, url, query, headers, body, directives.withExpectations(defaults))
                : this;
    }

    /**
     * A header with a value that may contain variables.
     *
     * @param spot its position
     * @param name a token
     * @param isRecorded whether a browser or curl sent it: a session's cookies replace its cookies of the same name
     */
    public record Header(SourcePosition spot, String name, String value, boolean isRecorded) {
        /** A header that someone wrote for this request. */
        public Header(SourcePosition spot, String name, String value) {
            this(spot, name, value, false);
        }

        /** Checks what is possible before variables have values. */
        public Header {
            if (name.equalsIgnoreCase("Transfer-Encoding")) {
                throw spot.refusal("the header Transfer-Encoding is not sent: a body has a length; leave it out");
            }
            try {
                new HttpRequest.Header(name, value);
            } catch (IllegalArgumentException refused) {
                throw spot.refusal(String.valueOf(refused.getMessage()));
            }
        }
    }

    public sealed interface BodyPart {}

    /** Text with variables. */
    public record Typed(SourcePosition spot, String text) implements BodyPart {}

    /** Pairs of a form: percent-encoded, with variables whose values are encoded. */
    public record Form(SourcePosition spot, String pairs) implements BodyPart {}

    /** Literal bytes, such as those of a file. */
    @SuppressWarnings("ArrayRecordComponent")
    public record Raw(byte[] bytes) implements BodyPart {}

    /** The value of the first header with this name. */
    public Optional<String> header(String wanted) {
        return headers.stream()
                .filter(header -> header.name().equalsIgnoreCase(wanted))
                .map(Header::value)
                .findFirst();
    }

    /** Whether its body is a form's, by its Content-Type. */
    public boolean isForm() {
        return isForm(header("Content-Type").orElse(""));
    }

    /** Whether a Content-Type is that of a form, with or without parameters. */
    static boolean isForm(String contentType) {
        return contentType.toLowerCase(Locale.ROOT).startsWith(FORM);
    }

    /**
     * The directives of a request.
     *
     * @param weight relative frequency in a mix; at least 1
     * @param expectations checks on its response; empty if the status decides
     * @param captures values captured from its response for later requests of a session
     * @param think pause of a session before it; empty for the default
     */
    public record Directives(
            long weight, List<Expectation> expectations, List<Capture> captures, Optional<ThinkTime> think) {
        /** No directives. */
        public static final Directives NONE = new Directives(1, List.of(), List.of(), Optional.empty());

        static final long MOST_WEIGHT = 1_000_000;

        public Directives {
            expectations = List.copyOf(expectations);
            captures = List.copyOf(captures);
        }

        Directives weight(long other) {
            return new Directives(other, expectations, captures, think);
        }

        Directives think(ThinkTime other) {
            return new Directives(weight, expectations, captures, Optional.of(other));
        }

        Directives withExpectations(List<Expectation> others) {
            return new Directives(weight, others, captures, think);
        }

        /** A copy with another expectation. */
        public Directives and(Expectation more) {
            List<Expectation> all = new ArrayList<>(expectations);
            all.add(more);
            return new Directives(weight, all, captures, think);
        }

        Directives and(Capture more) {
            List<Capture> all = new ArrayList<>(captures);
            all.add(more);
            return new Directives(weight, expectations, all, think);
        }
    }

    /** The default name of a request: its method and path, without keys. */
    static String nameOf(String method, String url) {
        int scheme = url.indexOf("://");
        int slash = url.indexOf('/', scheme < 0 ? 0 : scheme + 3);
        String path = slash < 0 ? "/" : url.substring(slash);
        int end = path.indexOf('?');
        return method + " " + Redaction.url(end < 0 ? path : path.substring(0, end));
    }
}
