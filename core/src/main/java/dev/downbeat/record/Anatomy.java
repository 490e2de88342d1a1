package dev.downbeat.record;

import java.util.List;

/**
 * The composition of answered requests. It is the bulk of a recording and is kept only for whole runs.
 *
 * @param byPosition service times by position on the connection
 * @param attribution the components of response times
 * @param exemplars a few complete requests per doubling of the response time, slowest first
 */
public record Anatomy(ByPosition byPosition, Attribution attribution, List<Exemplar> exemplars) {
    /** No data. */
    public static final Anatomy NONE = new Anatomy(ByPosition.empty(), Attribution.empty(), List.of());

    public Anatomy {
        exemplars = List.copyOf(exemplars);
    }

    /** The data of both. */
    public Anatomy plus(Anatomy other) {
        if (this == NONE && other == NONE) {
            return NONE; // as for each name
        }
        return new Anatomy(
                byPosition.plus(other.byPosition),
                attribution.plus(other.attribution),
                Exemplars.slowest(exemplars, other.exemplars));
    }
}
