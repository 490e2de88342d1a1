package dev.downbeat.stats.position;

/**
 * How connections ended, and whether the server announced it. All counts are at least 0.
 *
 * @param withNotice closed by the server with notice
 * @param withoutNotice closed or reset by the server without notice
 * @param byUs closed by Downbeat
 * @param notice how the server gives notice: {@link #HEADER} or {@link #GOAWAY}
 */
public record Closes(long withNotice, long withoutNotice, long byUs, String notice) {
    /** The notice of HTTP/1.1. */
    public static final String HEADER = "`Connection: close`";

    /** The notice of HTTP/2. */
    public static final String GOAWAY = "GOAWAY";

    /** Counts for HTTP/1.1. */
    public Closes(long withNotice, long withoutNotice, long byUs) {
        this(withNotice, withoutNotice, byUs, HEADER);
    }

    /** How most connections ended. */
    public enum Kind {
        /** Closed by the server with notice. */
        ANNOUNCED,
        /** Closed by the server without notice. */
        SILENT,
        /** Closed by Downbeat. */
        OURS,
        /** No end was seen. */
        UNKNOWN
    }

    /** Refuses negative counts. */
    public Closes {
        if (withNotice < 0 || withoutNotice < 0 || byUs < 0) {
            throw new IllegalArgumentException(
                    "counts must be at least 0, but were " + withNotice + ", " + withoutNotice + " and " + byUs);
        }
    }

    /** How most of them ended. */
    public Kind mostly() {
        long most = Math.max(withNotice, Math.max(withoutNotice, byUs));
        return most == 0
                ? Kind.UNKNOWN
                : most == withNotice ? Kind.ANNOUNCED : most == withoutNotice ? Kind.SILENT : Kind.OURS;
    }
}
