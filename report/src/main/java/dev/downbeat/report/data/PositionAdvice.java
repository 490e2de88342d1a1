package dev.downbeat.report.data;

import dev.downbeat.exchange.ConnectionCounts;
import dev.downbeat.record.Part;
import dev.downbeat.stats.position.FirstRequestCost;
import dev.downbeat.stats.position.PositionFinding.Closes;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Recommendations from a report's numbers. */
public final class PositionAdvice {
    private PositionAdvice() {}

    public static List<String> of(PositionReport report) {
        List<String> advice = new ArrayList<>();
        Optional<FirstRequestCost> cost = report.cost().filter(known -> known.lowNanos() > 0);
        ConnectionCounts counts = report.result().connections();
        if (report.lives().isRule()) {
            int k = report.lives().usual();
            int early = Math.max(1, k * 7 / 8);
            advice.add(
                    report.closes().mostly() == Closes.Kind.OURS
                            ? "keep connections open longer: this client closes them after " + k + " requests"
                            : "open the replacement before request " + (k + 1) + " needs it: after " + early
                                    + " requests, beside the old connection, off the critical path");
        }
        if (cost.isPresent()) {
            advice.add("open connections before the first request and reuse them: a client created for each task pays "
                    + "every time");
            resumption(cost.get(), counts).ifPresent(advice::add);
        }
        if (report.lives().isRule()) {
            advice.add("a larger pool does not help: each of its connections ends after "
                    + report.lives().usual() + " requests too, so the same share of requests pays");
        }
        return advice;
    }

    private static Optional<String> resumption(FirstRequestCost cost, ConnectionCounts counts) {
        Map<Part, Long> parts = cost.partsNanos();
        long handshake = parts.getOrDefault(Part.HANDSHAKE, 0L);
        if (handshake <= 0) {
            return Optional.empty();
        }
        return Optional.of("resume TLS sessions, which shortens handshakes: here "
                + Numbers.count(counts.resumed()) + " of " + Numbers.count(counts.opened())
                + " connections resumed one; a client has nothing to resume on its first");
    }
}
