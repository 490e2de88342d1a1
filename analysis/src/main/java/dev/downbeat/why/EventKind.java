package dev.downbeat.why;

import java.util.Locale;

/**
 * Events that can delay a service's requests, from the outermost to the innermost. Of two coinciding events, the outer
 * one contains the other and is named first.
 */
public enum EventKind {
    /** The whole process was stopped, or its machine. */
    PROCESS_STOPPED("process suspensions", "process suspension"),
    /** The container had used up its CPU quota. */
    THROTTLED("CPU throttling"),
    /** Runnable threads waited for a processor. */
    PROCESSOR_WAIT("run-queue waits", "run-queue wait"),
    /** Memory was short and the kernel reclaimed pages. */
    MEMORY_STALL("memory stalls", "memory stall"),
    /** Threads waited for a disk or another device. */
    IO_STALL("I/O stalls", "I/O stall"),
    /** The kernel dropped connections because the listen queue was full. */
    LISTEN_OVERFLOW("listen queue overflows", "listen queue overflow"),
    /** TCP segments were retransmitted. */
    RETRANSMIT("retransmits", "retransmit"),
    /** A database wrote its dirty pages to disk. */
    CHECKPOINT("checkpoints", "checkpoint"),
    /** Many sessions of a database were opened at once. */
    CONNECTION_STORM("connection storms", "connection storm"),
    /** A database session held a lock while idle, and others waited for it. */
    IDLE_IN_TRANSACTION("sessions idle in transaction", "session idle in transaction"),
    /** Database sessions waited for another session's lock. */
    DATABASE_LOCK("database lock waits", "database lock wait"),
    /** A database vacuumed tables. */
    AUTOVACUUM("autovacuum runs", "autovacuum run"),
    /** Many database sessions waited for the same thing. Never a cause, since slow requests are such sessions. */
    WAITING_SESSIONS("peaks of waiting sessions", "peak of waiting sessions"),
    /** Many sessions of an application were active in a database. Shown, but never a cause. */
    BUSY_SESSIONS("peaks of active sessions", "peak of active sessions"),
    /** The whole heap was collected while the program was paused. */
    FULL_COLLECTION("full GCs", "full GC"),
    /** The program was paused for garbage collection. */
    COLLECTION_PAUSE("GC pauses", "GC pause"),
    /** Threads waited for memory that the collector had not freed yet. */
    ALLOCATION_STALL("allocation stalls", "allocation stall"),
    /** All threads of the program were paused for a reason other than garbage collection. */
    SAFEPOINT("safepoints", "safepoint"),
    /** Threads waited for a lock. */
    LOCK_WAIT("lock waits", "lock wait"),
    /** Threads were parked, such as for a place in a pool. */
    PARKED("thread parks", "thread park"),
    /** Virtual threads pinned their carrier threads. */
    PINNED("thread pinnings", "thread pinning"),
    /** Threads slept or waited to be notified. */
    WAITED("waits", "wait"),
    /** Threads waited for data from another service. */
    SOCKET_READ("socket reads", "socket read"),
    /** Threads waited for a file. */
    FILE_WRITE("file writes", "file write"),
    /** Code was compiled or deoptimised. */
    COMPILATION("compilations", "compilation"),
    /** Classes were loaded. */
    CLASS_LOADING("class loading"),
    /** Many exceptions were thrown. */
    EXCEPTIONS("exception bursts", "exception burst"),
    /** A series named by the user was high. */
    SERIES("high series");

    private final String words;
    private final String one;

    /** A kind without a plural. */
    EventKind(String words) {
        this(words, "");
    }

    EventKind(String words, String one) {
        this.words = words;
        this.one = one;
    }

    /** Several of them, in words for a reader. */
    public String words() {
        return words;
    }

    /** A number of them: "1 lock wait", "3 lock waits"; kinds without a plural as they are: "CPU throttling". */
    public String counted(long count) {
        return one.isEmpty() ? words : String.format(Locale.ROOT, "%,d %s", count, count == 1 ? one : words);
    }

    /** A single one: "lock wait". */
    public String single() {
        return one.isEmpty() ? words : one;
    }

    /** Whether this number takes a verb in the singular. */
    boolean isSingular(long count) {
        return one.isEmpty() || count == 1;
    }

    /** Whether it can be a cause of slow requests; symptoms are only shown. */
    boolean isCause() {
        return this != WAITING_SESSIONS && this != BUSY_SESSIONS;
    }

    /** Whether several threads may wait for different things at once, as the detail shows. */
    boolean isOfThreads() {
        return switch (this) {
            case LOCK_WAIT, DATABASE_LOCK, PARKED, PINNED, WAITED, SOCKET_READ, FILE_WRITE -> true;
            default -> false;
        };
    }

    /** Whether it stops a whole JVM. Watchers name such events differently: a collection is also a safepoint. */
    boolean isOfWholeJvm() {
        return this == FULL_COLLECTION || this == COLLECTION_PAUSE || this == SAFEPOINT;
    }

    /** A stable name for programs. */
    public String code() {
        return name().toLowerCase(Locale.ROOT);
    }
}
