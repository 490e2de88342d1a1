package dev.downbeat.record;

import java.util.List;

/**
 * What answered requests were made of. Only whole runs are asked for it, and it is most of the size of a recording.
 *
 * @param byPosition service times by position on the connection
 * @param attribution what response times were made of
 * @param exemplars a few requests in full for each doubling of the response time, slowest first
 */
public record Anatomy(ByPosition byPosition, Attribution attribution, List<Exemplar> exemplars) {
    /** Nothing looked at. */
    public static final Anatomy NONE = new Anatomy(ByPosition.empty(), Attribution.empty(), List.of());

    public Anatomy {
        exemplars = List.copyOf(exemplars);
    }

    /** What is known of either. */
    public Anatomy plus(Anatomy other) {
        if (this == NONE && other == NONE) {
            return NONE; // as of each name
        }
        return new Anatomy(
                byPosition.plus(other.byPosition),
                attribution.plus(other.attribution),
                Exemplars.slowest(exemplars, other.exemplars));
    }
}
