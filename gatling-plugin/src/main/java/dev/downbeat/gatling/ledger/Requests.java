package dev.downbeat.gatling.ledger;

import dev.downbeat.record.Interval;
import dev.downbeat.record.Recording;
import dev.downbeat.run.LaneCounts;
import dev.downbeat.run.RunResult;
import dev.downbeat.verdict.ResponseBounds;
import java.util.Comparator;
import java.util.List;

/**
 * The requests of one name, or of all in a group, over a run. Immutable.
 *
 * @param name after its groups: {@code group / request}
 * @param isGroup whether it is a group's, and the sum of those of its requests
 * @param intervals their course
 */
public record Requests(String name, boolean isGroup, List<Interval> intervals) {
    /** Between the names of groups and that of a request. */
    static final String BETWEEN = " / ";

    private static final int LONGEST = 60;

    /** A group stands before what is in it. */
    static final Comparator<Requests> IN_ORDER =
            Comparator.comparing(Requests::name).thenComparing(requests -> requests.isGroup() ? 0 : 1);

    public Requests {
        intervals = List.copyOf(intervals);
    }

    /** The name as that of a file: no two names have the same. */
    public String fileName() {
        String plain = name.replaceAll("[^A-Za-z0-9_.-]+", "-");
        String told = plain.length() > LONGEST ? plain.substring(0, LONGEST) : plain;
        String same = told.equals(name) ? "" : "-" + Integer.toHexString(name.hashCode());
        return told + same + (isGroup ? "-group" : "");
    }

    /** All of them. */
    public Recording recording() {
        return intervals.stream().map(Interval::recording).reduce(Recording.empty(), Recording::plus);
    }

    /** Of the answered, and of those without an end with what they had lasted. */
    ResponseBounds bounds() {
        return ResponseBounds.of(recording());
    }

    /** The run as if there had been no others. */
    public RunResult in(RunResult whole) {
        String what = whole.target() + ", " + (isGroup ? "group " : "request ") + name;
        return new RunResult(whole.plan(), what, whole.span(), recording(), intervals, LaneCounts.NONE, whole.health())
                .with(whole.interruptions());
    }
}
