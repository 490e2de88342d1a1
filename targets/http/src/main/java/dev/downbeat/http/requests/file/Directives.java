package dev.downbeat.http.requests.file;

import dev.downbeat.http.requests.check.Capture;
import dev.downbeat.http.requests.check.Expectation;
import dev.downbeat.run.ThinkTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What is said of a request beside what is sent.
 *
 * @param weight how often it comes in a mix, beside the weights of the others; at least 1
 * @param expectations what its response must be; none if its status decides as usual
 * @param captures what later requests of a session take from its response
 * @param think how long a session pauses before it; empty for what is usual
 */
public record Directives(
        long weight, List<Expectation> expectations, List<Capture> captures, Optional<ThinkTime> think) {
    /** Nothing is said. */
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

    /** The same with another expectation. */
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
