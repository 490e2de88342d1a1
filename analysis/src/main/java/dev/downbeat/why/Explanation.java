package dev.downbeat.why;

import dev.downbeat.event.Incident;
import dev.downbeat.stats.Percentiles;
import java.util.List;

/**
 * What slow requests waited for, as far as the events of the service tell.
 *
 * @param subject which slow requests
 * @param fromNanos response time from which requests count as slow
 * @param requests how many slow requests were looked at
 * @param causes the largest share first; disjoint, so that the shares and {@code unexplained} add up to 1
 * @param unexplained how much of the slow time no cause covers, from 0 to 1
 * @param notes why less could be said than a reader expects, one line each
 */
public record Explanation(
        Subject subject, long fromNanos, long requests, List<Cause> causes, double unexplained, List<String> notes) {
    /** Which slow requests of a run. */
    public sealed interface Subject {
        /** What they are called: {@code p99}, {@code p99 outside the incidents}, or the words of an incident. */
        String name();
    }

    /** All beyond a percentile. */
    public record Tail(double percentile) implements Subject {
        @Override
        public String name() {
            return Percentiles.name(percentile);
        }
    }

    /** Those beyond a percentile that no incident hit: what one large incident would hide. */
    public record Rest(double percentile) implements Subject {
        @Override
        public String name() {
            return Percentiles.name(percentile) + " outside the incidents";
        }
    }

    /** Those that an incident hit. */
    public record During(Incident incident) implements Subject {
        @Override
        public String name() {
            return incident.text();
        }
    }

    public Explanation {
        causes = List.copyOf(causes);
        notes = List.copyOf(notes);
    }
}
