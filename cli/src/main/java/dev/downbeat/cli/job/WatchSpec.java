package dev.downbeat.cli.job;

import dev.downbeat.watch.Watchers;
import dev.downbeat.why.Watcher;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** What of a service is watched. */
public final class WatchSpec {
    private WatchSpec() {}

    /** Reads {@code jvm:PID} and the like. */
    public static final class Converter implements ITypeConverter<Watcher> {
        @Override
        public Watcher convert(String text) {
            try {
                return Watchers.parse(text);
            } catch (IllegalArgumentException refused) {
                throw new TypeConversionException(refused.getMessage());
            }
        }
    }
}
