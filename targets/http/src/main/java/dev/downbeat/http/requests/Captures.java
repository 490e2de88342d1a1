package dev.downbeat.http.requests;

import dev.downbeat.exchange.Outcome;
import dev.downbeat.http.requests.check.Capture;
import dev.downbeat.http.requests.check.JsonPointer;
import dev.downbeat.http.requests.file.RequestText;
import dev.downbeat.http.requests.value.SessionState;
import dev.downbeat.http.requests.value.SourcePosition;
import dev.downbeat.http.requests.value.Value;
import dev.downbeat.http.requests.value.Variables;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The variables that a set's sessions capture, and from which responses. They come from directives, or from references
 * as in the REST Client, {@code {{login.response.body.$.token}}}. Grows while requests are read.
 */
final class Captures implements Variables.Captured {
    private static final Pattern OF_REQUEST =
            Pattern.compile("([\\w-]+)\\.response\\.(body|headers)\\.(.+)", Pattern.DOTALL);

    private final List<String> requestNames;
    private final Map<String, Integer> places = new LinkedHashMap<>();
    private final List<List<Planned>> byRequest = new ArrayList<>();

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
            request.directives().captures().forEach(capture -> own.add(planned(capture)));
        }
    }

    private Planned planned(Capture capture) {
        int place = places.computeIfAbsent(capture.name(), name -> places.size());
        return new Planned(capture, place, Outcome.failed("capture failed: " + capture.name()));
    }

    /** The number of variables per session. */
    int variables() {
        return places.size();
    }

    /** The captures from the response to a request. */
    List<Planned> of(int request) {
        return List.copyOf(byRequest.get(request));
    }

    @Override
    public Optional<Value> find(String name, SourcePosition spot) {
        if (!places.containsKey(name)) {
            Matcher shape = OF_REQUEST.matcher(name);
            int request = shape.matches() ? requestNames.indexOf(shape.group(1)) : -1;
            if (request < 0) {
                return Optional.empty();
            }
            byRequest.get(request).add(planned(new Capture(name, from(shape.group(2), shape.group(3), name, spot))));
        }
        int place = places.getOrDefault(name, 0);
        Outcome missing = Outcome.failed("not sent: {{" + name + "}} was not captured");
        return Optional.of((draw, into) -> {
            SessionState known = draw.known();
            byte[] value = known == null ? null : known.captured(place);
            if (value == null) {
                return missing;
            }
            into.append(value);
            return null;
        });
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
