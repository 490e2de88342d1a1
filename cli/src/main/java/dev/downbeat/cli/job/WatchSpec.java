package dev.downbeat.cli.job;

import dev.downbeat.watch.Watchers;
import dev.downbeat.why.Watcher;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** What of a service is watched. */
public final class WatchSpec {
    /** {@code jvm:PID} and {@code pid:PID}. */
    private static final Pattern PROCESS = Pattern.compile("(?:jvm|pid):(\\d{1,10})");

    private WatchSpec() {}

    /** Reads {@code jvm:PID} and the like. */
    public static final class Converter implements ITypeConverter<Watcher> {
        @Override
        public Watcher convert(String text) {
            Matcher process = PROCESS.matcher(text);
            if (process.matches()
                    && ProcessHandle.of(Long.parseLong(process.group(1))).isEmpty()) {
                throw new TypeConversionException("there is no process " + process.group(1) + " on this machine");
            }
            try {
                return (Watcher) Watchers.parse(text);
            } catch (IllegalArgumentException refused) {
                throw new TypeConversionException(refused.getMessage());
            }
        }
    }
}
