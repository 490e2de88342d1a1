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

    /** Whether the outcome's exit code is 0, so that nothing on the page may fail a build. */
    default boolean passes() {
        return false;
    }

    /** Whether the outcome is undecided, whatever its exit code. */
    default boolean isOpen() {
        return isUndecided();
    }

    /** Whether the outcome's exit code says that it is undecided. */
    default boolean isUndecided() {
        return false;
    }

    /** The data for programs, as {@link RecordJson} writes them. */
    Record data();
}
