package dev.downbeat.http.requests.file;

import dev.downbeat.http.requests.check.Capture;
import dev.downbeat.http.requests.check.Expectation;
import dev.downbeat.run.ThinkTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The directives of a request.
 *
 * @param weight relative frequency in a mix; at least 1
 * @param expectations checks on its response; empty if the status decides
 * @param captures values captured from its response for later requests of a session
 * @param think pause of a session before it; empty for the default
 */
public record Directives(
        long weight, List<Expectation> expectations, List<Capture> captures, Optional<ThinkTime> think) {
    /** No directives. */
    public static final Directives NONE = new Directives(1, List.of(), List.of(), Optional.empty());

    static final long MOST_WEIGHT = 1_000_000;

    public Directives {
        expectations = List.copyOf(expectations);
        captures = List.copyOf(captures);
    }

    Directives weight(long other) {
        return new Directives(other, expectations, captures, think);
    }

    Directives think(ThinkTime other) {
        return new Directives(weight, expectations, captures, Optional.of(other));
    }

    /** A copy with another expectation. */
    public Directives and(Expectation more) {
        List<Expectation> all = new ArrayList<>(expectations);
        all.add(more);
        return new Directives(weight, all, captures, think);
    }

    Directives and(Capture more) {
        List<Capture> all = new ArrayList<>(captures);
        all.add(more);
        return new Directives(weight, expectations, all, think);
    }
}
