package dev.downbeat.stats.position;

/**
 * Who ended connections, and whether it was said before. All at least 0.
 *
 * @param withNotice closed by the server after it had said so
 * @param withoutNotice closed or reset by the server, and nothing had been said
 * @param byUs closed by us
 * @param notice how the server says so: {@link #HEADER}, or {@link #GOAWAY}
 */
public record Closes(long withNotice, long withoutNotice, long byUs, String notice) {
    /** The notice of HTTP/1.1. */
    public static final String HEADER = "`Connection: close`";

    /** The notice of HTTP/2. */
    public static final String GOAWAY = "GOAWAY";

    /** Of HTTP/1.1. */
    public Closes(long withNotice, long withoutNotice, long byUs) {
        this(withNotice, withoutNotice, byUs, HEADER);
    }

    /** How most connections ended. */
    public enum Kind {
        /** By the server, which had said so. */
        ANNOUNCED,
        /** By the server, without a word. */
        SILENT,
        /** By us. */
        OURS,
        /** Nobody was seen to. */
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
