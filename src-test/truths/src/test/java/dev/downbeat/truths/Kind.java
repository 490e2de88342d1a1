package dev.downbeat.truths;

/** What a first line says happened: the kinds of findings, the weightiest first, and what only a comparison says. */
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
    OWN_PAUSE,
    CHANGED,
    MISSED,
    UNDECIDED,
    MET,
    /** Nothing was asked, and nothing happened: the times alone. */
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
