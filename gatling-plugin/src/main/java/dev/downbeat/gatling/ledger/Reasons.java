package dev.downbeat.gatling.ledger;

import dev.downbeat.exchange.Outcome;
import java.util.ArrayList;
import java.util.List;

/** Why requests failed. Not thread-safe. */
final class Reasons {
    private static final int MOST = 100;

    private final List<Outcome> outcomes = new ArrayList<>();

    /** As Gatling and our own transports say it. */
    static boolean couldNotConnect(String reason) {
        return reason.contains("ConnectException")
                || reason.contains("ConnectTimeoutException")
                || reason.contains("Too many open files") // of ours: nobody was asked
                || reason.startsWith("connection refused")
                || reason.startsWith("connect timed out");
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
        Outcome first = Outcome.failed(outcomes.size() == MOST - 1 ? "other reasons" : reason);
        outcomes.add(first);
        return first;
    }
}
