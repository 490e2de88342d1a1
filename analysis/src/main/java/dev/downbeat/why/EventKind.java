package dev.downbeat.why;

import java.util.Locale;

/**
 * What can happen to a service that keeps its requests waiting. The order is from the outermost to the innermost: of two that
 * happen together, the earlier one contains the other and is named first.
 */
public enum EventKind {
    /** The whole process was stopped, or its machine. */
    PROCESS_STOPPED("process stops"),
    /** The container had used up its share of the processors. */
    THROTTLED("CPU throttling"),
    /** Runnable threads waited for a processor. */
    PROCESSOR_WAIT("waits for a processor"),
    /** Memory was short: the kernel took pages back. */
    MEMORY_STALL("memory stalls"),
    /** Threads waited for a disk or another device. */
    IO_STALL("I/O stalls"),
    /** Connections were dropped, since nobody accepted them. */
    LISTEN_OVERFLOW("overflows of the listen queue"),
    /** Packets were sent again. */
    RETRANSMIT("retransmits"),
    /** All of the heap was collected while the program stood. */
    FULL_COLLECTION("full collections"),
    /** The program stood for a collection of garbage. */
    COLLECTION_PAUSE("collection pauses"),
    /** Threads waited for memory that the collector had not freed yet. */
    ALLOCATION_STALL("allocation stalls"),
    /** All threads of the program stood for another reason than garbage. */
    SAFEPOINT("safepoints"),
    /** Threads waited for a lock. */
    LOCK_WAIT("lock waits"),
    /** Threads were parked, such as for a place in a pool. */
    PARKED("parked threads"),
    /** Virtual threads held the thread that carries them. */
    PINNED("pinned threads"),
    /** Threads slept or waited to be notified. */
    WAITED("waits"),
    /** Threads waited for what another service sends. */
    SOCKET_READ("socket reads"),
    /** Threads waited for a file. */
    FILE_WRITE("file writes"),
    /** Compiled code was thrown away or made. */
    COMPILATION("compilations"),
    /** Classes were loaded. */
    CLASS_LOADING("class loading"),
    /** Many exceptions were thrown. */
    EXCEPTIONS("exceptions"),
    /** A series that the user named was high. */
    SERIES("high series");

    private final String words;

    EventKind(String words) {
        this.words = words;
    }

    /** Several of them, in a few words for a reader. */
    public String words() {
        return words;
    }

    /** A stable name for programs. */
    public String code() {
        return name().toLowerCase(Locale.ROOT);
    }
}
