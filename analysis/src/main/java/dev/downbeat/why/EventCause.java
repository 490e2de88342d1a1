package dev.downbeat.why;

import java.util.List;

/**
 * Events that cover more of the slow requests' time than chance explains.
 *
 * @param kind the outermost kind of those that coincide
 * @param together the other kinds that coincide with it
 * @param events number of events that overlap slow requests
 * @param share share of the slow time they cover, from 0 to 1
 * @param shareLow lower end of the share's 95 % interval
 * @param shareHigh upper end of the interval
 * @param chance share that events at random times would cover, from 0 to 1
 * @param detail detail of the events that cover most; may be empty
 */
public record EventCause(
        EventKind kind,
        List<EventKind> together,
        int events,
        double share,
        double shareLow,
        double shareHigh,
        double chance,
        String detail) {
    public EventCause {
        together = List.copyOf(together);
    }
}
