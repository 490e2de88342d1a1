package dev.downbeat.why;

import java.util.List;

/**
 * Events that cover more of the slow requests' time than chance explains.
 *
 * @param kind the outermost of those that happened together
 * @param together the kinds that coincide with it, without itself
 * @param events how many events overlapped slow requests
 * @param share how much of the slow time they cover, from 0 to 1
 * @param shareLow lower end of the 95 % interval of the share
 * @param shareHigh upper end
 * @param chance how much of it events at any other time would have covered, from 0 to 1
 * @param detail of the events that covered most; may be empty
 */
public record Cause(
        EventKind kind,
        List<EventKind> together,
        int events,
        double share,
        double shareLow,
        double shareHigh,
        double chance,
        String detail) {
    public Cause {
        together = List.copyOf(together);
    }
}
