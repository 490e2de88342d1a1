package dev.downbeat.gatling.report;

import dev.downbeat.gatling.ledger.Requests;
import dev.downbeat.gatling.settings.Settings;
import dev.downbeat.gatling.settings.Wish;
import dev.downbeat.run.RunResult;
import dev.downbeat.verdict.Objective;
import dev.downbeat.verdict.Slo;
import dev.downbeat.verdict.Verdict;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What follows from a run: about the whole, and about each of its requests and groups. Immutable.
 *
 * @param verdict on the whole, whose answer about the service is no better than the worst of any request's
 * @param parts on each request and group, in their order
 * @param unknown wishes about names that no request had
 */
public record Judgement(Verdict verdict, Map<Requests, Verdict> parts, List<Wish> unknown) {
    public static Judgement of(RunResult result, List<Requests> requests, Settings settings) {
        Map<Requests, Verdict> parts = new LinkedHashMap<>();
        for (Requests each : requests) {
            List<Slo> asked = settings.wishes().stream()
                    .filter(wish -> wish.isOf(each))
                    .map(Wish::slo)
                    .toList();
            parts.put(each, Verdict.of(each.in(result), asked, settings.rigour()));
        }
        List<Wish> unknown = settings.wishes().stream()
                .filter(wish -> requests.stream().noneMatch(wish::isOf))
                .toList();
        Verdict whole = Verdict.of(result, settings.objectives(), settings.rigour());
        return new Judgement(whole.with(service(whole, parts, unknown), whole.objectives()), parts, unknown);
    }

    /** Missed if any was; a name that no request had leaves it open. */
    private static Verdict.Service service(Verdict whole, Map<Requests, Verdict> parts, List<Wish> unknown) {
        List<Verdict.Service> all = new ArrayList<>();
        all.add(whole.service());
        parts.values().forEach(part -> all.add(part.service()));
        if (!unknown.isEmpty()) {
            all.add(Verdict.Service.UNDECIDED);
        }
        for (Verdict.Service worst : List.of(Verdict.Service.MISSED, Verdict.Service.UNDECIDED, Verdict.Service.MET)) {
            if (all.contains(worst)) {
                return worst;
            }
        }
        return Verdict.Service.NONE;
    }

    /** The first of these missed: {@code p99<50ms of login}; empty if none was. */
    public List<String> missed() {
        List<String> missed = new ArrayList<>();
        for (Objective objective : verdict.objectives()) {
            if (objective.status() == Objective.Status.MISSED) {
                missed.add(objective.slo().text());
            }
        }
        parts.forEach((requests, part) -> part.objectives().stream()
                .filter(objective -> objective.status() == Objective.Status.MISSED)
                .forEach(objective -> missed.add(objective.slo().text() + " of " + requests.name())));
        return missed;
    }

    /** The objectives of one request or group in a cell: {@code missed p99<50ms}. */
    static Optional<String> words(Verdict part) {
        List<String> words = part.objectives().stream()
                .map(objective ->
                        objective.status().word() + " " + objective.slo().text())
                .toList();
        return words.isEmpty() ? Optional.empty() : Optional.of(String.join(", ", words));
    }
}
