package dev.downbeat.compare;

import dev.downbeat.arrival.ArrivalProcess;
import dev.downbeat.arrival.Constant;
import dev.downbeat.arrival.Poisson;
import dev.downbeat.run.ThinkTime;
import dev.downbeat.run.Workload;
import java.util.Map;
import java.util.TreeMap;

/**
 * Properties that two loads of one kind must share besides their rates, whichever tool asked for them. Unknown
 * properties count as equal. Immutable.
 *
 * @param facts by name, without blanks
 */
public record AskedLoad(Map<String, String> facts) {
    /** A load of which nothing is known. */
    public static final AskedLoad UNKNOWN = new AskedLoad(Map.of());

    public AskedLoad {
        facts = Map.copyOf(facts);
    }

    /** The load of a plan. */
    public static AskedLoad of(Workload workload) {
        Map<String, String> facts = new TreeMap<>();
        if (workload instanceof Workload.Open open) {
            facts.put("arrivals", law(open.arrivals()));
        } else if (workload instanceof Workload.PartlyOpen sessions) {
            facts.put("arrivals", law(sessions.sessions()));
            facts.put("session_requests", Integer.toString(sessions.requests()));
            facts.put("think", think(sessions.think()));
        } else if (workload instanceof Workload.Closed closed) {
            facts.put("think", think(closed.think()));
        }
        if (workload.waitingClients() > 0) {
            facts.put("virtual_users", Integer.toString(workload.waitingClients()));
        }
        return new AskedLoad(facts);
    }

    private static String law(ArrivalProcess arrivals) {
        return arrivals instanceof Poisson
                ? "random"
                : arrivals instanceof Constant ? "even" : arrivals.isSteady() ? "steady" : "varying";
    }

    private static String think(ThinkTime think) {
        return think.meanNanos() == 0 ? "none" : Math.round(think.meanNanos() / 1e3) + "us";
    }

    /** In one line: {@code think=none virtual_users=4}; empty if nothing is known. */
    public String text() {
        return Host.text(facts);
    }

    /** "virtual users 8, not 4"; empty if all properties known of both are equal. */
    String differenceTo(AskedLoad other) {
        return Host.difference(facts, other.facts).replace('_', ' ');
    }
}
