package dev.downbeat.http.requests;

import dev.downbeat.exchange.Fate;
import dev.downbeat.exchange.Outcome;
import dev.downbeat.exchange.SimilarNames;
import dev.downbeat.http.message.HttpRequest;
import dev.downbeat.http.message.RequestBytes;
import dev.downbeat.http.requests.check.Capture;
import dev.downbeat.http.requests.check.Expectation;
import dev.downbeat.http.requests.check.JsonPointer;
import dev.downbeat.http.requests.check.ReceivedResponse;
import dev.downbeat.http.requests.file.RequestText;
import dev.downbeat.http.requests.value.SessionState;
import dev.downbeat.http.requests.value.SourcePosition;
import dev.downbeat.http.requests.value.Text;
import dev.downbeat.http.requests.value.Value;
import dev.downbeat.http.requests.value.Value.Draw;
import dev.downbeat.http.requests.value.Variables;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** A request of a set, ready to be written, with its checks. Immutable, except for a cache of outcomes. */
public final class RequestTemplate {
    private static final byte[] CLOSE = ascii("Connection: close\r\n");
    private static final byte[] COOKIE = ascii("Cookie: ");
    private static final byte[] LENGTH = ascii("Content-Length: ");
    private static final byte[] LINE_END = ascii("\r\n");
    private static final int STATUSES = 1_000;

    private final Text head;
    private final Text body;
    private final boolean sendsContentLength;

    /** The Cookie header, if it was recorded; null for none. */
    private final @Nullable Text recordedCookies;

    private final boolean hasOwnCookies;
    private final boolean hasConnectionHeader;
    private final boolean closesConnection;
    private final List<Expectation.OfBody> ofBody = new ArrayList<>();
    private final @Nullable Outcome[] unexpectedBody;
    private final List<Captures.Planned> captures;
    private final Expectation.@Nullable Status status;
    private final @Nullable Outcome[] unexpected = new Outcome[STATUSES];

    /** The head is the request line and header lines, without the empty line. */
    RequestTemplate(
            RequestText request,
            Text head,
            @Nullable Text recordedCookies,
            Text body,
            List<Captures.Planned> captures) {
        String method = request.method().toUpperCase(Locale.ROOT);
        this.head = head;
        this.body = body;
        this.sendsContentLength =
                body != Text.EMPTY || method.equals("POST") || method.equals("PUT") || method.equals("PATCH");
        this.recordedCookies = recordedCookies;
        this.hasOwnCookies = recordedCookies == null && request.header("Cookie").isPresent();
        this.hasConnectionHeader = request.header("Connection").isPresent();
        this.closesConnection =
                request.header("Connection").filter(HttpRequest::hasCloseOption).isPresent();
        this.captures = captures;
        Expectation.@Nullable Status last = null;
        for (Expectation one : request.directives().expectations()) {
            if (one instanceof Expectation.Status of) {
                Expectation.Status before = last;
                last = before == null
                        ? of
                        : before.and(of)
                                .orElseThrow(() -> request.spot()
                                        .refusal("no status is both " + before.text() + " and " + of.text()
                                                + ": write statuses to choose from as " + before.text() + ","
                                                + of.text()));
            } else if (one instanceof Expectation.OfBody of) {
                ofBody.add(of);
            }
        }
        this.status = last;
        this.unexpectedBody = new Outcome[ofBody.size()];
    }

    public static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    boolean closesConnection() {
        return closesConnection;
    }

    boolean needsBody() {
        return !ofBody.isEmpty()
                || captures.stream().anyMatch(one -> !(one.capture().from() instanceof Capture.OfHeader));
    }

    boolean needsResponse() {
        return !ofBody.isEmpty() || !captures.isEmpty();
    }

    @Nullable
    Outcome write(Draw draw, boolean close, RequestBytes scratch, RequestBytes into) {
        int length = 0;
        boolean isFixed = body.isFixed();
        if (isFixed) {
            length = body.fixedLength();
        } else {
            scratch.clear();
            Outcome none = body.write(draw, scratch);
            if (none != null) {
                return none;
            }
            length = scratch.length();
        }
        Outcome none = head.write(draw, into);
        if (none != null) {
            return none;
        }
        Outcome noCookies = hasOwnCookies ? null : writeCookies(draw, into);
        if (noCookies != null) {
            return noCookies;
        }
        if (close && !hasConnectionHeader) {
            into.append(CLOSE);
        }
        if (sendsContentLength) {
            into.append(LENGTH);
            into.decimal(length);
            into.append(LINE_END);
        }
        into.append(LINE_END);
        if (isFixed) {
            return body.write(draw, into);
        }
        into.append(scratch.array(), 0, length);
        return null;
    }

    /** Writes recorded cookies, and those of the session, which replace recorded ones of the same name. */
    private @Nullable Outcome writeCookies(Draw draw, RequestBytes into) {
        SessionState known = draw.sessionState();
        if (recordedCookies == null && (known == null || !known.hasCookies())) {
            return null;
        }
        int begin = into.length();
        into.append(COOKIE);
        int from = into.length();
        if (recordedCookies != null) {
            Outcome none = recordedCookies.write(draw, into);
            if (none != null) {
                return none;
            }
            if (known != null) {
                known.dropReplaced(into, from);
            }
        }
        if (known != null) {
            known.writeCookies(into, from);
        }
        if (into.length() == from) {
            into.cut(begin);
        } else {
            into.append(LINE_END);
        }
        return null;
    }

