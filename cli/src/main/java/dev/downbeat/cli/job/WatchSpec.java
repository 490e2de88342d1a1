package dev.downbeat.cli.job;

import dev.downbeat.cli.database.DatabaseTargets;
import dev.downbeat.cli.measurement.DatabaseUse;
import dev.downbeat.cli.measurement.value.Refusal;
import dev.downbeat.watch.Watchers;
import dev.downbeat.watch.database.DatabaseWatch;
import dev.downbeat.why.Watcher;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * What to watch of a service.
 *
 * @param text as the user wrote it
 */
record WatchSpec(String text) {
    /** {@code jvm:PID} and {@code pid:PID}. */
    private static final Pattern PROCESS = Pattern.compile("(?:jvm|pid):(\\d{1,10})");

    /**
     * Creates the watcher, which is not started yet.
     *
     * @param driverJars jars searched first for a database driver
     */
    Watcher watcher(List<Path> driverJars) {
        try {
            return DatabaseUse.isDatabase(text)
                    ? DatabaseWatch.of(text, DatabaseTargets.connector(text, driverJars))
                    : (Watcher) Watchers.parse(text);
        } catch (IllegalArgumentException refused) {
            throw Refusal.of(refused);
        }
    }

    /** Parses {@code jvm:PID} and the like. */
    static final class Converter implements ITypeConverter<WatchSpec> {
        @Override
        public WatchSpec convert(String text) {
            Matcher process = PROCESS.matcher(text);
            if (process.matches()
                    && ProcessHandle.of(Long.parseLong(process.group(1))).isEmpty()) {
                throw new TypeConversionException("there is no process " + process.group(1) + " on this machine");
            }
            if (DatabaseUse.isDatabase(text)) {
                DatabaseTargets.Jar.refuseIfAbsent();
            } else {
                try {
                    Watchers.parse(text);
                } catch (IllegalArgumentException refused) {
                    throw new TypeConversionException(refused.getMessage());
                }
            }
            return new WatchSpec(text);
        }
    }
}
