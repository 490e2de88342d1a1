package dev.downbeat.event;

import dev.downbeat.event.Overloads.Overload;
import dev.downbeat.run.RunResult;
import java.util.List;

/** The events of all requests of a run, of which no delay is Downbeat's own. */
public final class RunEvents {
    private RunEvents() {}

    public static List<Incident> incidents(RunResult result) {
        List<Overload> overloads = overloads(result);
        return Incidents.of(result, new ExplainedGaps(result), overloads, overloads);
    }

    public static List<Overload> overloads(RunResult result) {
        return Overloads.of(result, new ExplainedGaps(result));
    }
}
