package dev.downbeat.http.requests.file;

import dev.downbeat.http.requests.check.Capture;
import dev.downbeat.http.requests.check.Expectation;
import dev.downbeat.http.requests.value.SourcePosition;
import dev.downbeat.run.ThinkTime;
import dev.downbeat.time.DurationText;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A directive in a comment: {@code # @weight 3}.
 *
 * @param name in lower case
 */
record Directive(String name, String value) {
    /** Directives for editors only, which do not affect what is sent. */
    private static final Set<String> EDITOR_DIRECTIVES =
            Set.of(("note no-log no-redirect no-cookie-jar no-auto-encoding no-response-view noresponseview "
                            + "no-reject-unauthorized norejectunauthorized title description debug verbose tag timeout "
                            + "connection-timeout keepstreaming use-os-credentials save openwith extension loglevel "
                            + "no-client-cert jwt hint proxy ratelimit responseref")
                    .split(" "));

    private static final Set<String> NOT_DONE =
            Set.of("ref forceref import loop sleep grpc ws mqtt eventsource injectvariables prompt".split(" "));
    private static final Pattern SHAPE = Pattern.compile("@([\\w-]+)(?:\\s*=\\s*|\\s+)?(.*)");
    private static final String ACCEPTED =
            "@name, @weight N, @expect STATUS, @capture NAME = json /pointer, @think TIME";

    static Directive parse(String comment) {
        Matcher shape = SHAPE.matcher(comment);
        return shape.matches()
                ? new Directive(
                        shape.group(1).toLowerCase(Locale.ROOT), shape.group(2).strip())
                : new Directive("note", comment);
    }

    /** The directives of a request, with this one added. */
    Directives addTo(Directives others, SourcePosition spot) {
        try {
            return switch (name) {
                case "weight" -> others.weight(weight());
                case "expect" -> others.and(Expectation.parse(value));
                case "capture" -> others.and(Capture.parse(value));
                case "think" -> others.think(think());
                default -> otherwise(others);
            };
        } catch (IllegalArgumentException refused) {
            throw spot.refusal("@" + name + ": " + refused.getMessage());
        }
    }

    private Directives otherwise(Directives others) {
        if (NOT_DONE.contains(name)) {
            throw new IllegalArgumentException(
                    name.equals("prompt")
                            ? "nobody is asked during a run: give the value by --var, and leave the line out"
                            : name.equals("sleep")
                                    ? "not supported: write '# @think 1s' for a pause of a session"
                                    : "not supported (accepted: " + ACCEPTED + ")");
        }
        if (!EDITOR_DIRECTIVES.contains(name)) {
            throw new IllegalArgumentException("unknown directive (accepted: " + ACCEPTED + ")");
        }
        return others;
    }

    private long weight() {
        if (!value.matches("[0-9]{1,7}")
                || Long.parseLong(value) < 1
                || Long.parseLong(value) > Directives.MOST_WEIGHT) {
            throw new IllegalArgumentException("a weight must be a whole number from 1 to " + Directives.MOST_WEIGHT
                    + ", but was " + SourcePosition.found(value));
        }
        return Long.parseLong(value);
    }

    private ThinkTime think() {
        return new ThinkTime.Constant(DurationText.parseNanos(value));
    }
}
