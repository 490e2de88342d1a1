package dev.downbeat.gatling.report;

import dev.downbeat.analysis.Analysis;
import dev.downbeat.analysis.Criteria;
import dev.downbeat.exchange.Redaction;
import dev.downbeat.exchange.SafeText;
import dev.downbeat.gatling.settings.Settings;
import dev.downbeat.record.Recording;
import dev.downbeat.run.RunResult;
import dev.downbeat.verdict.ServiceLevelObjective;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Judges a run, in total and per request and group, against the configured objectives. */
public final class Judgement {
    private Judgement() {}

    /**
     * The analysed run, judged by the defaults too; an objective for a name without requests is missed. One that is asked
     * for both a name and every request is judged once.
     */
    public static Analysis of(RunResult result, Criteria criteria) {
        Set<String> names = result.recording().byName().keySet();
        List<ServiceLevelObjective> each = new ArrayList<>();
        ServiceLevelObjective.withDefaults(criteria.objectives())
                .forEach(slo -> each.addAll(
                        slo instanceof ServiceLevelObjective.Named named ? ofNames(named, names) : List.of(slo)));
        return Analysis.of(
                result, new Criteria(each.stream().distinct().toList(), criteria.rigour(), criteria.acceptUndecided()));
    }

    private static List<ServiceLevelObjective> ofNames(ServiceLevelObjective.Named wish, Set<String> names) {
        String shown = SafeText.line(Redaction.line(wish.name())); // as the names of requests are recorded
        List<ServiceLevelObjective> found = new ArrayList<>();
        for (String name : names) {
            boolean matches = wish.name().equals(Settings.EVERY)
                    ? !name.startsWith(Recording.GROUP)
                    : name.equals(shown) || name.equals(Recording.GROUP + shown);
            if (matches) {
                found.add(new ServiceLevelObjective.Named(name, wish.slo()));
            }
        }
        return found.isEmpty() ? List.of(new ServiceLevelObjective.Named(shown, wish.slo())) : found;
    }
}
