package dev.downbeat.gatling.ledger;

import dev.downbeat.exchange.Outcome;
import dev.downbeat.exchange.OwnLimit;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.regex.Pattern;
import scala.Option;

/** Failure reasons: Gatling's messages without their variable parts. Not thread-safe. */
public final class FailureReasons {
    private static final int MOST = 100;
    private static final int LONGEST = 100;
    private static final Pattern ERROR_STATUS = Pattern.compile("[4-9]\\d\\d");
    private static final String STATUS_CHECK = "status.find";
    private static final Pattern DIFFERENT = Pattern.compile(":\\d+|@[0-9a-f]+");

    private final List<Outcome> outcomes = new ArrayList<>();
    private final Function<String, Outcome> kind;

    private FailureReasons(Function<String, Outcome> kind) {
        this.kind = kind;
    }

    /** Of requests without a response, some of which a limit of this process kept from being sent. */
    static FailureReasons ofSent() {
        return new FailureReasons(
                reason -> OwnLimit.in(reason).isPresent() ? Outcome.ownLimit(reason) : Outcome.failed(reason));
    }

    static FailureReasons ofResponses() {
        return new FailureReasons(Outcome::failedResponse);
    }

    static FailureReasons ofUnbuilt() {
        return new FailureReasons(Outcome::unbuilt);
    }

    /** The reason of a request that could not be built. */
    public static String unbuilt(String why) {
        return "request not built: " + why;
    }

    public static String of(Option<String> code, Option<String> message) {
        String text = message.isDefined() ? message.get() : "";
        // another check may fail of a response whose status is the expected one
        boolean isOfStatus = text.isEmpty() || text.startsWith(STATUS_CHECK);
        if (isOfStatus && code.isDefined() && ERROR_STATUS.matcher(code.get()).matches()) {
            return "HTTP " + code.get();
        }
        if (text.isEmpty()) {
            return "failed";
        }
        String same = DIFFERENT.matcher(text).replaceAll("");
        return same.length() <= LONGEST ? same : same.substring(0, LONGEST);
    }

    /** The wording of Gatling and of Downbeat's own transports, which describe errors in text only. */
    static boolean couldNotConnect(IntendedRequest intent, String reason) {
        return !intent.hasResponse() // whose text is that of a check
                && (reason.contains("ConnectException")
                        || reason.contains("ConnectTimeoutException")
                        || reason.startsWith("connection refused")
                        || reason.startsWith("connect timed out")
                        || OwnLimit.in(reason).isPresent());
    }

    /** Reasons should be few; after the first hundred, further ones are merged. */
    Outcome outcome(String reason) {
        for (Outcome known : outcomes) {
            if (known.reason().equals(reason)) {
                return known;
            }
        }
        if (outcomes.size() >= MOST) {
            return outcomes.get(MOST - 1);
        }
        Outcome first = kind.apply(outcomes.size() == MOST - 1 ? "other reasons" : reason);
        outcomes.add(first);
        return first;
    }
}
