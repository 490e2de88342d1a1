package dev.downbeat.http.requests;

import dev.downbeat.http.options.HttpEndpoint;
import dev.downbeat.http.requests.RequestTemplate.Captures;
import dev.downbeat.http.requests.file.Credentials;
import dev.downbeat.http.requests.file.RequestText;
import dev.downbeat.http.requests.value.SourcePosition;
import dev.downbeat.http.requests.value.Text;
import dev.downbeat.http.requests.value.Variables;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Compiles a request's text, with its variables filled in. Use once. */
record Compiler(RequestText request, Variables variables, Variables.Captured captured) {
    /** Everything except the captures, which later requests may add to. */
    record Compiled(
            RequestText request,
            HttpEndpoint endpoint,
            Text head,
            @Nullable Text recordedCookies,
            Text body) {
        RequestTemplate template(List<Captures.Planned> captured) {
            return new RequestTemplate(request, head, recordedCookies, body, captured);
        }
    }

    /** The parts of a URL. */
    private record Url(HttpEndpoint endpoint, Text resource) {}

    Compiled compile(Optional<HttpEndpoint> base) {
        Url url = url(base);
        Text.Builder head = new Text.Builder();
        head.add(request.method()).add(" ").add(url.resource).add(pairs(request.query(), request.spot()));
        head.add(" HTTP/1.1\r\n");
        if (request.header("Host").isEmpty()) {
            head.add("Host: " + url.endpoint.authority() + "\r\n");
        }
        if (request.header("User-Agent").isEmpty()) {
            head.add("User-Agent: downbeat\r\n");
        }
        if (request.header("Accept").isEmpty()) {
            head.add("Accept: */*\r\n");
        }
        CookieCopies copies = new CookieCopies(request);
        Text recordedCookies = null;
        for (RequestText.Header header : request.headers()) {
            if (CookieCopies.isRecordedCookie(header)) {
                Text.Builder all = new Text.Builder();
                if (recordedCookies != null) {
                    all.add(recordedCookies).add("; "); // HTTP/2 splits them
                }
                recordedCookies = all.add(value(header)).build();
                continue;
            }
            if (header.name().equalsIgnoreCase("Content-Length")) {
                continue; // derived from the actual body
            }
            head.add(header.name())
                    .add(": ")
                    .add(copies.header(header, value(header)))
                    .add("\r\n");
        }
        return new Compiled(request, url.endpoint, head.build(), recordedCookies, copies.body(body()));
    }

    /** Credentials that come from variables are encoded as if they stood there. */
    private Text value(RequestText.Header header) {
        Text value = text(header.value(), header.spot(), Text.Place.HEADER);
        return header.name().equalsIgnoreCase("Authorization")
                ? Credentials.filledIn(header.value(), value, header.spot())
                : value;
    }

    private Text body() {
        Text.Builder body = new Text.Builder();
        for (RequestText.BodyPart part : request.isForm() ? FormPairs.of(request.body()) : request.body()) {
            if (part instanceof RequestText.Raw raw) {
                body.add(raw.bytes());
            } else if (part instanceof RequestText.Form form) {
                body.add(pairs(form.pairs(), form.spot()));
            } else {
                RequestText.Typed typed = (RequestText.Typed) part;
                body.add(text(typed.text(), typed.spot(), Text.Place.BODY));
            }
        }
        return body.build();
    }

    private Text pairs(String pairs, SourcePosition spot) {
        return text(pairs, spot, Text.Place.PAIRS);
    }

    private Text text(String raw, SourcePosition spot, Text.Place place) {
        return variables.text(raw, spot, place, captured);
    }

    private Url url(Optional<HttpEndpoint> base) {
        Text url = text(withoutFragment(request.url(), request.spot()), request.spot(), Text.Place.URL);
        String begin = url.beginning();
        if (begin.startsWith("/")) {
            return new Url(base.or(this::ofHostHeader).orElseThrow(this::noHost), withoutFragment(url));
        }
        String lower = begin.toLowerCase(Locale.ROOT);
        boolean isUnix = lower.startsWith("unix:");
        boolean isWhole = isUnix || lower.startsWith("http://") || lower.startsWith("https://");
        if (!isWhole && lower.contains("://")) {
            throw request.spot().refusal("expected a URL of http or https, but found " + SourcePosition.found(begin));
        }
        int from = isUnix ? begin.indexOf(":/", 6) : endOfAuthority(begin, isWhole ? begin.indexOf("://") + 3 : 0);
        boolean isAll = from < 0 || from == begin.length();
        if (begin.isEmpty() || (isAll && !url.isFixed())) {
            throw request.spot()
                    .refusal("the host of " + SourcePosition.found(request.url())
                            + " must be fixed: it cannot come from a variable that changes during the run");
        }
        String authority = isAll ? begin : begin.substring(0, from);
        HttpEndpoint endpoint = endpoint((isWhole ? "" : "http://") + authority);
        Text rest = isAll ? Text.EMPTY : withoutFragment(url.from(isUnix ? from + 1 : from));
        boolean needsSlash = !rest.beginning().startsWith("/");
        return new Url(
                endpoint, needsSlash ? new Text.Builder().add("/").add(rest).build() : rest);
    }

    private static int endOfAuthority(String text, int from) {
        for (int at = from; at < text.length(); at++) {
            if ("/?#".indexOf(text.charAt(at)) >= 0) {
                return at;
            }
        }
        return -1;
    }

    /** A fragment is for browsers only; within the braces of a variable it is part of a name. */
    private static String withoutFragment(String url, SourcePosition spot) {
        for (int hash = url.indexOf('#'); hash >= 0; hash = url.indexOf('#', hash + 1)) {
            if (spot.isRecorded() || url.lastIndexOf("{{", hash) <= url.lastIndexOf("}}", hash)) {
                return url.substring(0, hash);
            }
        }
        return url;
    }

    private static Text withoutFragment(Text text) {
        int hash = text.isFixed() ? text.beginning().indexOf('#') : -1;
        return hash < 0
                ? text
                : new Text.Builder().add(text.beginning().substring(0, hash)).build();
    }

    private HttpEndpoint endpoint(String url) {
        try {
            return HttpEndpoint.parse(url);
        } catch (IllegalArgumentException refused) {
            throw request.spot().refusal(String.valueOf(refused.getMessage()));
        }
    }

    private Optional<HttpEndpoint> ofHostHeader() {
        return request.headers().stream()
                .filter(header -> header.name().equalsIgnoreCase("Host"))
                .filter(header ->
                        text(header.value(), header.spot(), Text.Place.HEADER).isFixed())
                .map(this::ofHost)
                .findFirst();
    }

    /** As the REST Client does: TLS on the ports that are usual for it. */
    private HttpEndpoint ofHost(RequestText.Header header) {
        String host = text(header.value(), header.spot(), Text.Place.HEADER).beginning();
        if (host.contains("/")) {
            throw header.spot().refusal("a Host header is HOST or HOST:PORT, but was " + SourcePosition.found(host));
        }
        return endpoint((host.endsWith(":443") || host.endsWith(":8443") ? "https://" : "http://") + host);
    }

    private IllegalArgumentException noHost() {
        return request.spot()
                .refusal("the URL has no host: write http://HOST before its path, or a header 'Host: NAME'");
    }
}
