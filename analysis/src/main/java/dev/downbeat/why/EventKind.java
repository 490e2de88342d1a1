package dev.downbeat.why;

import java.util.Locale;

/**
 * What can happen to a service that keeps its requests waiting. The order is from the outermost to the innermost: of two that
 * happen together, the earlier one contains the other and is named first.
 */
public enum EventKind {
    /** The whole process was stopped, or its machine. */
    PROCESS_STOPPED("process stops", "process stop"),
    /** The container had used up its share of the processors. */
    THROTTLED("CPU throttling"),
    /** Runnable threads waited for a processor. */
    PROCESSOR_WAIT("waits for a processor", "wait for a processor"),
    /** Memory was short: the kernel took pages back. */
    MEMORY_STALL("memory stalls", "memory stall"),
    /** Threads waited for a disk or another device. */
    IO_STALL("I/O stalls", "I/O stall"),
    /** Connections were dropped, since nobody accepted them. */
    LISTEN_OVERFLOW("overflows of the listen queue", "overflow of the listen queue"),
    /** Packets were sent again. */
    RETRANSMIT("retransmits", "retransmit"),
    /** A database wrote its changed pages back. */
    CHECKPOINT("checkpoints", "checkpoint"),
    /** Many sessions of a database were opened at once. */
    CONNECTION_STORM("connection storms", "connection storm"),
    /** A session of a database held a lock and did nothing, while others waited for it. */
    IDLE_IN_TRANSACTION("sessions idle in transaction", "session idle in transaction"),
    /** Sessions of a database waited for a lock of another. */
    DATABASE_LOCK("database lock waits", "database lock wait"),
    /** A database cleaned up tables. */
    AUTOVACUUM("autovacuum runs", "autovacuum run"),
    /** Many sessions of a database waited for the same: shown, and no cause, since slow requests are such sessions. */
    WAITING_SESSIONS("crowds of waiting sessions", "crowd of waiting sessions"),
    /** Many sessions of an application were active in a database: likewise. */
    BUSY_SESSIONS("crowds of active sessions", "crowd of active sessions"),
    /** All of the heap was collected while the program stood. */
    FULL_COLLECTION("full collections", "full collection"),
    /** The program stood for a collection of garbage. */
    COLLECTION_PAUSE("collection pauses", "collection pause"),
    /** Threads waited for memory that the collector had not freed yet. */
    ALLOCATION_STALL("allocation stalls", "allocation stall"),
    /** All threads of the program stood for another reason than garbage. */
    SAFEPOINT("safepoints", "safepoint"),
    /** Threads waited for a lock. */
    LOCK_WAIT("lock waits", "lock wait"),
    /** Threads were parked, such as for a place in a pool. */
    PARKED("spells of parked threads", "spell of parked threads"),
    /** Virtual threads held the thread that carries them. */
    PINNED("spells of pinned threads", "spell of pinned threads"),
    /** Threads slept or waited to be notified. */
    WAITED("waits", "wait"),
    /** Threads waited for what another service sends. */
    SOCKET_READ("socket reads", "socket read"),
    /** Threads waited for a file. */
    FILE_WRITE("file writes", "file write"),
    /** Compiled code was thrown away or made. */
    COMPILATION("compilations", "compilation"),
    /** Classes were loaded. */
    CLASS_LOADING("class loading"),
    /** Many exceptions were thrown. */
    EXCEPTIONS("bursts of exceptions", "burst of exceptions"),
    /** A series that the user named was high. */
    SERIES("high series");

    private final String words;
    private final String one;

    /** Of what is not counted. */
    EventKind(String words) {
        this(words, "");
    }

    EventKind(String words, String one) {
        this.words = words;
        this.one = one;
    }

    /** Several of them, in a few words for a reader. */
    public String words() {
        return words;
    }

    /** So many of them: "1 lock wait", "3 lock waits"; what is not counted by its words alone: "CPU throttling". */
    public String counted(long count) {
        return one.isEmpty() ? words : String.format(Locale.ROOT, "%,d %s", count, count == 1 ? one : words);
    }

    /** One of them, uncounted: "lock wait". */
    public String single() {
        return one.isEmpty() ? words : one;
    }

    /** Whether so many of them are one thing to the grammar. */
    boolean isSingular(long count) {
        return one.isEmpty() || count == 1;
    }

    /** Whether it may explain why requests were slow: a symptom is shown only. */
    boolean isCause() {
        return this != WAITING_SESSIONS && this != BUSY_SESSIONS;
    }

    /** A stable name for programs. */
    public String code() {
        return name().toLowerCase(Locale.ROOT);
    }
}
