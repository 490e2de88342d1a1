package dev.downbeat.gatling.report;

import dev.downbeat.analysis.Analysis;
import dev.downbeat.analysis.Wishes;
import dev.downbeat.gatling.ledger.RequestCourse;
import dev.downbeat.gatling.settings.Settings;
import dev.downbeat.run.RunResult;
import dev.downbeat.verdict.Slo;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** What follows from a run, about the whole and about each of its requests and groups, by what was asked of any of them. */
public final class Judgement {
    private Judgement() {}

    /** The analysed run; an objective of a name that no request or group had is missed. */
    public static Analysis of(RunResult result, Wishes wishes) {
        Set<String> names = result.recording().byName().keySet();
        List<Slo> each = new ArrayList<>();
        wishes.objectives()
                .forEach(slo -> each.addAll(slo instanceof Slo.Named named ? ofNames(named, names) : List.of(slo)));
        return Analysis.of(result, new Wishes(each, wishes.rigour(), wishes.acceptUndecided()));
    }

    private static List<Slo> ofNames(Slo.Named wish, Set<String> names) {
        List<Slo> found = new ArrayList<>();
        for (String name : names) {
            boolean isMeant = wish.name().equals(Settings.EVERY)
                    ? !name.startsWith(RequestCourse.GROUP)
                    : name.equals(wish.name()) || name.equals(RequestCourse.GROUP + wish.name());
            if (isMeant) {
                found.add(new Slo.Named(name, wish.slo()));
            }
        }
        return found.isEmpty() ? List.of(wish) : found;
    }
}
