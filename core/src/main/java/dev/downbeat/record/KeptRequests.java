package dev.downbeat.record;

import java.util.List;

/**
 * Requests of a run that were kept in full: the slowest, and as controls a sample of all, each as likely as any other.
 *
 * @param slowest the slowest first; at most {@link #MOST}
 * @param controls in the order of their intended times; at most {@link #MOST}
 */
public record KeptRequests(List<KeptRequest> slowest, List<KeptRequest> controls) {
    /** How many are kept of each at most. */
    public static final int MOST = 10_000;

    /** None were kept. */
    public static final KeptRequests NONE = new KeptRequests(List.of(), List.of());

    /** Copies the lists. */
    public KeptRequests {
        slowest = List.copyOf(slowest);
        controls = List.copyOf(controls);
    }
}
