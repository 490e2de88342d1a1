package dev.downbeat.report.data;

import dev.downbeat.run.RunResult;
import dev.downbeat.run.Workload;

/** The names of a run's clocks, which depend on who observed its requests: their sender, a service or a consumer. */
public enum ClockLabels {
    /** For requests that the measuring client sent. */
    SENT(
            "callers waited",
            "server took",
            "closed-loop tools",
            "request",
            "was meant to start",
            "it was sent",
            "sending"),
    /** For requests that the service itself recorded. */
    RECEIVED(
            "callers waited",
            "service took",
            "service times",
            "request",
            "arrived",
            "work on it began",
            "the start of work"),
    /** For messages that the consumer of a queue recorded. */
    MESSAGES(
            "since written",
            "consumer took",
            "service times",
            "message",
            "was written",
            "the consumer took it",
            "being taken");

    private final String waited;
    private final String took;
    private final String hidesFrom;
    private final String noun;
    private final String started;
    private final String taken;
    private final String beginning;

    ClockLabels(
            String waited, String took, String hidesFrom, String noun, String started, String taken, String beginning) {
        this.waited = waited;
        this.took = took;
        this.hidesFrom = hidesFrom;
        this.noun = noun;
        this.started = started;
        this.taken = taken;
        this.beginning = beginning;
    }

    public static ClockLabels of(RunResult result) {
        if (!(result.plan().workload() instanceof Workload.External external) || !external.isIncoming()) {
            return SENT;
        }
        return external.isOfQueue() ? MESSAGES : RECEIVED;
    }

    /** Whether the requests came in from outside: Downbeat sent none, and its pauses are those of the service. */
    public boolean isIncoming() {
        return this != SENT;
    }

    /** The head of the response times. */
    public String waited() {
        return waited;
    }

    /** The head of the service times. */
    public String took() {
        return took;
    }

    /** The head of the ratio of the two. */
    public String hidden() {
        return "hidden from " + hidesFrom;
    }

    /** "Every request, by when it was meant to start". */
    public String every() {
        return "Every " + noun + ", by when it " + started;
    }

    /** "time at which the request was meant to start". */
    public String axis() {
        return "time at which the " + noun + " " + started;
    }

    public String noun() {
        return noun;
    }

    /** "was meant to start". */
    public String started() {
        return started;
    }

    /** "when a request was meant to start". */
    public String start() {
        return "when a " + noun + " " + started;
    }

    /** "when it was sent". */
    public String taken() {
        return "when " + taken;
    }

    /** What a service time begins with: "sending". */
    public String beginning() {
        return beginning;
    }

    public String corrected() {
        return "Response times count from " + start() + ". They are already corrected for coordinated omission: do not"
                + " correct them again.";
    }

    public String uncorrected() {
        return "Service times count from " + taken() + ", "
                + (isIncoming() ? "excluding any wait before that." : "as " + hidesFrom + " would report them.");
    }

    public String legend() {
        return "\"" + waited + "\" counts from " + start() + " (response time), \"" + took + "\" from " + taken()
                + " (service time)";
    }
}
