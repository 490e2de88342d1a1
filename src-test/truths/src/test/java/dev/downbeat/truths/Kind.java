package dev.downbeat.truths;

/** What a headline reports: the kinds of findings, most important first, then the outcomes of comparisons. */
enum Kind {
    NOTHING_MEASURED,
    RECORD_BROKEN,
    NOTHING_ANSWERED,
    NOT_OFFERED,
    OVERLOADED,
    FAILING,
    UNREACHABLE,
    GAVE_UP,
    OWN_DELAY,
    STALLED,
    SLOW,
    SLOW_LOOKUP,
    OWN_PAUSE,
    CHANGED,
    MISSED,
    UNDECIDED,
    MET,
    /** No objective and no event: the headline gives only the response times. */
    MEASURED,
    KEEPS_UP,
    FASTER,
    SLOWER,
    MIXED,
    FAILS_MORE,
    STALLS_MORE,
    SAME,
    CANNOT_TELL,
    NOT_COMPARABLE
}
