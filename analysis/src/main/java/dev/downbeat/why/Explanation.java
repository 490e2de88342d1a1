package dev.downbeat.why;

import java.util.List;

/**
 * What slow requests waited for, as far as the events of the service tell.
 *
 * @param beyond what was explained: "p99", or the words of an incident
 * @param fromNanos response time from which requests count as slow
 * @param requests how many slow requests were looked at
 * @param causes the largest share first; disjoint, so that the shares and {@code unexplained} add up to 1
 * @param unexplained how much of the slow time no cause covers, from 0 to 1
 * @param notes why less could be said than a reader expects, one line each
 */
public record Explanation(
        String beyond, long fromNanos, long requests, List<Cause> causes, double unexplained, List<String> notes) {
    public Explanation {
        causes = List.copyOf(causes);
        notes = List.copyOf(notes);
    }
}
