package dev.downbeat.exchange;

import com.sun.management.UnixOperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.util.Locale;
import java.util.Optional;

/** The limit of open files of this process: each connection is one. */
public final class OpenFiles {
    /** For the program's own jars, logs and pipes. */
    private static final long RESERVE = 64;

    private OpenFiles() {}

    /**
     * Why so many connections cannot be open at a time.
     *
     * @param connections to be opened, besides those that are
     * @return one line with the remedy; empty if they can be, or if the system does not say
     */
    public static Optional<String> shortage(long connections) {
        return ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean unix
                ? shortage(connections, unix.getMaxFileDescriptorCount(), unix.getOpenFileDescriptorCount())
                : Optional.empty();
    }

    static Optional<String> shortage(long connections, long limit, long open) {
        long needed = connections + open + RESERVE;
        return limit <= 0 || needed <= limit
                ? Optional.empty()
                : Optional.of(String.format(
                        Locale.ROOT,
                        "%,d connections need %,d open files, and the limit of this process is %,d: raise it (ulimit -n %d), or "
                                + "open fewer",
                        connections,
                        needed,
                        limit,
                        needed));
    }
}
