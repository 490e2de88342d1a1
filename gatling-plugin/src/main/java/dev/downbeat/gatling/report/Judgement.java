package dev.downbeat.gatling.report;

import dev.downbeat.gatling.ledger.Course;
import dev.downbeat.gatling.settings.Settings;
import dev.downbeat.run.RunResult;
import dev.downbeat.verdict.Rigour;
import dev.downbeat.verdict.Slo;
import dev.downbeat.verdict.Verdict;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** What follows from a run, about the whole and about each of its requests and groups, by what was asked of any of them. */
public final class Judgement {
    private Judgement() {}

    /** The verdict; an objective of a name that no request or group had is undecided. */
    public static Verdict of(RunResult result, List<Slo> asked, Rigour rigour) {
        Set<String> names = result.recording().byName().keySet();
        List<Slo> each = new ArrayList<>();
        asked.forEach(slo -> each.addAll(slo instanceof Slo.Named named ? ofNames(named, names) : List.of(slo)));
        return Verdict.of(result, each, rigour);
    }

    private static List<Slo> ofNames(Slo.Named wish, Set<String> names) {
        List<Slo> found = new ArrayList<>();
        for (String name : names) {
            boolean isMeant = wish.name().equals(Settings.EVERY)
                    ? !name.startsWith(Course.GROUP)
                    : name.equals(wish.name()) || name.equals(Course.GROUP + wish.name());
            if (isMeant) {
                found.add(new Slo.Named(name, wish.slo()));
            }
        }
        return found.isEmpty() ? List.of(wish) : found;
    }
}
