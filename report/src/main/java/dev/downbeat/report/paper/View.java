package dev.downbeat.report.paper;

/** A result of one kind, ready for every format. */
public interface View {
    /** For readers. */
    Page page();

    /** The same for whoever shows words alone; it may lack what only a page of HTML has. */
    default Page words() {
        return page();
    }

    /** What one reads of it first, on a screen. */
    default Page brief() {
        return Brief.of(words());
    }

    /** For programs: what {@link RecordJson} writes. */
    Record data();
}
