package dev.downbeat.report.paper;

/** A result of one kind, ready for every format. */
public interface View {
    /** For readers. */
    Page page();

    /** For programs: what {@link RecordJson} writes. */
    Record data();
}
