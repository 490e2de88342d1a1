package dev.downbeat.why;

import dev.downbeat.event.Incident;
import dev.downbeat.stats.Percentiles;
import java.util.List;

/**
 * The causes of slow requests, as far as the service's events show them.
 *
 * @param subject the requests to explain
 * @param fromNanos response time from which requests count as slow
 * @param requests number of slow requests examined
 * @param causes largest share first; disjoint, so that the shares and {@code unexplained} add up to 1
 * @param unexplained share of the slow time that no cause covers, from 0 to 1
 * @param notes limitations of the explanation, one line each
 */
public record Explanation(
        Subject subject,
        long fromNanos,
        long requests,
        List<EventCause> causes,
        double unexplained,
        List<String> notes) {
    /** A set of slow requests of a run. */
    public sealed interface Subject {
        /** Its name: {@code p99}, {@code p99 outside the incidents}, or an incident's words. */
        String name();

        /** The whole of which causes explain a share: {@code the time beyond p99}. */
        default String time() {
            return "the time beyond " + name();
        }
    }

    /** All requests beyond a percentile. */
    public record Tail(double percentile) implements Subject {
        @Override
        public String name() {
            return Percentiles.name(percentile);
        }
    }

    /** The requests beyond a percentile that no incident affected, which a large incident would hide. */
    public record Rest(double percentile) implements Subject {
        @Override
        public String name() {
            return Percentiles.name(percentile) + " outside the incidents";
        }
    }

    /** The requests affected by an incident. */
    public record During(Incident incident) implements Subject {
        @Override
        public String name() {
            return incident.text();
        }

        @Override
        public String time() {
            return "the time of the incident " + incident.begin();
        }
    }

    public Explanation {
        causes = List.copyOf(causes);
        notes = List.copyOf(notes);
    }
}
