package dev.downbeat.gatling.ledger;

import dev.downbeat.exchange.Outcome;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Why requests failed. Not thread-safe. */
final class Reasons {
    private static final int MOST = 100;

    /** How the system tells a process that it has reached a limit of its own, in lower case. */
    private static final List<String> OWN_LIMITS = List.of(
            "too many open files",
            "cannot assign requested address",
            "cannot allocate memory",
            "no buffer space available");

    private final List<Outcome> outcomes = new ArrayList<>();

    /** As Gatling and our own transports say it. */
    static boolean couldNotConnect(String reason) {
        return reason.contains("ConnectException")
                || reason.contains("ConnectTimeoutException")
                || reason.startsWith("connection refused")
                || reason.startsWith("connect timed out")
                || isOwnLimit(reason);
    }

    private static boolean isOwnLimit(String reason) {
        String lower = reason.toLowerCase(Locale.ROOT);
        return OWN_LIMITS.stream().anyMatch(lower::contains);
    }

    /** The reasons should be few: those beyond the first hundred are one. */
    Outcome outcome(String reason) {
        for (Outcome known : outcomes) {
            if (known.reason().equals(reason)) {
                return known;
            }
        }
        if (outcomes.size() >= MOST) {
            return outcomes.get(MOST - 1);
        }
        Outcome first = outcomes.size() == MOST - 1
                ? Outcome.failed("other reasons")
                : isOwnLimit(reason) ? Outcome.ownLimit(reason) : Outcome.failed(reason);
        outcomes.add(first);
        return first;
    }
}
