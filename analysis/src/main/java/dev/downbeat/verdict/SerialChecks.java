package dev.downbeat.verdict;

import dev.downbeat.exchange.Exchange;
import dev.downbeat.exchange.Fate;
import dev.downbeat.run.SerialResult;
import dev.downbeat.selfcheck.GeneratorHealth;
import dev.downbeat.verdict.caveat.Caveat;
import dev.downbeat.verdict.caveat.Caveat.OwnDelay;
import dev.downbeat.verdict.caveat.RunDefect;
import java.util.ArrayList;
import java.util.List;

/** Checks serial runs for effects of Downbeat itself. Stateless. */
public final class SerialChecks {
    private SerialChecks() {}

    /** The reasons, most important first; empty if there are none. */
    public static List<Caveat> of(SerialResult result) {
        List<Caveat> found = new ArrayList<>();
        List<Exchange> all = result.runs().stream().flatMap(List::stream).toList();
        if (all.stream().noneMatch(exchange -> exchange.outcome.fate() == Fate.ANSWERED)) {
            found.add(new RunDefect.Broken(nothing(result, all.size()), 0));
        }
        RunDefect.UnaskedLines.of(result.counts()).ifPresent(found::add);
        GeneratorHealth health = result.health();
        OwnDelay.OftenLate often = new OwnDelay.OftenLate(health.hiccupNanos(), health.wallNanos());
        if (often.isDoubt()) {
            found.add(often);
        }
        if (health.largestHiccupNanos() >= OwnDelay.HiccupDuringRun.NOTEWORTHY_NANOS) {
            found.add(new OwnDelay.HiccupDuringRun(
                    health.largestHiccupNanos(), health.largestHiccupAtNanos(), longestNanos(result)));
        }
        return found;
    }

    private static String nothing(SerialResult result, long sent) {
        String reasons = String.join(", ", result.failures().keySet());
        return sent == 0
                ? "no run was completed"
                : "no request was answered" + (reasons.isEmpty() ? "" : ": " + reasons);
    }

    private static long longestNanos(SerialResult result) {
        return result.runs().stream()
                .flatMap(List::stream)
                .mapToLong(Exchange::serviceNanos)
                .max()
                .orElse(0);
    }
}
