package dev.downbeat.report.render;

/** A result of one kind, for all formats. */
public interface View {
    /** The page for readers. */
    Page page();

    /** The page for text formats; it may lack what only HTML has. */
    default Page words() {
        return page();
    }

    /** The page for the default screen. */
    default Page brief() {
        return words().brief();
    }

    /** The data for programs, as {@link RecordJson} writes them. */
    Record data();
}
