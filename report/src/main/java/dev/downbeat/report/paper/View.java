package dev.downbeat.report.paper;

/** A result of one kind, ready for every format. */
public interface View {
    /** For readers. */
    Page page();

    /** What one reads of it first, on a screen. */
    default Page brief() {
        return Brief.of(page());
    }

    /** For programs: what {@link RecordJson} writes. */
    Record data();
}
