package dev.downbeat.gatling.report;

import dev.downbeat.analysis.Analysis;
import dev.downbeat.analysis.Wishes;
import dev.downbeat.gatling.settings.Settings;
import dev.downbeat.record.Recording;
import dev.downbeat.run.RunResult;
import dev.downbeat.verdict.AskedObjective;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Judges a run, in total and per request and group, against the configured objectives. */
public final class Judgement {
    private Judgement() {}

    /** The analysed run; an objective for a name without requests is missed. */
    public static Analysis of(RunResult result, Wishes wishes) {
        Set<String> names = result.recording().byName().keySet();
        List<AskedObjective> each = new ArrayList<>();
        wishes.objectives()
                .forEach(slo ->
                        each.addAll(slo instanceof AskedObjective.Named named ? ofNames(named, names) : List.of(slo)));
        return Analysis.of(result, new Wishes(each, wishes.rigour(), wishes.acceptUndecided()));
    }

    private static List<AskedObjective> ofNames(AskedObjective.Named wish, Set<String> names) {
        List<AskedObjective> found = new ArrayList<>();
        for (String name : names) {
            boolean isMeant = wish.name().equals(Settings.EVERY)
                    ? !name.startsWith(Recording.GROUP)
                    : name.equals(wish.name()) || name.equals(Recording.GROUP + wish.name());
            if (isMeant) {
                found.add(new AskedObjective.Named(name, wish.slo()));
            }
        }
        return found.isEmpty() ? List.of(wish) : found;
    }
}
