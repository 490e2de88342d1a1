package dev.downbeat.report.view.history;

import dev.downbeat.compare.History;
import dev.downbeat.compare.History.Found;
import dev.downbeat.report.data.Numbers;
import dev.downbeat.stats.Percentiles;
import dev.downbeat.stats.level.LevelChange;
import dev.downbeat.stats.level.LevelChanges;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/** A history in words, shared by all formats. */
record HistoryText(History history) {
    /** "p99 rose by 18 to 27 % at a1b2c3d, 12 builds ago"; simultaneous changes are combined. */
    String headline() {
        List<Found> changes = history.changes();
        if (history.series().isEmpty()) {
            int many = history.builds().size();
            return many < LevelChanges.LEAST_BUILDS
                    ? "No history yet: " + builds(many) + " to compare, of at least " + LevelChanges.LEAST_BUILDS + "."
                    : "No percentile can be judged in " + builds(many) + ".";
        }
        if (changes.isEmpty()) {
            return "No lasting change in " + builds(history.builds().size()) + ".";
        }
        Found newest = changes.get(0);
        List<String> parts = changes.stream()
                .filter(one -> isTogether(one.change(), newest.change()))
                .sorted(Comparator.comparingDouble(Found::percentile))
                .map(one -> Percentiles.name(one.percentile()) + " " + by(one.change()))
                .toList();
        return String.join(", ", parts) + " " + where(newest.change()) + ".";
    }

    /** Whether both changes may belong to one build. */
    private static boolean isTogether(LevelChange one, LevelChange other) {
        return one.isDrift() == other.isDrift()
                && (one.change() > 0) == (other.change() > 0)
                && one.earliest() <= other.latest()
                && other.earliest() <= one.latest();
    }

    private static String by(LevelChange change) {
        String verb = change.isDrift()
                ? change.change() > 0 ? "drifted up by " : "drifted down by "
                : change.change() > 0 ? "rose by " : "fell by ";
        return verb + range(change);
    }

    /** "18 to 27 %", for a decrease "15 to 21 %". */
    static String range(LevelChange change) {
        double one = Math.abs(change.low());
        double other = Math.abs(change.high());
        boolean isSure = change.low() > 0 == change.high() > 0;
        String low = isSure ? percent(Math.min(one, other)) : "0";
        return low + " to " + percent(Math.max(one, other)) + " %";
    }

    private static String percent(double share) {
        return String.format(Locale.ROOT, share < 0.0995 ? "%.1f" : "%,.0f", 100 * share);
    }

    private String where(LevelChange change) {
        String at = history.builds().get(change.at()).name();
        if (change.isDrift()) {
            return "from " + at + " to " + history.builds().get(change.until()).name() + ": no single build did it";
        }
        return "at " + at + ", " + ago(change.at());
    }

    /** "12 builds ago". */
    String ago(int build) {
        int ago = history.builds().size() - 1 - build;
        return ago == 0 ? "the newest build" : builds(ago) + " ago";
    }

    static String builds(int count) {
        return Numbers.count(count) + (count == 1 ? " build" : " builds");
    }

    /** "c1 to c3", if several builds may have caused a change. */
    String mayBe(LevelChange change) {
        if (change.isDrift() || change.earliest() == change.latest()) {
            return "";
        }
        return history.builds().get(change.earliest()).name() + " to "
                + history.builds().get(change.latest()).name();
    }

    /** The variation between builds, and the change that would be visible. */
    static String noise(History.OfPercentile one) {
        String wandering = one.levels().wanders()
                ? "the level wanders: builds are like those before them, and what looks like a change may come and go by itself; "
                : "";
        return wandering + "builds differ by " + percent(one.levels().noise())
                + " % though nothing changed (standard deviation; "
                + percent(one.levels().noiseWithin()) + " % within runs); a rise of "
                + percent(one.levels().visible(5)) + " % is found after 5 builds, of "
                + percent(one.levels().visible(2)) + " % after 2 (in about 80 % of cases)";
    }
}