    /** The outcome of a complete response; captures values for its session. */
    Outcome outcome(int code, Outcome usual, @Nullable ReceivedResponse response, @Nullable SessionState known) {
        Outcome outcome = status == null ? usual : status.allows(code) ? Outcome.answered() : unexpected(status, code);
        if (outcome.fate() != Fate.ANSWERED || response == null || !needsResponse()) {
            return outcome;
        }
        Optional<String> coding = needsBody() ? response.foreignCoding() : Optional.empty();
        if (coding.isPresent()) {
            return Outcome.failedResponse("HTTP " + code + ", its body is in " + coding.get()
                    + ", which is not read: send 'Accept-Encoding: gzip'");
        }
        String text = ofBody.isEmpty() ? "" : response.body();
        for (int i = 0; i < unexpectedBody.length; i++) {
            if (!ofBody.get(i).holds(text)) {
                return unexpectedBody(i, code);
            }
        }
        for (Captures.Planned one : captures) {
            byte[] found = one.capture().from().in(response).orElse(null);
            if (found == null) {
                return one.failed();
            }
            if (known != null) {
                known.capture(one.place(), found);
            }
        }
        return outcome;
    }

    /** Cached for the latest status. */
    private Outcome unexpectedBody(int expectation, int code) {
        String reason = "HTTP " + code + ", expected " + ofBody.get(expectation).text();
        Outcome known = unexpectedBody[expectation];
        if (known == null || !known.reason().equals(reason)) {
            known = Outcome.failedResponse(reason);
            unexpectedBody[expectation] = known;
        }
        return known;
    }

    private Outcome unexpected(Expectation.Status wanted, int code) {
        Outcome known = unexpected[code];
        if (known == null) {
            known = Outcome.failedResponse("HTTP " + code + ", expected " + wanted.text());
            unexpected[code] = known;
        }
        return known;
    }

    /**
     * The variables that a set's sessions capture, and from which responses. They come from directives, or from
     * references as in the REST Client, {@code {{login.response.body.$.token}}}. Grows while requests are read.
     */
    static final class Captures {
        private static final Pattern OF_REQUEST =
                Pattern.compile("(.+?)\\.response\\.(body|headers)\\.(.+)", Pattern.DOTALL);

        private final List<String> requestNames;
        private final Map<String, Integer> places = new LinkedHashMap<>();
        private final List<List<Planned>> byRequest = new ArrayList<>();

        /** The first request that captures a name. */
        private final Map<String, Integer> sources = new HashMap<>();

        /**
         * One capture from a response.
         *
         * @param place index of its variable in a session
         * @param failed outcome of a request whose response lacks the value
         */
        record Planned(Capture capture, int place, Outcome failed) {}

        Captures(List<RequestText> requests) {
            requestNames = requests.stream().map(RequestText::name).toList();
            for (RequestText request : requests) {
                List<Planned> own = new ArrayList<>();
                byRequest.add(own);
                for (Capture capture : request.directives().captures()) {
                    sources.putIfAbsent(capture.name(), byRequest.size() - 1);
                    own.add(planned(capture));
                }
            }
        }

        private Planned planned(Capture capture) {
            int place = places.computeIfAbsent(capture.name(), name -> places.size());
            return new Planned(capture, place, Outcome.failedResponse("capture failed: " + capture.name()));
        }

        int variables() {
            return places.size();
        }

        List<Planned> of(int request) {
            return List.copyOf(byRequest.get(request));
        }

        /** The values that a request can use, given its index: those captured by earlier requests. */
        Variables.Captured before(int request) {
            return new Variables.Captured() {
                @Override
                public Optional<Value> find(String name, SourcePosition spot) {
                    int source = sourceOf(name);
                    return source < 0 || source >= request ? Optional.empty() : Optional.of(value(name, source, spot));
                }

                @Override
                public String missing(String name) {
                    return whyMissing(name, request);
                }
            };
        }

        /** The first request whose response has a value; -1 if there is none. */
        private int sourceOf(String name) {
            Integer source = sources.get(name);
            if (source != null) {
                return source;
            }
            Matcher shape = OF_REQUEST.matcher(name);
            return shape.matches() ? requestNames.indexOf(shape.group(1)) : -1;
        }

        private Value value(String name, int source, SourcePosition spot) {
            Matcher shape = OF_REQUEST.matcher(name);
            if (!places.containsKey(name) && shape.matches()) {
                sources.put(name, source);
                byRequest.get(source).add(planned(new Capture(name, from(shape.group(2), shape.group(3), name, spot))));
            }
            int place = places.getOrDefault(name, 0);
            Outcome missing = Outcome.unbuilt("not sent: {{" + name + "}} was not captured");
            return (draw, into) -> {
                SessionState known = draw.sessionState();
                byte[] value = known == null ? null : known.captured(place);
                if (value == null) {
                    return missing;
                }
                into.append(value);
                return null;
            };
        }

        private String whyMissing(String name, int request) {
            int source = sourceOf(name);
            if (source >= 0) {
                return "it comes from the response to '" + requestNames.get(source) + "', which is "
                        + (source == request ? "this request" : "sent later: move it up");
            }
            Matcher shape = OF_REQUEST.matcher(name);
            return shape.matches()
                    ? "no request is called '" + shape.group(1) + "'"
                            + SimilarNames.nearest(shape.group(1), requestNames)
                                    .map(near -> "; the nearest is '" + near + "' ('# @name " + shape.group(1)
                                            + "' above a request names it)")
                                    .orElse(" (there are: " + String.join(", ", requestNames) + ")")
                    : "";
        }

        private static Capture.From from(String part, String path, String name, SourcePosition spot) {
            if (part.equals("headers")) {
                return new Capture.OfHeader(path);
            }
            if (path.equals("*")) {
                return new Capture.OfRegex(Pattern.compile("(?s).+"));
            }
            return new Capture.OfJson(JsonPointer.ofPath(path)
                    .orElseThrow(() -> spot.refusal(
                            "{{" + name + "}}: only paths to one value are understood, such as" + " $.items[0].id")));
        }
    }
}
